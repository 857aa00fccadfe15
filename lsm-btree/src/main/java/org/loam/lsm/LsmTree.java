package org.loam.lsm;

import java.util.Collection;
import java.util.List;
import org.loam.common.error.ClosedException;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.work.WriteGate;

/**
 * An LSM B+-tree as writers and readers know it: an active memory component for each range of keys,
 * frozen ones on their way to disk, L0 groups and levels (MemoryWalls §4.1, Stability §2.1). Its
 * {@link Freezes} end the writes to a component, {@link ComponentChanges} of the same {@link
 * TreeState} flushes and merges it.
 *
 * <p>Writes come with an LSN, from Loam's own log or a host's, one at a time and in LSN order,
 * under the commit latch of the log's owner. Reads are lock-free.
 *
 * <p>Nothing here takes the install lock, which is held across the manifest edit: what is called
 * under the commit latch must not wait for that.
 */
public final class LsmTree {
  /**
   * What the components in memory are together, all of one version of the tree.
   *
   * @param bytes all their memory
   * @param liveBytes of it, what is neither superseded nor wasted
   * @param supersededBytes of it, versions that a later one has superseded; with the live bytes at
   *     most all
   * @param frozenBytes of it, what is on its way to disk
   * @param keys of several components with one key each counts
   */
  public record MemoryUse(
      long bytes, long liveBytes, long supersededBytes, long frozenBytes, long keys) {}

  private final TreeState state;
  private final Freezes freezes;

  /** The side of a tree for those that write and read it. */
  public LsmTree(TreeState state) {
    this.state = state;
    this.freezes = new Freezes(state);
  }

  public int treeId() {
    return state.treeId();
  }

  public String name() {
    return state.name();
  }

  /** Name of the dataset that it belongs to; its own name if it belongs to none. */
  public String dataset() {
    return state.dataset();
  }

  /** Number of the data directory where its tables are. */
  public int directory() {
    return services().directory();
  }

  /** An entry was written, of a key and a value with so many bytes. Under the commit latch. */
  public void noteWritten(long bytes) {
    state.noteWritten(bytes);
  }

  /** What was done to it. Under the commit latch. */
  public TreeState.Work work() {
    return state.work();
  }

  /** A scan looks into every component for its next batch. */
  void noteScan() {
    state.noteScan();
  }

  /** Memory that merges in memory have filled since the tree was opened. */
  public long mergedInMemoryBytes() {
    return state.mergedInMemoryBytes();
  }

  /** Keys and values written since the tree was opened. Under the commit latch. */
  public long writtenBytes() {
    return state.writtenBytes();
  }

  /** Holds writers back while the tree has too many components. */
  public WriteGate gate() {
    return state.gate();
  }

  /** What ends the writes to its memory components. */
  public Freezes freezes() {
    return freezes;
  }

  TreeServices services() {
    return state.services();
  }

  TreeVersion version() {
    return state.version();
  }

  /** Where writes of a key go now; changes only under the commit latch. */
  public MemoryComponent active(byte[] key) {
    return version().memory.of(key).active();
  }

  /** Where writes of a key go now; changes only under the commit latch. */
  public MemoryComponent active(long key, int keyLength) {
    return version().memory.of(key, keyLength).active();
  }

  /** Where writes go now, in the order of keys: one component for each range of keys. */
  public List<MemoryComponent> actives() {
    return version().memory.actives();
  }

  /** The active components, and after them the runs that stay in memory, newest first. */
  public List<MemoryComponent> parts() {
    return version().parts();
  }

  /** The runs that stay in memory, newest first. A merge in memory may change them any time. */
  public List<MemoryRun> runs() {
    return version().levels.all();
  }

  /** Runs that were active and are in no memory level yet. */
  public int waitingRuns() {
    return version().levels.shape().waiting().size();
  }

  /**
   * Whether merges in memory go on: a step of one is on its way, or the last one was done and the
   * next one comes. They do not if the last one found no memory or failed, if none is due, or if
   * nothing merges any more. May be asked by any thread.
   */
  public boolean isMergingMemory() {
    return state.isMergingMemory() && !state.isDropped();
  }

  /** Whether a frozen component holds writes below an LSN. */
  public boolean hasFrozenBelow(long endLsn) {
    return version().hasFrozenBelow(endLsn);
  }

  /** Whether a frozen component waits to be flushed, or is being flushed. */
  public boolean hasFrozen() {
    return version().frozen.length > 0;
  }

  /** Memory of the frozen components, which comes back once they are flushed. */
  public long frozenBytes() {
    return version().frozenBytes();
  }

  /**
   * Of the frozen components, what running flushes have still to write, and later ones. Nothing
   * after a flush that failed, until one succeeds.
   */
  public long unflushedBytes() {
    return state.unflushedBytes();
  }

  /**
   * The smallest LSN that is in memory only, {@code Long.MAX_VALUE} if all is on disk. Under the
   * commit latch.
   *
   * @param without components that do not count
   */
  public long minUnflushedLsn(Collection<MemoryComponent> without) {
    return version().minUnflushedLsn(without);
  }

  /** What merges want it to be, as of the last change of the components. */
  public TreeState.Aims aims() {
    return state.aims();
  }

  /** Memory of the active components, and of runs that stay in memory. */
  public long activeBytes() {
    return version().stayingBytes();
  }

  /** All memory of the tree. */
  public long memoryBytes() {
    return version().memoryBytes();
  }

  /** What the memory of the tree holds now. Needs no memory epoch: it reads counts alone. */
  public MemoryUse memoryUse() {
    TreeVersion counted;
    MemoryUse use;
    do {
      counted = version();
      // In this order, and once: a write may take more memory meanwhile, or what is superseded.
      long superseded = counted.sum(MemoryComponent::supersededBytes);
      long live = Math.max(0, counted.sum(MemoryComponent::filledBytes) - superseded);
      long keys = counted.sum(MemoryComponent::keyCount);
      use = new MemoryUse(counted.memoryBytes(), live, superseded, counted.frozenBytes(), keys);
      // A component gives memory back, or its records to another one, after a version without it.
    } while (version() != counted);
    return use;
  }

  /**
   * LSN of the newest version of a key that is in memory, published or not; -1 if there is none.
   * Inside a memory epoch.
   */
  public long newestLsnInMemory(long key, int keyLength) {
    return version().newestLsn(key, keyLength);
  }

  /** Every write up to it was in components when the tree was opened; -1 if there was none. */
  public long durableLsn() {
    return state.durableLsn();
  }

  /**
   * The largest LSN flushed since the tree was opened, -1 if there was none. To be read after
   * {@link #newestLsnInMemory}, since writes go from there to here.
   */
  public long flushedLsn() {
    return state.flushedLsn();
  }

  /** The disk part now; to be read inside the file epoch only. */
  public DiskVersion disk() {
    return version().disk;
  }

  // ---- Load.

  /**
   * Begins a load: the tree takes no writes until {@link #endLoad}. Under the commit latch.
   *
   * @return false if there is an entry, in memory or on disk; nothing has begun then
   */
  public boolean beginLoad() {
    boolean isEmpty = version().isEmpty();
    state.setLoading(isEmpty);
    return isEmpty;
  }

  /** Whether the tree is being loaded; changes only under the commit latch. */
  public boolean isLoading() {
    return state.isLoading();
  }

  /** The tree takes writes again. Under the commit latch. */
  public void endLoad() {
    state.setLoading(false);
  }

  // ---- End.

  /** Whether the tree was dropped. */
  public boolean isDropped() {
    return state.isDropped();
  }

  /**
   * Lets pass what reads.
   *
   * @throws ClosedException if the tree was dropped
   */
  public void requireNotDropped() {
    if (state.isDropped()) {
      throw new ClosedException(this + " was dropped");
    }
  }

  /**
   * Lets pass what writes.
   *
   * @throws ClosedException if the tree was dropped
   * @throws IllegalStateException if it is being loaded
   */
  public void requireWritable() {
    requireNotDropped();
    if (state.isLoading()) {
      throw new IllegalStateException(
          this + " is being loaded: it takes no writes until its BulkLoad is committed or closed");
    }
  }

  /** Takes no more writes, while and after it is dropped. Under the commit latch. */
  public void markDropped() {
    state.setDropped(true);
  }

  /** The tree could not be dropped and is as before. Under the commit latch. */
  public void unmarkDropped() {
    state.setDropped(false);
  }

  @Override
  public String toString() {
    return "tree '" + name() + "'";
  }
}
