package org.loam.engine.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Units;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.error.DeadlineException;
import org.loam.common.mem.Epochs;
import org.loam.lsm.FlushCause;
import org.loam.lsm.FlushPolicy;
import org.loam.lsm.FlushPolicy.TreeMemory;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryComponent;

/**
 * The write memory that all trees share, and the decision which of them has to flush (MemoryWalls
 * §3, §4.2). A tree has no share of its own. Its component is frozen when it has half of all write
 * memory.
 *
 * <p>Decisions are made under the commit latch; waiting is not.
 */
public final class WriteMemory {
  /**
   * When to flush.
   *
   * @param policy which tree to flush when memory is short
   * @param thresholdRatio used part of the quota at which a tree is chosen
   * @param componentBytes size at which an active component is frozen
   * @param maxLogBytes length at which the tree with the oldest write is flushed
   */
  public record Limits(
      FlushPolicy policy, double thresholdRatio, long componentBytes, long maxLogBytes) {}

  private final WritePages pages;
  private final int pageBytes;
  private final Supplier<List<LsmTree>> trees;
  private final @Nullable Consumer<String> host;
  private final Epochs epochs;
  private final Monitor freed;

  /** Read and changed under the commit latch. */
  private Limits limits;

  private @Nullable Runnable onFrozen;
  private int lastUsedPages;
  private long nextLogCheckLsn;

  /**
   * @param trees the open trees, in a fixed order
   * @param host is told the trees that are chosen here, for it to flush them; null if they are
   *     frozen at once
   * @param epochs of those that read memory components
   */
  public WriteMemory(
      WritePages pages,
      Limits limits,
      Supplier<List<LsmTree>> trees,
      @Nullable Consumer<String> host,
      Epochs epochs,
      Waiter waiter) {
    this.pages = pages;
    this.pageBytes = pages.pageBytes();
    this.limits = limits;
    this.trees = trees;
    this.host = host;
    this.epochs = epochs;
    this.freed = waiter.newMonitor("write memory");
  }

  /** Changes when to flush; the next write finds out whether it has to. Under the latch. */
  public void change(Limits changed) {
    limits = changed;
    lastUsedPages = -1;
    nextLogCheckLsn = 0;
  }

  /** Sets what runs when there is something to flush. */
  public void onFrozen(Runnable signal) {
    onFrozen = signal;
  }

  /**
   * Refuses a batch that may not find room however much is flushed: it would wait for ever.
   *
   * @throws IllegalArgumentException with the pages that it may take and those of write memory
   */
  void requireFits(PreparedBatch batch) {
    int own = pages.own();
    if (mostPages(batch, batch.treeChanges()) <= own) {
      return;
    }
    long most = mostPages(batch, batch.treeCount());
    if (most > own) {
      throw new IllegalArgumentException(
          "the batch has "
              + batch.size()
              + " writes in "
              + batch.treeCount()
              + " trees, which may take "
              + most
              + " of "
              + own
              + " pages of write memory; split it, or raise write.initialBytes");
    }
  }

  /** Pages that a batch for so many trees may take, empty as they may be. */
  private long mostPages(PreparedBatch batch, int trees) {
    int writes = batch.size();
    // Each tree makes room for nodes as if all writes were its own, and begins a page for records.
    long pagesOfTree = MemoryComponent.mostNodePages(writes, pageBytes) + 1;
    return trees * pagesOfTree
        + MemoryComponent.mostRecordPages(writes, batch.dataBytes(), pageBytes);
  }

  /**
   * Whether a batch may find room. It may still find none, and then leaves what it took in vain to
   * the next flush: one that takes many pages should ask before it tries.
   */
  boolean mayHaveRoom(PreparedBatch batch) {
    return pages.free() >= Math.max(1, batch.dataBytes() / pageBytes);
  }

  /**
   * Borrows room for a batch from the buffer cache, if no flush is on its way that could make some:
   * a host begins none before the writes under way have ended.
   *
   * @return false if the batch has to wait for a flush
   */
  boolean borrow(PreparedBatch batch) {
    long lacking = mostPages(batch, batch.treeCount()) - pages.free();
    return !mayWaitForFlush() && pages.borrow((int) Math.max(1, lacking));
  }

  /** Whether a flush makes room even while all writers wait for it. */
  boolean mayWaitForFlush() {
    return host == null || trees.get().stream().anyMatch(LsmTree::hasFrozen);
  }

  /** Looks whether a batch made a flush necessary. Under the commit latch. */
  void afterInsert(PreparedBatch batch, long endLsn, long logBytes) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesTree(i) && isFull(batch.tree(i).active())) {
        flushChosen(batch.tree(i), endLsn, FlushCause.MEMORY);
      }
    }
    int used = pages.used();
    if (used != lastUsedPages) {
      lastUsedPages = used;
      if (used >= limits.thresholdRatio() * pages.own()) {
        flushForMemory(endLsn);
      }
    }
    if (endLsn >= nextLogCheckLsn) {
      nextLogCheckLsn = endLsn + limits.maxLogBytes() / 64;
      if (logBytes >= limits.thresholdRatio() * limits.maxLogBytes()) {
        flushForLog(endLsn);
      }
    }
  }

  private boolean isFull(MemoryComponent active) {
    long used = active.usedBytes();
    return used >= limits.componentBytes()
        || (active.supersededBytes() > used / 2 && used >= limits.componentBytes() / 4);
  }

  /** Has a tree flushed for the sake of memory, unless a flush is on its way. Under the latch. */
  public void flushForMemory(long endLsn) {
    List<TreeMemory> candidates = new ArrayList<>();
    for (LsmTree tree : trees.get()) {
      if (tree.hasFrozen()) {
        signal();
        return;
      }
      MemoryComponent active = tree.active();
      candidates.add(new TreeMemory(tree, active.usedBytes(), active.minLsn()));
    }
    LsmTree chosen = limits.policy().choose(candidates);
    if (chosen != null) {
      flushChosen(chosen, endLsn, FlushCause.MEMORY);
    } else {
      // All there is are records that were prepared for batches which did not fit.
      freezeAll(endLsn, FlushCause.MEMORY);
    }
  }

  /**
   * Has the tree with the oldest write flushed, unless it is already. If memory is empty, the
   * background threads find that the log can be truncated. Under the latch.
   */
  void flushForLog(long endLsn) {
    LsmTree oldest = null;
    for (LsmTree tree : trees.get()) {
      if (oldest == null || tree.minUnflushedLsn(null) < oldest.minUnflushedLsn(null)) {
        oldest = tree;
      }
    }
    if (oldest != null && !oldest.hasFrozen() && oldest.minUnflushedLsn(null) < Long.MAX_VALUE) {
      flushChosen(oldest, endLsn, FlushCause.LOG);
    } else {
      signal();
    }
  }

  private void flushChosen(LsmTree tree, long endLsn, FlushCause cause) {
    if (host != null) {
      host.accept(tree.name());
    } else {
      freeze(tree, endLsn, cause);
    }
  }

  /** Freezes all trees. Under the commit latch. */
  public void freezeAll(long endLsn, FlushCause cause) {
    for (LsmTree tree : trees.get()) {
      freeze(tree, endLsn, cause);
    }
  }

  /** Freezes one tree. Under the commit latch. */
  public void freeze(LsmTree tree, long endLsn, FlushCause cause) {
    if (tree.freeze(endLsn, cause)) {
      signal();
    }
  }

  private void signal() {
    Runnable told = onFrozen;
    if (told != null) {
      told.run();
    }
  }

  /** The used part of what write memory has by itself: more than 1 with what is lent to it. */
  public double fill() {
    return (double) pages.used() / pages.own();
  }

  /** The error of a write that gets no memory, with the pages in use and their owners. */
  DeadlineException lacking(PreparedBatch batch, long waitedNanos) {
    return new DeadlineException(
        "no memory for a write to "
            + batch.tree(0)
            + " for "
            + waitedNanos / 1_000_000_000
            + " s: write memory is full with "
            + describe()
            + " and lends no more, and no flush begins while the writes under way wait;"
            + " nothing was written, write less at once or raise memory.total");
  }

  private String describe() {
    return Units.formatBytes((long) pages.used() * pageBytes)
        + ", of which the buffer cache has lent "
        + Units.formatBytes((long) pages.lent() * pageBytes);
  }

  /** Waits for {@link #wakeAll}, even if a page could be had: a caller needs more than one. */
  void awaitFreed(long nanos) {
    freed.lock();
    try {
      freed.await(nanos);
    } finally {
      freed.unlock();
    }
  }

  /** Frees what was flushed while a reader was inside, if the reader has left since. */
  public void collect() {
    epochs.collect();
  }

  /** Lets every writer that waits go on, to be refused: the engine is closing or fenced. */
  public void releaseWriters() {
    for (LsmTree tree : trees.get()) {
      tree.gate().release();
    }
    wakeAll();
  }

  /** Memory was given back, or waiting is pointless. */
  public void wakeAll() {
    pages.giveBack();
    freed.lock();
    try {
      freed.signalAll();
    } finally {
      freed.unlock();
    }
  }
}
