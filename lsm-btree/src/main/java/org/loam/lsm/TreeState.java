package org.loam.lsm;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToLongFunction;
import java.util.function.UnaryOperator;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.work.WriteGate;

/**
 * What a tree is at the moment: its version, and whether it takes writes. {@link LsmTree} is its
 * side for writers and readers, {@link ComponentChanges} changes its components. Thread-safe.
 */
public final class TreeState {
  /**
   * What was done to a tree since it was opened.
   *
   * @param writtenEntries puts and deletions
   * @param writtenBytes their keys and values
   * @param flushedForMemoryBytes tables of flushes that more write memory would have put off
   * @param flushedForLogBytes tables of the others: for the log, or because that was asked for
   * @param mergedBytes tables that merges wrote
   */
  public record Work(
      long writtenEntries,
      long writtenBytes,
      long flushedForMemoryBytes,
      long flushedForLogBytes,
      long mergedBytes) {
    /** Nothing. */
    public static final Work NONE = new Work(0, 0, 0, 0, 0);
  }

  /**
   * What merges want the tree to be, as of when a flush or a merge ended last.
   *
   * @param targetBytes how large levels should be, by their ids; 0 for one that has no target
   * @param l0Due depth of L0 at which it is merged
   * @param mergedDepth depth of L0 at which it was merged lately, see {@link
   *     org.loam.scheduler.merge.MergedDepth}
   */
  public record Aims(IntToLongFunction targetBytes, int l0Due, double mergedDepth) {}

  /** Of the smallest table: a leaf, a page of the filter, and the footer. */
  private static final int LEAST_PAGES = 3;

  private final int treeId;
  private final String name;
  private final String dataset;
  private final TreeServices services;
  private final WriteGate gate;
  private final long durableLsn;
  private final AtomicReference<TreeVersion> version;
  private final AtomicLong flushedLsn = new AtomicLong(-1);

  /** Guarded by the commit latch. */
  private long writtenEntries;

  /** Guarded by the commit latch. */
  private long writtenBytes;

  private final MemoryShare memoryShare;
  private final LongAdder flushedForMemoryBytes = new LongAdder();
  private final LongAdder flushedForLogBytes = new LongAdder();
  private final LongAdder mergedBytes = new LongAdder();
  private final AtomicLong flushingBytes = new AtomicLong();

  /** Whether the last flush failed. */
  private volatile boolean flushFailed;

  private final LongAdder mergedInMemoryBytes = new LongAdder();
  private final LongAdder scans = new LongAdder();
  private volatile boolean mergingMemory;
  private volatile boolean dropped;
  private volatile boolean loading;
  private volatile Aims aims = new Aims(level -> 0, Integer.MAX_VALUE, 0);

  /**
   * A tree on its components.
   *
   * @param dataset that it belongs to; its own name if it belongs to none
   * @param durableLsn every write of the tree up to it is in the tables; -1 if there was none
   * @param places the tables that the manifest names, opened
   */
  public TreeState(
      int treeId,
      String name,
      String dataset,
      TreeServices services,
      long durableLsn,
      Collection<Place> places) {
    this.treeId = treeId;
    this.name = name;
    this.dataset = dataset;
    this.services = services;
    this.durableLsn = durableLsn;
    this.gate = new WriteGate(treeId, services.env(), services.stalls());
    this.memoryShare = new MemoryShare((long) LEAST_PAGES * services.memory().pageBytes());
    this.version = new AtomicReference<>(TreeVersion.of(newComponent(), DiskVersion.of(places)));
  }

  /** An entry was written. Under the commit latch. */
  void noteWritten(long bytes) {
    writtenEntries++;
    writtenBytes += bytes;
  }

  /** Tables of a flush are in their place. */
  void noteFlushed(FlushCause cause, List<LiveTable> tables) {
    (cause.isForMemory() ? flushedForMemoryBytes : flushedForLogBytes).add(bytes(tables));
  }

  /** Running flushes have written so much more of the frozen components. */
  void noteFlushing(long bytes) {
    flushingBytes.addAndGet(bytes);
  }

  /** A flush has ended; one that failed is tried again. */
  void noteFlushEnded(boolean hasFailed) {
    flushFailed = hasFailed;
  }

  /**
   * Of the frozen components, what no flush has written yet; rather too much than too little.
   * Nothing after a flush that failed, until one succeeds: other memory may leave sooner.
   */
  long unflushedBytes() {
    if (flushFailed) {
      return 0;
    }
    long frozenBytes = version().frozenBytes();
    return Math.max(0, frozenBytes - flushingBytes.get());
  }

  /** Tables that a merge wrote are in their place. */
  void noteMerged(List<LiveTable> tables) {
    mergedBytes.add(bytes(tables));
  }

  /** A step of a merge in memory made runs. */
  void noteMergedInMemory(long bytes) {
    mergedInMemoryBytes.add(bytes);
  }

  /** See {@link LsmTree#isMergingMemory}. By the thread that merges in memory. */
  void setMergingMemory(boolean isMerging) {
    mergingMemory = isMerging;
  }

  boolean isMergingMemory() {
    return mergingMemory;
  }

  long mergedInMemoryBytes() {
    return mergedInMemoryBytes.sum();
  }

  /** A scan looks into every component for its next batch. */
  void noteScan() {
    scans.increment();
  }

  /** Batches that scans have looked for. */
  long scans() {
    return scans.sum();
  }

  static long bytes(List<LiveTable> tables) {
    return tables.stream().mapToLong(table -> table.component().bytes()).sum();
  }

  /** Under the commit latch. */
  Work work() {
    return new Work(
        writtenEntries,
        writtenBytes,
        flushedForMemoryBytes.sum(),
        flushedForLogBytes.sum(),
        mergedBytes.sum());
  }

  /** Keys and values of all entries written. Under the commit latch. */
  long writtenBytes() {
    return writtenBytes;
  }

  /** The part of write memory that it has when some of it is frozen. */
  MemoryShare memoryShare() {
    return memoryShare;
  }

  int treeId() {
    return treeId;
  }

  String name() {
    return name;
  }

  String dataset() {
    return dataset;
  }

  TreeServices services() {
    return services;
  }

  WriteGate gate() {
    return gate;
  }

  Aims aims() {
    return aims;
  }

  void setAims(Aims changed) {
    aims = changed;
  }

  /** Every write up to it was in tables when the tree was opened; -1 if there was none. */
  long durableLsn() {
    return durableLsn;
  }

  // ---- The version.

  TreeVersion version() {
    TreeVersion now = version.get();
    if (now == null) {
      throw new AssertionError("a tree has a version");
    }
    return now;
  }

  void changeVersion(UnaryOperator<TreeVersion> change) {
    version.updateAndGet(change);
  }

  /** Replaces a version if the tree still has it. */
  boolean replaceVersion(TreeVersion before, TreeVersion after) {
    return version.compareAndSet(before, after);
  }

  /** Replaces the version for good; returns the last one. */
  TreeVersion takeVersion(TreeVersion empty) {
    return version.getAndSet(empty);
  }

  /** The largest LSN flushed or loaded since the tree was opened, -1 if there was none. */
  long flushedLsn() {
    return flushedLsn.get();
  }

  /**
   * The LSN up to which every write of the tree is in tables once some components are. A component
   * of another range of keys may hold older writes than they do: those are to be replayed, and what
   * is in tables with them, since all that came after it is replayed as well. Under the commit
   * latch.
   *
   * @param maxLsn of the components
   */
  long durableLsnWithout(Collection<MemoryComponent> components, long maxLsn) {
    long flushed = Math.max(maxLsn, flushedLsn());
    return Math.min(version().minUnflushedLsn(components) - 1, flushed);
  }

  /** Everything up to an LSN is, or is about to be, in the disk part of the version. */
  void noteFlushed(long lsn) {
    flushedLsn.accumulateAndGet(lsn, Math::max);
  }

  MemoryComponent newComponent() {
    TreeServices.Memory memory = services.memory();
    return new MemoryComponent(
        memory.writeMemory(), memory.pageBytes(), services.memoryEpochs(), services.env().waiter());
  }

  // ---- Whether it takes writes. Changes only under the commit latch.

  boolean isDropped() {
    return dropped;
  }

  void setDropped(boolean isDropped) {
    dropped = isDropped;
  }

  boolean isLoading() {
    return loading;
  }

  void setLoading(boolean isLoading) {
    loading = isLoading;
  }
}
