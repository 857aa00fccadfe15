package org.loam.asterix.runtime;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.asterix.common.config.TransactionProperties;
import org.apache.hyracks.api.application.INCServiceContext;
import org.loam.common.config.Units;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.StorageException;
import org.loam.engine.Engine;

/**
 * Where AsterixDB has the log of a node and its checkpoints, looked at before AsterixDB does. It
 * may be on another disk than the data.
 *
 * @param path whether it is there or not
 */
record LogDirectory(StorageFiles files, Path path) {
  /** A start writes a small record for each dataset that it recovers, and a checkpoint. */
  private static final long START_BYTES = 1 << 20;

  static LogDirectory of(INCServiceContext service, TransactionProperties properties) {
    String path = properties.getLogDirectory(service.getNodeId());
    return new LogDirectory(RealEnv.create().files(), Path.of(path));
  }

  /**
   * Makes the directory if it is not there, and refuses a start that it is not ready for.
   *
   * @param initialRun whether all data is to be deleted
   * @param database directory of Loam's database, whether there is one or not
   */
  void require(boolean initialRun, Path database) {
    if (!initialRun) {
      requireLogOf(database);
    }
    files.createDirectories(path);
    requireRoom();
  }

  /** A log without room halts a node. */
  private void requireRoom() {
    problem()
        .ifPresent(
            problem -> {
              throw new StartException(problem);
            });
  }

  /** Why a start cannot write its log now, and what to do; empty if it can. */
  Optional<String> problem() {
    try {
      long freeBytes = files.usableBytes(path);
      return freeBytes < START_BYTES ? Optional.of(full(freeBytes)) : Optional.empty();
    } catch (StorageException e) {
      return Optional.of("txn.log.dir: " + e.getMessage());
    }
  }

  private String full(long freeBytes) {
    return "txn.log.dir: "
        + path
        + " is full: "
        + freeBytes
        + " bytes free, and a start needs "
        + Units.roundBytes(START_BYTES)
        + " for AsterixDB's log and checkpoint; start the node again when there is room";
  }

  /**
   * Without its log, whose disk may not be mounted, AsterixDB would take the node for a new one.
   */
  private void requireLogOf(Path database) {
    if (Engine.exists(database) && !hasLog()) {
      throw new StartException(
          "txn.log.dir: "
              + path
              + " has no log, but there is a database in "
              + database
              + ", which AsterixDB would delete; bring the log back, or empty the iodevices to"
              + " begin anew");
    }
  }

  /** A disk that is mounted anew may have other files. */
  private boolean hasLog() {
    return files.exists(path)
        && files.list(path).stream()
            .anyMatch(name -> name.startsWith("checkpoint_") || name.contains("transaction_log"));
  }
}
