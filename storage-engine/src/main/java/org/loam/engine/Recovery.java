package org.loam.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.LogConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.log.TransactionLog;
import org.loam.log.format.BatchDecoder;
import org.loam.log.recover.ReplayReport;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;
import org.loam.lsm.manifest.ComponentRecord;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Change;
import org.loam.lsm.manifest.ManifestEdit.Truncate;
import org.loam.lsm.manifest.ManifestState;
import org.loam.lsm.manifest.ManifestState.TreeRecord;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.run.BackgroundOperation;
import org.loam.scheduler.run.StepResult;

/**
 * From a directory to a running kernel: read the manifest, open the components, replay the log into
 * memory, write all of that to new components, and let them count together with the log's new
 * beginning in one manifest edit. Until that edit nothing that was there is changed, so recovery
 * may be interrupted any number of times.
 */
final class Recovery {
  private static final long STEP_BYTES = 1 << 20;

  private final Opening opening;
  private final StorageEnv env;
  private final Path directory;
  private final EngineConfig config;
  private final BatchDecoder decoder = new BatchDecoder();

  private Recovery(Opening opening) {
    this.opening = opening;
    this.env = opening.env();
    this.directory = opening.directory();
    this.config = opening.config();
  }

  /** A kernel that takes writes, and what was found on the way. */
  record Recovered(Kernel kernel, RecoveryReport report) {}

  /** Opens the database in a directory that the caller has locked, or creates it. */
  static Recovered open(Opening opening) {
    return new Recovery(opening).run();
  }

  private Recovered run() {
    boolean created = !Manifest.exists(env, directory);
    Manifest manifest = created ? create() : Manifest.open(env, directory);
    TransactionLog log = null;
    Kernel kernel = null;
    try {
      DatabaseIdentity identity = manifest.read(ManifestState::identity);
      requirePageSize(identity);
      log = TransactionLog.open(env, logDirectory(), logConfig(), identity.databaseId());
      // After the manifest, which alone makes this a database; again, if a crash came in between.
      env.files().createDirectories(Kernel.dataDirectory(directory));
      env.files().forceDirectory(directory);
      kernel = new Kernel(opening, manifest, log);
      return new Recovered(kernel, recover(kernel, created));
    } catch (Throwable t) {
      Throwable all = t;
      if (kernel != null) {
        all = Closing.run(kernel::close, all);
      }
      if (log != null) {
        all = Closing.run(log::close, all);
      }
      Closing.run(manifest::close, all);
      throw t;
    }
  }

  private RecoveryReport recover(Kernel kernel, boolean created) {
    Manifest manifest = kernel.manifest;
    long from = manifest.read(ManifestState::truncationLsn);
    long flushedEnd = manifest.read(ManifestState::maxComponentLsn) + 1;
    boolean sealed = manifest.read(ManifestState::sealed);
    kernel.committer.replayed(from);
    openTrees(kernel);
    ReplayReport replay = replay(kernel, from, flushedEnd);
    ReplayReport.Mark mark = replay.mark();
    if (mark != null) {
      manifest.verifyForced(mark.manifestNumber(), mark.forcedBytes());
    }
    kernel.committer.replayed(replay.endLsn());
    flushAll(kernel, replay.endLsn());
    // The manifest first: what was read of it may be in the page cache only, and the log now reuses
    // the segments that it says are not needed.
    manifest.start();
    long start = kernel.log.start(Math.max(flushedEnd, replay.endLsn()));
    List<Change> changes = new ArrayList<>(kernel.installer.endRecovery());
    changes.add(kernel.store.reserveFirst());
    changes.add(new Truncate(start));
    manifest.commit(new ManifestEdit(changes));
    kernel.log.truncate(start);
    kernel.committer.start(start);
    int orphans = kernel.store.deleteOrphans();
    ReplayReport.Cut cut = replay.cut();
    return new RecoveryReport(
        created,
        !created && sealed && replay.sealed(),
        replay.frames(),
        replay.payloadBytes(),
        cut == null ? null : cut.toString(),
        orphans);
  }

  /** A log that does not fit may mean that the manifest lost its last edits: name both. */
  private ReplayReport replay(Kernel kernel, long from, long flushedEnd) {
    try {
      return kernel.log.replay(
          from, flushedEnd, (lsn, end, at, n) -> apply(kernel, lsn, end, at, n));
    } catch (CorruptionException e) {
      throw new CorruptionException(
          e.getMessage()
              + "; or manifest-"
              + String.format(Locale.ROOT, "%06d", kernel.manifest.fileNumber())
              + ", readable up to byte "
              + kernel.manifest.forcedBytes()
              + ", lost its last edits",
          e);
    }
  }

  private Manifest create() {
    StorageFiles files = env.files();
    for (String name : files.list(directory)) {
      if (name.equals("data") || name.equals("log")) {
        throw new CorruptionException(
            directory
                + ": no file named current although there is "
                + name
                + "; restore it from a backup, or open an empty directory");
      }
    }
    long id = env.random().nextLong();
    Manifest manifest =
        Manifest.create(env, directory, new DatabaseIdentity(id, config.memory().pageBytes(), 0));
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

  private Path logDirectory() {
    String elsewhere = config.log().directory();
    return elsewhere == null ? directory.resolve("log") : Path.of(elsewhere);
  }

  private org.loam.log.LogConfig logConfig() {
    LogConfig log = config.log();
    org.loam.log.LogConfig defaults = org.loam.log.LogConfig.DEFAULT;
    return new org.loam.log.LogConfig(
        log.segmentBytes(),
        log.maxBytes(),
        defaults.preparedSegments(),
        defaults.retryNanos(),
        log.durability() == Durability.SYNC);
  }

  private static void openTrees(Kernel kernel) {
    List<TreeRecord> records = kernel.manifest.read(state -> List.copyOf(state.trees()));
    for (TreeRecord record : records) {
      List<Place> places = new ArrayList<>();
      try {
        for (ComponentRecord component : record.components()) {
          LiveTable table = kernel.store.open(component.meta());
          places.add(new Place(component.level(), component.group(), table));
        }
        kernel.trees.add(
            new LsmTree(
                record.treeId(),
                record.name(),
                kernel.services,
                kernel.behaviour(),
                record.durableLsn(),
                places));
      } catch (Throwable t) {
        places.forEach(place -> kernel.store.close(place.table()));
        throw t;
      }
    }
  }

  private void apply(Kernel kernel, long lsn, long endLsn, long payload, int payloadLength) {
    kernel.committer.replayed(endLsn);
    decoder.reset(lsn, payload, payloadLength);
    while (decoder.next()) {
      int treeId = decoder.treeId();
      LsmTree tree = kernel.trees.byId(treeId);
      if (tree == null) {
        if (!kernel.manifest.read(state -> state.wasDropped(treeId))) {
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
      MemoryComponent active = tree.active();
      long record =
          active.prepare(
              decoder.kind(),
              decoder.keyAddress(),
              decoder.keyLength(),
              decoder.valueAddress(),
              decoder.valueLength());
      if (record != 0 && active.reserve(1)) {
        active.insert(record, lsn, kernel.reads);
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
    int flushed = 0;
    for (LsmTree tree : kernel.trees.list()) {
      tree.freeze(endLsn, FlushCause.RECOVERY);
      BackgroundOperation flush = tree.openFlush();
      while (flush != null) {
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
        flushed++;
        flush = tree.openFlush();
      }
    }
    return flushed;
  }
}
