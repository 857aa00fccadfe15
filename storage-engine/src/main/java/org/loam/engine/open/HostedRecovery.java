package org.loam.engine.open;

import org.loam.engine.host.HostLog;
import org.loam.engine.report.RecoveryReport;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestState;

/**
 * Recovery of a database below a host's log: what its components hold is all there is, and the host
 * makes again what is missing, by writes like any others.
 */
final class HostedRecovery extends Recovery<HostedLog> {
  private final HostLog host;

  HostedRecovery(Opening opening, HostLog host) {
    super(opening);
    this.host = host;
  }

  @Override
  long features() {
    return DatabaseIdentity.HOST_LOG | DatabaseIdentity.HOST_VALUES;
  }

  @Override
  HostedLog openLog(DatabaseIdentity identity) {
    if (!identity.lacksLog()) {
      throw new IllegalArgumentException(
          "the database in "
              + directory
              + " has a log of its own, so it cannot be opened below the log of a host;"
              + " name another directory");
    }
    return new HostedLog(host);
  }

  @Override
  RecoveryReport recover(Kernel kernel, HostedLog log, boolean created) {
    Manifest manifest = kernel.storage().manifest();
    // Not below what was given out before: a flush may have written any LSN up to it.
    long known =
        Math.max(
            manifest.read(ManifestState::truncationLsn),
            manifest.read(ManifestState::maxComponentLsn) + 1);
    boolean sealed = manifest.read(ManifestState::sealed);
    openTrees(kernel);
    // The host may write such values from now on, and older builds would read them wrong.
    manifest.addFeatures(DatabaseIdentity.HOST_VALUES);
    manifest.start();
    long start = log.start(known);
    int orphans = begin(kernel, start);
    return new RecoveryReport(created, !created && sealed, 0, 0, null, orphans);
  }
}
