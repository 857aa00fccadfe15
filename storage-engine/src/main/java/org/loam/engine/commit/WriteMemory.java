package org.loam.engine.commit;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.mem.Epochs;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.scheme.MemoryScheme;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.TreeServices;
import org.loam.lsm.memory.MemoryLeveling;

/**
 * The write memory that all trees share: how much of it is used, on its way out, and was written
 * lately, and the writers that wait for some of it. A {@link MemoryScheme} says how the trees share
 * it. It decides nothing: {@link FlushTrigger} does. Thread-safe, save for what is under the commit
 * latch.
 */
public final class WriteMemory implements TreeServices.Returns, MemoryScheme.Memory {
  /** Writes are recent while the log grew by so many times the write memory. */
  private static final int RECENT_TIMES = 4;

  private final MemoryArbiter pages;
  private final int pageBytes;
  private final Supplier<List<LsmTree>> trees;
  private final Epochs epochs;
  private final UnaryOperator<String> flushUnits;
  private final Monitor freed;

  /** In the window of recent writes; under the commit latch. */
  private final RecentWrites<LsmTree> recentWrites = new RecentWrites<>(LsmTree::writtenBytes);

  /** For the sake of memory, while the log grew by its maximum; under the commit latch. */
  private final RecentWrites<LsmTree> recentFlushes =
      new RecentWrites<>(tree -> tree.freezes().partlyFlushedBytes());

  /** Memory that is in no tree any more, and still in use. */
  private final AtomicLong retiredBytes = new AtomicLong();

  /** Changes under the commit latch. */
  private volatile MemoryScheme scheme;

  private volatile Runnable onReturned = () -> {};

  /**
   * @param scheme how trees share it
   * @param trees the open trees, in a fixed order
   * @param epochs of those that read memory components
   * @param flushUnits of trees, by their names
   */
  public WriteMemory(
      MemoryArbiter pages,
      MemoryScheme scheme,
      Supplier<List<LsmTree>> trees,
      Epochs epochs,
      UnaryOperator<String> flushUnits,
      StorageEnv env) {
    this.pages = pages;
    this.pageBytes = pages.pageBytes();
    this.scheme = scheme;
    this.trees = trees;
    this.epochs = epochs;
    this.flushUnits = flushUnits;
    this.freed = env.waiter().newMonitor("write memory");
  }

  // ---- How trees share it.

  /** Changes how trees share it. Under the commit latch. */
  void share(MemoryScheme changed) {
    scheme = changed;
  }

  MemoryScheme scheme() {
    return scheme;
  }

  /** Into how many ranges of keys a tree is divided when it is frozen now. */
  RangeSizes sizes() {
    return scheme.sizes(ownBytes());
  }

  /** A bound of what is flushed at once. */
  public long flushBytes() {
    return scheme.flushBytes(ownBytes());
  }

  /** How large runs and levels in memory should be; null if nothing is merged there. */
  public MemoryLeveling.@Nullable Merging merging() {
    return scheme.merging(ownBytes());
  }

  /** What a tree that is written to alone has before it is flushed. */
  public long treeBytes() {
    return treeBytes(ownBytes());
  }

  /** The same if write memory had another size. */
  public long treeBytes(long writeBytes) {
    return scheme.treeBytes(writeBytes);
  }

  // ---- What is in it.

  /** The used part of what write memory has by itself: more than 1 with what is lent to it. */
  public double fill() {
    return (double) pages.used() / pages.own();
  }

  @Override
  public long freeBytes() {
    return (long) pages.free() * pageBytes;
  }

  /** Pages that steps of merges in memory may take, and writers may not. */
  int reservedPages() {
    return (int) (scheme.keptFreeRatio() / 2 * pages.own());
  }

  /** Bytes that writers may take. */
  public long writableBytes() {
    return Math.max(0, freeBytes() - (long) reservedPages() * pageBytes);
  }

  /** Bytes that are in use, with those that are lent. */
  public long usedBytes() {
    return (long) pages.used() * pageBytes;
  }

  @Override
  public long ownBytes() {
    return pages.ownBytes();
  }

  @Override
  public List<LsmTree> trees() {
    return trees.get();
  }

  @Override
  public String flushUnit(LsmTree tree) {
    return flushUnits.apply(tree.name());
  }

  /** Looks what was written and flushed of each tree; to be called often while the log grows. */
  void markRecent(long endLsn, long maxLogBytes) {
    recentWrites.mark(endLsn, windowBytes(maxLogBytes), trees.get());
    recentFlushes.mark(endLsn, maxLogBytes, trees.get());
  }

  /**
   * Growth of the log in which writes are recent. Trees that are written to now should have the
   * memory soon, however long the log may be; a few times write memory are enough to tell them.
   */
  long windowBytes(long maxLogBytes) {
    return Math.min(maxLogBytes, RECENT_TIMES * ownBytes());
  }

  @Override
  public long recentBytes(LsmTree tree) {
    return recentWrites.of(tree);
  }

  @Override
  public long recentlyFlushedBytes(LsmTree tree) {
    return recentFlushes.of(tree);
  }

  /** Memory that comes back without a further decision. Under the commit latch. */
  long leavingBytes() {
    return leaving(LsmTree::frozenBytes);
  }

  /**
   * The same without what running flushes have written already, which a next flush need not wait
   * for, and without that of trees whose last flush failed. Under the commit latch.
   */
  long stillLeavingBytes() {
    return leaving(LsmTree::unflushedBytes);
  }

  private long leaving(ToLongFunction<LsmTree> frozenOf) {
    long frozen = 0;
    for (LsmTree tree : trees.get()) {
      frozen += frozenOf.applyAsLong(tree);
    }
    // In this order: a component is retired before it leaves its tree, so that it counts once or
    // twice, and never not at all.
    return frozen + retiredBytes.get();
  }

  @Override
  public void leaves(long bytes) {
    retiredBytes.addAndGet(bytes);
  }

  @Override
  public void returned(long bytes) {
    retiredBytes.addAndGet(-bytes);
    wakeAll();
    onReturned.run();
  }

  /** Sets what runs when memory came back; perhaps under the commit latch or an install lock. */
  public void onReturned(Runnable told) {
    onReturned = told;
  }

  // ---- Waiting for some of it.

  /** Waits for {@link #wakeAll}, even if a page could be had: a caller needs more than one. */
  public void awaitFreed(long nanos) {
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

  /** Memory was given back, or waiting is pointless. */
  public void wakeAll() {
    pages.settle();
    freed.lock();
    try {
      freed.signalAll();
    } finally {
      freed.unlock();
    }
  }
}
