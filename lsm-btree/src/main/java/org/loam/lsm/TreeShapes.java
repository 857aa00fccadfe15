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

/**
 * What a merge policy sees of a tree: its components, the merges that are running, and where the
 * last one of each level ended. Under the tree's install lock.
 */
final class TreeShapes {
  private final TreeState tree;
  private final List<MergePlan> running = new ArrayList<>();
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
        new TreeShape.AllL0(disk.l0Depth(), disk.l0Bytes()),
        levels,
        List.copyOf(running),
        memoryComponentBytes,
        new TreeShape.Lately(mergedDepth.mean(), flushedPerScan.bytes(tree.scans())),
        TreeShape.Conditions.NONE);
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
  void begin(TreeShape shape, MergePlan plan) {
    mergedDepth.add(shape, plan);
    running.add(plan);
  }

  /** A merge has ended without a result. */
  void abort(MergePlan plan) {
    running.remove(plan);
  }

  /** The result of a merge is in its place. */
  void end(MergePlan plan) {
    running.remove(plan);
    levelCursors.put(plan.fromLevel(), plan.cursor());
  }
}
