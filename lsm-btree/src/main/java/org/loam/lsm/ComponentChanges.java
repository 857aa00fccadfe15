package org.loam.lsm;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.merge.Rewriter;
import org.loam.lsm.merge.TableLoad;
import org.loam.lsm.merge.TableStore;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.ComponentConstraint;
import org.loam.scheduler.work.MergeTree;

/**
 * What changes the components of a tree: its flushes, merges and loads, which the scheduler or a
 * caller drives, and its end. {@link LsmTree} of the same {@link TreeState} is the side for writers
 * and readers. Thread-safe.
 *
 * <p>No method is called under the commit latch: see {@link InstallOrder}.
 */
public final class ComponentChanges implements MergeTree {
  private final TreeState tree;
  private final TableStore store;
  private final Rewriter rewriter;
  private final InstallOrder order;
  private final Flushes flushes;
  private final Merges merges;
  private final MemoryMerges memoryMerges;
  private final PipelineMerges pipelineMerges;

  /**
   * What changes a tree; one for each tree.
   *
   * @param store the files of its tables
   * @param behaviour until {@link #change}
   * @param rewriter writes the new tables
   * @param installer makes a change durable
   * @param observer learns of flushes and merges
   */
  public ComponentChanges(
      TreeState tree,
      TableStore store,
      TreeBehaviour behaviour,
      Rewriter rewriter,
      ComponentInstaller installer,
      WorkObserver observer) {
    this.tree = tree;
    this.store = store;
    this.rewriter = rewriter;
    this.order = new InstallOrder(tree, store, behaviour);
    this.flushes = new Flushes(tree, store, order, rewriter, installer, observer);
    this.merges = new Merges(tree, store, order, rewriter, installer, observer);
    this.memoryMerges = new MemoryMerges(tree);
    this.pipelineMerges = new PipelineMerges(tree);
    change(behaviour);
  }

  public int treeId() {
    return tree.treeId();
  }

  /** Changes how the tree behaves, at once for writers that wait; the workers are to be woken. */
  public void change(TreeBehaviour changed) {
    order.lock.lock();
    try {
      order.change(changed);
    } finally {
      order.lock.unlock();
    }
  }

  /** Write memory has another size: so has a full L1, by which writers may have been stopped. */
  public void memoryMoved() {
    order.lock.lock();
    try {
      order.updateGate();
    } finally {
      order.lock.unlock();
    }
  }

  // ---- Flushes and merges.

  /**
   * Joins a group with the oldest frozen component, if every write in it is published, no other
   * flush of this tree is on its way, and the group admits it.
   *
   * @return whether it did; its flush is on its way then
   */
  public boolean joinFlush(FlushGroup group) {
    return flushes.join(group);
  }

  /**
   * The shape now. Of an L0 with more groups than a merge can read at once, as a recovery may leave
   * it, only the oldest, which can be merged without the others.
   */
  @Override
  public TreeShape shape() {
    return merges.shape();
  }

  @Override
  public MergePolicy mergePolicy() {
    return merges.policy();
  }

  @Override
  public ComponentConstraint constraint() {
    return order.behaviour().constraint();
  }

  @Override
  public @Nullable BackgroundOperation open(MergePlan plan) {
    return merges.open(plan);
  }

  /**
   * Asks for merges of everything on disk now into the last level, without what no reader needs.
   * The merge workers do them, a part of the tree at a time, until everything is there or each
   * request was {@linkplain #endCompactionRequest ended}. Other merges go on beside a part.
   */
  public void requestCompaction() {
    merges.requestCompaction();
  }

  /** Nothing waits for a request any more: without another one, merges are as before. */
  public void endCompactionRequest() {
    merges.endCompactionRequest();
  }

  /** Whether a compaction that was asked for is not done yet. */
  public boolean isCompacting() {
    return merges.isCompacting();
  }

  /**
   * Does a step of a merge in memory, if one is due and there is memory for it. One thread at a
   * time; other changes go on beside it.
   *
   * @param merging how runs are merged now; null if they are not
   * @return whether another one may be due
   * @throws org.loam.common.error.FencedException if the log cannot be made durable any more
   */
  public boolean mergeMemory(Supplier<MemoryLeveling.@Nullable Merging> merging) {
    // First: a change of how they are merged freezes all of them. Runs that came after it may leave
    // memory one by one, and must not be merged as a pipeline.
    MemoryLevels runs = tree.version().levels;
    MemoryLeveling.Merging now = merging.get();
    boolean goesOn = false;
    try {
      if (now instanceof MemoryLeveling.Pipeline pipeline) {
        goesOn = pipelineMerges.step(runs.all(), pipeline);
      } else if (now != null) {
        goesOn = memoryMerges.step((MemoryLeveling.Sizes) now);
      }
      return goesOn;
    } finally {
      // Last: a writer that waits for a merge goes on once nothing goes on with it.
      tree.setMergingMemory(goesOn);
    }
  }

  /** No step comes before the next {@link #mergeMemory}; by the thread of that one. */
  public void restMemoryMerges() {
    tree.setMergingMemory(false);
  }

  // ---- Loads.

  /**
   * Opens the output of a load, which {@link LsmTree#beginLoad} has begun.
   *
   * @param lsn of all entries: no write to the tree is above it
   * @return null if there are as many loads as there are buffers for
   */
  public @Nullable TableLoad openLoad(long lsn) {
    return rewriter.load(store, lsn);
  }

  /**
   * Makes tables the content of the tree, which is being loaded, and ends the load; they belong to
   * it from then on.
   *
   * @param lsn of their entries
   * @return false if the tree was dropped meanwhile; nothing has changed then
   */
  public boolean installLoad(List<LiveTable> tables, long lsn, LoadInstaller installer) {
    order.lock.lock();
    try {
      if (order.isDiscarded()) {
        return false;
      }
      AddedTables added = new AddedTables();
      tables.forEach(table -> added.add(Level.LAST, 0, table));
      DiskVersion loaded = DiskVersion.of(added.places());
      installer.install(
          new ReplaceComponents(tree.treeId(), List.of(), added.records(), lsn),
          fromLsn -> {
            // Before the version, as after a flush.
            tree.noteFlushed(fromLsn);
            tree.changeVersion(v -> v.loaded(loaded, fromLsn));
            tree.setLoading(false);
          });
      order.updateGate();
      return true;
    } finally {
      order.lock.unlock();
    }
  }

  // ---- End.

  /**
   * Drops the tree, which is marked: from the edit on, no operation installs anything any more;
   * memory goes as soon as nothing looks at it, and files do, too, after {@link #deleteUnused}.
   *
   * @param edit makes the manifest forget the tree; if it fails, nothing has changed
   */
  public void discard(Runnable edit) {
    order.lock.lock();
    try {
      order.discard(edit);
    } finally {
      order.lock.unlock();
    }
  }

  /** Deletes the files that have come out of use, not under the install lock of any tree. */
  public void deleteUnused() {
    order.deleteUnused();
  }

  /** Closes tables and frees memory. No reader may be inside, and no operation open. */
  public void close() {
    order.close();
  }
}
