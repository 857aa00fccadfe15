package org.loam.lsm;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;
import org.loam.lsm.TreeVersion.Frozen;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.merge.TableLoad;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.run.BackgroundOperation;
import org.loam.scheduler.run.ComponentConstraint;
import org.loam.scheduler.run.MergeTree;
import org.loam.scheduler.run.WriteGate;

/**
 * An LSM B+-tree: one active memory component, frozen ones on their way to disk, L0 groups and
 * levels (MemoryWalls §4.1, Stability §2.1).
 *
 * <p>Writes come with an LSN, from Loam's own log or a host's, one at a time and in LSN order,
 * under the commit latch of whoever owns the log. Reads are lock-free. Flushes and merges are
 * operations that the scheduler drives.
 *
 * <p>The install lock is held across the manifest edit, so no method called under the commit latch
 * takes it.
 */
public final class LsmTree implements MergeTree {
  private final TreeState state;
  private final ComponentChanges changes;
  private final long durableLsn;

  /**
   * Opens a tree on its components.
   *
   * @param durableLsn every write of the tree up to it is in the tables; -1 if there was none
   * @param places the tables that the manifest names, opened
   */
  public LsmTree(
      int treeId,
      String name,
      TreeServices services,
      TreeBehaviour behaviour,
      long durableLsn,
      Collection<Place> places) {
    this.durableLsn = durableLsn;
    this.state = new TreeState(treeId, name, services, behaviour, DiskVersion.of(places));
    this.changes = new ComponentChanges(state);
    changes.updateGate();
  }

  public int treeId() {
    return state.treeId();
  }

  public String name() {
    return state.name();
  }

  /** Number of the data directory where its tables are. */
  public int directory() {
    return services().store().number();
  }

  /** Where the file of a table of it is. */
  public Path tablePath(int fileId) {
    return services().store().path(fileId);
  }

  /** Holds writers back while the tree has too many components. */
  public WriteGate gate() {
    return state.gate();
  }

  TreeServices services() {
    return state.services();
  }

  TreeVersion version() {
    return state.version();
  }

  /** Where writes go now; changes only under the commit latch. */
  public MemoryComponent active() {
    return version().active;
  }

  /**
   * Freezes the active component, so that it can be flushed. Under the commit latch. Memory of
   * records that were prepared in it and not inserted goes with it, flush or not.
   *
   * @param endLsn end of the log now
   * @return false if nothing was written to it
   */
  public boolean freeze(long endLsn, FlushCause cause) {
    MemoryComponent active = active();
    if (active.maxLsn() < 0 && active.usedBytes() == 0) {
      return false;
    }
    MemoryComponent next = state.newComponent();
    // A drop takes the version without the latch, and retires what it takes: so this must decide
    // by the version that it replaces.
    TreeVersion before =
        state.replaceVersion(
            v -> v.active.maxLsn() >= 0 ? v.freeze(next, endLsn, cause) : v.withActive(next));
    boolean written = before.active.maxLsn() >= 0;
    if (!written) {
      services().memory().retire(before.active);
    }
    return written;
  }

  /**
   * Takes the newest version of a key away, for the rollback of a host's transaction; the version
   * below shows again. Versions are taken back in the opposite order of their writing, before the
   * transaction counts as ended for the {@link CommitGate}. Under the commit latch, inside a memory
   * epoch.
   *
   * @return false if the newest version in memory has another LSN, or there is none: the write was
   *     undone before, or never came here
   */
  public boolean undo(long key, int keyLength, long lsn) {
    TreeVersion now = version();
    if (now.active.find(key, keyLength, Long.MAX_VALUE) > 0) {
      return now.active.undo(key, keyLength, lsn);
    }
    for (Frozen frozen : now.frozen) {
      MemoryComponent component = frozen.component();
      if (component.find(key, keyLength, Long.MAX_VALUE) > 0) {
        if (services().gate().mayFlush(frozen.endLsn())) {
          throw new AssertionError("undo of LSN " + lsn + ", which may have been flushed");
        }
        return component.undo(key, keyLength, lsn);
      }
    }
    return false;
  }

  /** Whether a frozen component holds writes below an LSN. */
  public boolean hasFrozenBelow(long endLsn) {
    return version().hasFrozenBelow(endLsn);
  }

  /**
   * The greatest LSN such that every write of the tree up to it is on disk, or was undone: what a
   * host's log may be told. Under the commit latch.
   *
   * @param endLsn end of the log now
   */
  public long durableThroughLsn(long endLsn) {
    return Math.min(endLsn, minUnflushedLsn(null)) - 1;
  }

  /** Whether a frozen component waits to be flushed, or is being flushed. */
  public boolean hasFrozen() {
    return version().frozen.length > 0;
  }

  /**
   * The smallest LSN that is in memory only, {@code Long.MAX_VALUE} if all is on disk. Under the
   * commit latch.
   *
   * @param without a component that does not count, or null
   */
  public long minUnflushedLsn(@Nullable MemoryComponent without) {
    return version().minUnflushedLsn(without);
  }

  /** Memory of the active and the frozen components. */
  public long memoryBytes() {
    return version().memoryBytes();
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
    return durableLsn;
  }

  /**
   * The largest LSN flushed since the tree was opened, -1 if there was none. To be read after
   * {@link #newestLsnInMemory}, since writes go from there to here.
   */
  public long flushedLsn() {
    return changes.flushedLsn();
  }

  /** The disk part now; to be read inside the file epoch only. */
  public DiskVersion disk() {
    return version().disk;
  }

  // ---- Flushes and merges.

  /**
   * Starts the flush of the oldest frozen component, if every write in it is published and no other
   * flush of this tree is on its way.
   */
  public @Nullable BackgroundOperation openFlush() {
    return changes.openFlush();
  }

  /**
   * The shape now. Of an L0 with more groups than a merge can read at once, as a recovery may leave
   * it, only the oldest, which can be merged without the others.
   */
  @Override
  public TreeShape shape() {
    return changes.shape();
  }

  @Override
  public MergePolicy mergePolicy() {
    return changes.isCompacting() ? FullMerge.POLICY : state.behaviour().mergePolicy();
  }

  @Override
  public ComponentConstraint constraint() {
    return state.behaviour().constraint();
  }

  /** Changes how the tree behaves, at once for writers that wait; the workers are to be woken. */
  public void change(TreeBehaviour changed) {
    state.setBehaviour(changed);
    changes.updateGate();
  }

  @Override
  public @Nullable BackgroundOperation open(MergePlan plan) {
    return changes.open(plan);
  }

  /** Asks for a merge of everything on disk now into the last level; the merge workers do it. */
  public void requestCompaction() {
    changes.requestCompaction();
  }

  /** Whether a compaction that was asked for is not done yet. */
  public boolean isCompacting() {
    return changes.isCompacting();
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

  /**
   * Opens the output of a load.
   *
   * @param lsn of all entries: no write to the tree is above it
   * @return null if there are as many loads as there are buffers for
   */
  public @Nullable TableLoad openLoad(long lsn) {
    return services().rewriter().load(services().store(), lsn);
  }

  /**
   * Makes tables the content of the tree, which is being loaded, and ends the load; they belong to
   * it from then on.
   *
   * @param lsn of their entries
   * @return false if the tree was dropped meanwhile; nothing has changed then
   */
  public boolean installLoad(List<LiveTable> tables, long lsn, LoadInstaller installer) {
    return changes.installLoad(tables, lsn, installer);
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

  /**
   * Drops the tree, which is marked: from the edit on, no operation installs anything any more;
   * tables and memory go as soon as nobody looks at them.
   *
   * @param edit makes the manifest forget the tree; if it fails, nothing has changed
   */
  public void discard(Runnable edit) {
    changes.discard(edit);
  }

  /** Closes tables and frees memory; nobody may be inside, and no operation open. */
  public void close() {
    TreeVersion last = version();
    last.disk.tables().forEach(services().store()::closeQuietly);
    last.active.release();
    for (Frozen frozen : last.frozen) {
      frozen.component().release();
    }
  }

  @Override
  public String toString() {
    return "tree '" + name() + "'";
  }
}
