package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.SortedRun;
import org.loam.scheduler.merge.FlushedPerScan;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergedDepth;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.BackgroundOperation;

/**
 * What a merge policy sees of a tree: its components, the merges that are running, and where the
 * last one of each level ended. Under the tree's install lock.
 */
final class TreeShapes {
  private final TreeState tree;
  private final List<Running> running = new ArrayList<>();
  private final TreeMap<Integer, byte[]> levelCursors = new TreeMap<>();
  private final MergedDepth mergedDepth = new MergedDepth();
  private final FlushedPerScan flushedPerScan = new FlushedPerScan();

  TreeShapes(TreeState tree) {
    this.tree = tree;
  }

  /**
   * All of the shape.
   *
   * @param memoryComponentBytes see {@link TreeBehaviour}
   */
  TreeShape now(long memoryComponentBytes) {
    DiskVersion disk = tree.version().disk;
    List<Level> levels = new ArrayList<>();
    for (int i = 0; i < disk.runCount(); i++) {
      SortedRun run = disk.run(i);
      if (run.level() != Level.L0) {
        byte[] cursor = levelCursors.getOrDefault(run.level(), new byte[0]);
        levels.add(new Level(run.level(), run.components(), cursor));
      }
    }
    return new TreeShape(
        tree.treeId(),
        disk.groups(),
        new TreeShape.AllL0(disk.l0Depth(), TreeShape.bytes(disk.groups())),
        levels,
        running.stream().map(Running::plan).toList(),
        memoryComponentBytes,
        new TreeShape.Lately(mergedDepth.mean(), flushedPerScan.bytes(tree.scans())),
        false);
  }

  /**
   * Of a shape with more groups in L0 than a merge can read at once, as a recovery may leave it,
   * only the oldest, which can be merged without the others.
   */
  static TreeShape mergeable(TreeShape shape, int maxInputRuns) {
    int groups = shape.l0().size();
    int mergeable = Math.max(1, maxInputRuns - shape.levels().size());
    return groups <= mergeable
        ? shape
        : shape.withL0(shape.l0().subList(groups - mergeable, groups));
  }

  /**
   * Tables of a flush are in their place.
   *
   * @param memoryComponentBytes see {@link TreeBehaviour}
   */
  void flushed(long bytes, long memoryComponentBytes) {
    flushedPerScan.flushed(bytes, memoryComponentBytes, tree.scans());
  }

  /** A merge begins. */
  void begin(TreeShape shape, MergePlan plan, BackgroundOperation merge) {
    mergedDepth.add(shape, plan);
    running.add(new Running(plan, merge, shape.l0BytesOf(plan)));
  }

  /** Of the bytes of L0, those that merges on their way have read. */
  long leavingL0Bytes() {
    return running.stream().mapToLong(Running::readL0Bytes).sum();
  }

  /** A merge has ended without a result. */
  void abort(MergePlan plan) {
    remove(plan);
  }

  /** The result of a merge is in its place. */
  void end(MergePlan plan) {
    remove(plan);
    levelCursors.put(plan.fromLevel(), plan.cursor());
  }

  private void remove(MergePlan plan) {
    running.removeIf(merge -> merge.plan.equals(plan));
  }

  /** A merge on its way, which reads all levels that it merges evenly. */
  private record Running(MergePlan plan, BackgroundOperation merge, long l0Bytes) {
    long readL0Bytes() {
      double left = (double) merge.remainingInputBytes() / plan.inputBytes();
      return (long) (l0Bytes * (1 - Math.min(1, left)));
    }
  }
}
