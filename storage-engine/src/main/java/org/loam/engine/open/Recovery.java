package org.loam.engine.open;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.FencedException;
import org.loam.engine.host.HostLog;
import org.loam.engine.operation.Closing;
import org.loam.engine.report.RecoveryReport;
import org.loam.log.CommitLog;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.lsm.manifest.ManifestState;
import org.loam.lsm.manifest.ManifestState.TreeRecord;

/**
 * From a directory to a running kernel: read the manifest, open the components, and let them count
 * together with the beginning of new writes in one manifest edit. Until that edit nothing that was
 * there is changed, so recovery may be interrupted any number of times.
 *
 * @param <L> the log that the database has
 */
abstract sealed class Recovery<L extends CommitLog> permits LogRecovery, HostedRecovery {
  final StorageEnv env;
  final Path directory;
  final EngineConfig config;
  private final Opening opening;

  Recovery(Opening opening) {
    this.opening = opening;
    this.env = opening.env();
    this.directory = opening.directory();
    this.config = opening.config();
  }

  /** A kernel that takes writes, and what was found on the way. */
  record Recovered(Kernel kernel, RecoveryReport report) {}

  /** Opens the database in a directory that the caller has locked, or creates it. */
  static Recovered open(Opening opening) {
    HostLog host = opening.hostLog();
    return host == null ? new LogRecovery(opening).run() : new HostedRecovery(opening, host).run();
  }

  /** Features that a database is created with. */
  abstract long features();

  /**
   * Opens the log.
   *
   * @throws IllegalArgumentException if the database has another kind of log
   */
  abstract L openLog(DatabaseIdentity identity);

  /** Brings the kernel to where it takes writes. */
  abstract RecoveryReport recover(Kernel kernel, L log, boolean created);

  final Recovered run() {
    boolean created = !Manifest.exists(env, directory);
    Manifest manifest = created ? create() : Manifest.open(env, directory);
    L log = null;
    Kernel kernel = null;
    try {
      DatabaseIdentity identity = manifest.read(ManifestState::identity);
      requirePageSize(identity);
      log = openLog(identity);
      // After the manifest, which alone makes this a database; again, if a crash came in between.
      env.files().createDirectories(Storage.dataDirectory(directory));
      env.files().forceDirectory(directory);
      kernel = new Kernel(opening, manifest, log, additionalDirectories(manifest, identity));
      return new Recovered(kernel, recover(kernel, log, created));
    } catch (Throwable t) {
      Throwable all = t;
      if (kernel != null) {
        List<Path> made = kernel.factory().files(kernel.installer().uncounted(), kernel.trees());
        all = Closing.run(kernel::close, all);
        // Or each attempt would leave less room for the next one.
        for (Path table : made) {
          all = Closing.run(() -> env.files().delete(table), all);
        }
      }
      if (log != null) {
        all = Closing.run(log::close, all);
      }
      Closing.run(manifest::close, all);
      throw t;
    }
  }

  private SortedMap<Integer, Path> additionalDirectories(
      Manifest manifest, DatabaseIdentity identity) {
    List<TreeRecord> trees = manifest.read(state -> List.copyOf(state.trees()));
    SortedMap<Integer, Path> resolved =
        DataDirectories.resolve(
            env,
            directory,
            identity,
            opening.directories(),
            trees,
            manifest.read(ManifestState::nextDirectory));
    if (!resolved.isEmpty()) {
      manifest.reserveDirectories(resolved.lastKey() + 1);
    }
    return resolved;
  }

  private Manifest create() {
    StorageFiles files = env.files();
    for (String name : files.list(directory)) {
      if (name.equals("data") || name.equals("log")) {
        throw new CorruptionException(
            directory
                + ": no file named current although there is "
                + name
                + "; restore it from a backup, or open an empty directory; or it is a checkpoint"
                + " that was interrupted: delete it");
      }
    }
    long id = env.random().nextLong();
    Manifest manifest =
        Manifest.create(
            env, directory, new DatabaseIdentity(id, config.memory().pageBytes(), features()));
    manifest.start();
    return manifest;
  }

  private void requirePageSize(DatabaseIdentity identity) {
    if (identity.pageBytes() != config.memory().pageBytes()) {
      throw new IllegalArgumentException(
          "page.size is "
              + config.memory().pageBytes()
              + ", but the database in "
              + directory
              + " was created with "
              + identity.pageBytes()
              + "; the page size of a database cannot change");
    }
  }

  static void openTrees(Kernel kernel) {
    List<TreeRecord> records =
        kernel.storage().manifest().read(state -> List.copyOf(state.trees()));
    for (TreeRecord record : records) {
      kernel.trees().add(kernel.factory().open(record));
    }
  }

  /**
   * Lets what recovery made count, with writes that begin at an LSN, and clears up. The manifest
   * has been started.
   */
  static int begin(Kernel kernel, long startLsn) {
    DataDirectories.claim(kernel.storage());
    List<Change> changes = new ArrayList<>(kernel.installer().uncounted());
    changes.add(kernel.fileIds().reserveFirst());
    changes.add(new Truncate(startLsn));
    try {
      kernel.storage().manifest().commit(new ManifestEdit(changes));
    } catch (FencedException | Error e) {
      // The edit may count all the same, with the tables that it names.
      kernel.installer().endRecovery();
      throw e;
    }
    kernel.installer().endRecovery();
    kernel.storage().log().truncate(startLsn);
    kernel.writes().latch().start(startLsn);
    return kernel.factory().deleteOrphans(kernel.storage().manifest());
  }
}
