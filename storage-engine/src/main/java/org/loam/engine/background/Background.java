package org.loam.engine.background;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.ThreadsConfig;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.mem.Epochs;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.WorkFaults;
import org.loam.engine.commit.WritePath;
import org.loam.engine.notify.Events;
import org.loam.engine.tree.LiveSettings;
import org.loam.engine.tree.TreeCatalog;
import org.loam.lsm.ComponentChanges;
import org.loam.lsm.FlushGroup;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.BackgroundWorkers;
import org.loam.scheduler.work.FairScheduler;
import org.loam.scheduler.work.GreedyScheduler;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.MergeScheduler;
import org.loam.scheduler.work.MergeTree;
import org.loam.scheduler.work.RateLimiter;
import org.loam.scheduler.work.WorkListener;
import org.loam.scheduler.work.WorkSource;

/** The background threads of an engine: what they find to do, and what becomes of their faults. */
public final class Background implements WorkSource, WorkListener, AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(Background.class);

  private final LiveSettings settings;
  private final TreeCatalog trees;
  private final WritePath writes;
  private final Events events;
  private final RateLimiter limiter;
  private final BackgroundWorkers workers;
  private final WorkWaits waits;
  private final Turns flushTurns;

  /** So many flushes go alone. */
  private final AtomicInteger flushesAlone = new AtomicInteger();

  private final Cleaning cleaning;
  private final MemoryPace memoryPace;
  private final MemoryMerging memoryMerging;

  /**
   * What goes when nothing needs it any more.
   *
   * @param log is taken like a flush if there is none
   * @param files readers of tables are inside; a table that came out of use waits for them
   */
  public record Cleaning(LogTruncation log, Epochs files) {}

  public Background(
      StorageEnv env,
      LiveSettings settings,
      TreeCatalog trees,
      WritePath writes,
      Cleaning cleaning,
      Events events) {
    this.settings = settings;
    this.trees = trees;
    this.writes = writes;
    this.events = events;
    this.cleaning = cleaning;
    this.memoryPace =
        new MemoryPace(
            env,
            writes.admission().memoryGate(),
            writes.memory().pages()::ownBytes,
            () -> Math.min(writes.memory().pages().writableBytes(), settings.logFreeBytes()));
    this.waits = new WorkWaits(env.waiter(), () -> requireNotFenced(writes.latch()));
    this.flushTurns = new Turns(env.waiter(), "turns of flushes");
    this.limiter = new RateLimiter(env, settings.config().io().limitBytesPerSecond());
    var threads = settings.config().threads();
    var defaults = BackgroundWorkers.Settings.DEFAULT;
    this.workers =
        new BackgroundWorkers(
            env,
            this,
            scheduler(threads),
            limiter,
            this,
            new BackgroundWorkers.Settings(
                threads.flush(),
                threads.merge(),
                threads.merge(),
                defaults.quantumBytes(),
                defaults.minRetryNanos(),
                defaults.maxRetryNanos(),
                defaults.quietNanos()));
    this.memoryMerging =
        new MemoryMerging(env, trees::components, writes.memory().pages()::merging);
    writes.memory().pages().onReturned(memoryMerging::memoryReturned);
    writes.memory().freezer().onFrozen(writes.latch()::noteWork);
    writes
        .latch()
        .onWork(
            () -> {
              workers.signal();
              memoryMerging.wake();
            });
    writes.space().onRoom(workers::retryNow);
    writes.latch().onFenced(waits::signal);
    trees.onDropEnded(this::dropEnded);
    paceWriters();
  }

  private static void requireNotFenced(CommitLatch latch) {
    if (latch.isFenced()) {
      latch.requireNotFenced();
      throw new FencedException("the engine is fenced; what is in memory stays in the log");
    }
  }

  private static MergeScheduler scheduler(ThreadsConfig threads) {
    return switch (threads.scheduling()) {
      case FAIR -> new FairScheduler();
      case GREEDY ->
          new GreedyScheduler(threads.greedy() == 0 ? threads.merge() : threads.greedy());
    };
  }

  /** Bounds what flushes, merges and bulk loads read and write. */
  public RateLimiter limiter() {
    return limiter;
  }

  /** The merges that are open now, for statistics. */
  public BackgroundWorkers.OpenWork openWork() {
    return workers.openWork();
  }

  /** Processor time that flushes and merges have taken; 0 if it is not known. */
  public long processorNanos() {
    return workers.processorNanos();
  }

  public void start() {
    workers.start();
  }

  /** Write memory has another size, and the levels of trees with it. */
  public void memoryMoved() {
    trees.components().forEach(ComponentChanges::memoryMoved);
    workers.signal();
    memoryMerging.memoryReturned();
  }

  /** Takes over what may have changed in the configuration. */
  public void reconfigure() {
    limiter.setBytesPerSecond(settings.config().io().limitBytesPerSecond());
    workers.setMergeScheduler(scheduler(settings.config().threads()));
    paceWriters();
    workers.signal();
  }

  private void paceWriters() {
    memoryPace.change(settings.config().write().control().slowdown() == WriteSlowdown.PACE);
  }

  /** A drop that failed leaves trees which flushes and merges have passed over meanwhile. */
  private void dropEnded() {
    workers.signal();
    waits.signal();
  }

  @Override
  public @Nullable BackgroundOperation takeFlush(Set<Integer> resting) {
    if (writes.latch().isFenced()) {
      return null;
    }
    FlushGroup group =
        new FlushGroup(
            flushesAlone.get() > 0
                ? FlushGroup.Limits.ALONE
                : FlushGroup.Limits.atMost(writes.memory().pages().flushBytes()));
    flushTurns.take(
        trees.components(),
        tree -> !resting.contains(tree.treeId()) && tree.joinFlush(group),
        group::isFull);
    BackgroundOperation flush = group.operation();
    return flush != null ? flush : cleaning.log().take();
  }

  @Override
  public long latestWrite() {
    return writes.latch().appliedEnd();
  }

  /** After a fence as well: what the manifest has forgotten does not come back. */
  @Override
  public boolean deleteUnused() {
    cleaning.files().collect();
    return cleaning.files().retiredCount() > 0;
  }

  @Override
  public List<? extends MergeTree> mergeTrees() {
    // After a fence nothing could be installed, and what was written would stay behind.
    return writes.latch().isFenced() ? List.of() : trees.components();
  }

  @Override
  public void flushAdvanced() {
    memoryPace.flushAdvanced(workers::flushProgress, workers::setFlushLate);
  }

  @Override
  public void operationDone(BackgroundOperation operation) {
    if (operation.ioClass() == IoClass.FLUSH) {
      flushAdvanced();
      memoryMerging.wake();
      flushesAlone.updateAndGet(left -> Math.max(0, left - 1));
    }
    waits.signal();
  }

  @Override
  public void operationFailed(
      BackgroundOperation operation, StorageException cause, int treeId, long retryNanos) {
    boolean isFlush = operation.ioClass() == IoClass.FLUSH;
    // Once, until such work succeeds: it is tried again all the time.
    if (isNew(isFlush, operation.directory(), cause, treeId)) {
      LOGGER.warn(
          cause instanceof DiskFullException
              ? "{} found the disk full; writes are refused while it has no room: {}"
              : "{} failed, and is tried again: {}",
          isFlush ? "a flush" : "a merge",
          cause.getMessage());
    }
    if (cause instanceof FencedException) {
      writes.latch().fence(cause);
    } else if (cause instanceof DiskFullException full) {
      writes.space().foundFull(full);
    }
    if (isFlush) {
      flushAdvanced();
      // A tree whose directory is full, say, must not keep the others from their flushes.
      flushesAlone.set(FlushGroup.Limits.DEFAULT.components());
    }
    events.workFailed(isFlush, cause, retryNanos);
    if (isFlush) {
      waits.flushFailed(operation, cause);
    } else {
      waits.mergeFailed(cause, treeId);
    }
  }

  private boolean isNew(boolean isFlush, int directory, StorageException cause, int treeId) {
    WorkFaults faults = writes.faults();
    if (isFlush) {
      return faults.flushFailed(directory, cause);
    }
    return treeId == ALL_TREES ? faults.mergeFailed(cause) : faults.damaged(treeId, cause);
  }

  @Override
  public void broken(Throwable cause) {
    // Before the log is written to, which may fail for the same reason.
    writes.latch().fence(cause);
    LOGGER.error("background work broke; the engine takes no more writes", cause);
  }

  /**
   * Waits until nothing frozen in the trees holds writes below an LSN. Of a tree that is being
   * dropped that is not known before it is gone: it may turn out to stay.
   *
   * @throws StorageException the fault of a flush that failed meanwhile
   */
  void awaitAllFlushed(List<LsmTree> flushed, long endLsn) {
    waits.awaitFlushes(
        ALL_TREES, 0, () -> flushed.stream().noneMatch(tree -> isFrozen(tree, endLsn)));
  }

  /**
   * Waits until nothing frozen in a tree holds writes below an LSN, as for all trees.
   *
   * @throws StorageException the fault that keeps the tree from it, no fault of another one
   */
  void awaitFlushed(LsmTree tree, long endLsn) {
    waits.awaitFlushes(tree.treeId(), tree.directory(), () -> !isFrozen(tree, endLsn));
  }

  private boolean isFrozen(LsmTree tree, long endLsn) {
    return tree.hasFrozenBelow(endLsn) && trees.has(tree);
  }

  /**
   * Asks for a compaction, and waits until it is done.
   *
   * @throws StorageException the fault that keeps it from being done, damage of another tree not
   *     among them. It is not tried again: it comes before other merges, which would wait for as
   *     long as it fails
   */
  void compact(LsmTree tree, ComponentChanges components) {
    Runnable request =
        () -> {
          components.requestCompaction();
          // What is damaged may be mended now, and would rest for up to an hour.
          workers.retryNow();
        };
    try {
      waits.awaitMerges(
          tree.treeId(), request, () -> !components.isCompacting() || !trees.has(tree));
    } finally {
      components.endCompactionRequest();
      workers.signal();
    }
  }

  @Override
  public void close() {
    waits.stop();
    memoryMerging.close();
    workers.close();
  }
}
