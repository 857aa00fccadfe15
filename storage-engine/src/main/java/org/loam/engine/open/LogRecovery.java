package org.loam.engine.open;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.loam.common.config.LogConfig;
import org.loam.common.error.CorruptionException;
import org.loam.engine.report.RecoveryReport;
import org.loam.log.TransactionLog;
import org.loam.log.format.BatchDecoder;
import org.loam.log.recover.ReplayReport;
import org.loam.lsm.ComponentChanges;
import org.loam.lsm.FlushCause;
import org.loam.lsm.FlushGroup;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestState;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.StepResult;

/**
 * Recovery of a database that has its own log: replays it into memory, and writes all of that to
 * new components, which count from the one edit on that also moves the log's beginning.
 */
final class LogRecovery extends Recovery<TransactionLog> {
  private static final long STEP_BYTES = 1 << 20;
  private static final String OTHER_LOG = " has a log already, perhaps that of the original";

  private final BatchDecoder decoder = new BatchDecoder();
  private final Path logDirectory;

  /**
   * Decides where the log is.
   *
   * @throws IllegalArgumentException if {@code log.directory} is where nothing is: a device that is
   *     not mounted, perhaps
   */
  LogRecovery(Opening opening) {
    super(opening);
    String elsewhere = config.log().directory();
    logDirectory = elsewhere == null ? directory.resolve("log") : Path.of(elsewhere);
    Path parent = logDirectory.toAbsolutePath().getParent();
    if (elsewhere != null && parent != null && !env.files().exists(parent)) {
      throw new IllegalArgumentException(
          "log.directory is "
              + elsewhere
              + ", but there is no "
              + parent
              + "; create or mount that, or correct log.directory");
    }
    if (elsewhere != null) {
      requireNoOtherLog(directory.resolve("log"));
    }
  }

  /**
   * A checkpoint has its log beside its data. Opened with the settings of its original, it would
   * take the log of that, which is of the same identity, and ruin both.
   */
  private void requireNoOtherLog(Path beside) {
    if (Manifest.exists(env, directory)
        && hasLog(beside)
        && !env.files().realPath(beside).equals(env.files().realPath(logDirectory))) {
      throw new IllegalArgumentException(
          "log.directory is "
              + logDirectory
              + ", but the database in "
              + directory
              + " has its log in "
              + beside
              + (hasLog(logDirectory) ? "; " + logDirectory + OTHER_LOG : "")
              + "; leave log.directory out");
    }
  }

  private boolean hasLog(Path place) {
    return env.files().exists(place)
        && env.files().list(place).stream().anyMatch(name -> name.startsWith("log-"));
  }

  @Override
  long features() {
    return 0;
  }

  @Override
  TransactionLog openLog(DatabaseIdentity identity) {
    if (identity.lacksLog()) {
      throw new IllegalArgumentException(
          "the database in "
              + directory
              + " was created below the log of a host, and only that host can open it");
    }
    return TransactionLog.open(env, logDirectory, logConfig(), identity.databaseId());
  }

  @Override
  RecoveryReport recover(Kernel kernel, TransactionLog log, boolean created) {
    Manifest manifest = kernel.storage().manifest();
    long from = manifest.read(ManifestState::truncationLsn);
    long flushedEnd = manifest.read(ManifestState::maxComponentLsn) + 1;
    boolean sealed = manifest.read(ManifestState::sealed);
    requireOwnEnd(log, sealed, from);
    kernel.writes().latch().replayed(from);
    openTrees(kernel);
    ReplayReport replay = replay(kernel, log, from, flushedEnd);
    ReplayReport.Mark mark = replay.mark();
    if (mark != null) {
      manifest.verifyForced(mark.manifestNumber(), mark.forcedBytes());
    }
    kernel.writes().latch().replayed(replay.endLsn());
    flushAll(kernel, replay.endLsn());
    // The manifest first: what was read of it may be in the page cache only, and the log now reuses
    // the segments that it says are not needed.
    manifest.start();
    long start = log.start(Math.max(flushedEnd, replay.endLsn()));
    int orphans = begin(kernel, start);
    // Before any write: a copy of this directory has an older manifest, so what is written from now
    // on is never taken for a write to that.
    kernel.edits().mark();
    ReplayReport.Cut cut = replay.cut();
    return new RecoveryReport(
        created,
        !created && sealed && replay.sealed(),
        replay.frames(),
        replay.payloadBytes(),
        cut == null ? null : cut.toString(),
        orphans);
  }

  /**
   * An open starts the manifest before the log, so a manifest that was closed in order finds its
   * log as it left it. If an open has gone on from there, it was that of a copy of this directory,
   * with the same identity: what it wrote is not of this database.
   */
  private void requireOwnEnd(TransactionLog log, boolean sealed, long endLsn) {
    if (sealed && log.hasGoneOnFrom(endLsn)) {
      throw new CorruptionException(
          "the database in "
              + directory
              + " was closed when its log ended at LSN "
              + endLsn
              + ", but the log in "
              + logDirectory
              + " has gone on since, for a copy of the database, or this is an older copy: open the"
              + " one that the log went on for, or restore a backup of both; and give each copy a"
              + " log.directory of its own, with a copy of the log");
    }
  }

  /** A log that does not fit may mean that the manifest lost its last edits: name both. */
  private ReplayReport replay(Kernel kernel, TransactionLog log, long from, long flushedEnd) {
    try {
      return log.replay(from, flushedEnd, (lsn, end, at, n) -> apply(kernel, lsn, end, at, n));
    } catch (CorruptionException e) {
      throw new CorruptionException(
          e.getMessage()
              + "; the log is looked for in "
              + logDirectory
              + " (log.directory); or manifest-"
              + String.format(Locale.ROOT, "%06d", kernel.storage().manifest().fileNumber())
              + ", readable up to byte "
              + kernel.storage().manifest().forcedBytes()
              + ", lost its last edits",
          e);
    }
  }

  private org.loam.log.LogConfig logConfig() {
    LogConfig log = config.log();
    org.loam.log.LogConfig defaults = org.loam.log.LogConfig.DEFAULT;
    return new org.loam.log.LogConfig(
        log.segmentBytes(), log.maxBytes(), defaults.preparedSegments(), defaults.retryNanos());
  }

  private void apply(Kernel kernel, long lsn, long endLsn, long payload, int payloadLength) {
    kernel.writes().latch().replayed(endLsn);
    decoder.reset(lsn, payload, payloadLength);
    while (decoder.next()) {
      int treeId = decoder.treeId();
      LsmTree tree = kernel.trees().byId(treeId);
      if (tree == null) {
        if (!kernel.storage().manifest().read(state -> state.wasDropped(treeId))) {
          throw new CorruptionException(
              "the log at LSN " + lsn + " names tree " + treeId + ", which the manifest lacks");
        }
      } else if (lsn > tree.durableLsn()) {
        insert(kernel, tree, lsn);
      }
    }
  }

  private void insert(Kernel kernel, LsmTree tree, long lsn) {
    while (true) {
      MemoryComponent active = tree.active(decoder.keyAddress(), decoder.keyLength());
      long record =
          active.prepare(
              decoder.kind(),
              decoder.keyAddress(),
              decoder.keyLength(),
              decoder.valueAddress(),
              decoder.valueLength());
      if (record != 0 && active.reserve(1)) {
        active.insert(record, lsn, kernel.reads().registry());
        return;
      }
      if (flushAll(kernel, lsn) == 0) {
        throw new IllegalArgumentException(
            "write.initialBytes is too small to replay the log at LSN " + lsn + "; raise it");
      }
    }
  }

  /** Flushes all trees on this thread; returns how many components that were. */
  private static int flushAll(Kernel kernel, long endLsn) {
    kernel.writes().memory().freezer().freezeAll(RangeSizes.WHOLE, endLsn, FlushCause.RECOVERY);
    int flushed = 0;
    for (LsmTree tree : kernel.trees().list()) {
      flushed += tree.hasFrozen() ? 1 : 0;
    }
    List<ComponentChanges> components = kernel.trees().components();
    BackgroundOperation flush = FlushGroup.open(components);
    while (flush != null) {
      carryThrough(flush);
      flush = FlushGroup.open(components);
    }
    return flushed;
  }

  private static void carryThrough(BackgroundOperation flush) {
    try {
      StepResult result = StepResult.MORE;
      while (result != StepResult.DONE) {
        result = flush.step(STEP_BYTES);
        if (result == StepResult.NEEDS_FORCE) {
          flush.force();
        }
      }
    } catch (Throwable t) {
      flush.abort();
      throw t;
    }
  }
}
