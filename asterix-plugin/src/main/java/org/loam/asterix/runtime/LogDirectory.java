package org.loam.asterix.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
   * @param loam the directories of Loam's data, whether they are there or not
   * @param roots of the descriptions of all indexes, also of those in AsterixDB's own storage
   */
  void require(boolean initialRun, List<Path> loam, StorageRoots roots) {
    if (!initialRun) {
      requireLogOf(loam, roots);
    }
    files.createDirectories(path);
    requireRoom();
  }

  /**
   * Refuses a log whose data is gone, as when no I/O device is mounted: a recovery skips records of
   * indexes that are not there, and the checkpoint after it deletes the log. A log without a
   * checkpoint is that of a first start, which was not completed. A node may have no database and
   * still its data: indexes that Loam leaves in AsterixDB's own storage.
   *
   * @param initialRun whether all data is to be deleted
   * @param database the first directory of Loam's data, whether it is there or not
   * @param indexes all that have a description
   */
  void requireData(boolean initialRun, Path database, List<String> indexes) {
    if (!initialRun && hasCheckpoint() && indexes.isEmpty() && !Engine.exists(database)) {
      throw new StartException(
          "txn.log.dir: "
              + path
              + " has a log, but there is no database in "
              + database
              + ", and a recovery without it would lose what is only in the log; bring the"
              + " iodevices back, or empty txn.log.dir to begin anew");
    }
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
   * Without its log, whose disk may not be mounted, AsterixDB would take the node for a new one. A
   * disk with data may be missing as well, so the data of any device counts.
   */
  private void requireLogOf(List<Path> loam, StorageRoots roots) {
    if (hasLog()) {
      return;
    }
    StartException.unless(() -> LoamDirectories.anyWithData(loam))
        .or(roots::anyIndex)
        .ifPresent(
            data -> {
              throw new StartException(
                  "txn.log.dir: "
                      + path
                      + " has no log, but there is data in "
                      + data
                      + ", which AsterixDB would delete; bring the log back, or empty the iodevices"
                      + " to begin anew");
            });
  }

  /** A disk that is mounted anew may have other files. */
  private boolean hasLog() {
    return hasCheckpoint() || has(name -> name.contains("transaction_log"));
  }

  private boolean hasCheckpoint() {
    return has(name -> name.startsWith("checkpoint_"));
  }

  private boolean has(Predicate<String> name) {
    return files.exists(path) && files.list(path).stream().anyMatch(name);
  }
}
