package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.List;

/**
 * How deep L0 of a tree is where it is merged: the components of one key that a merge out of L0
 * takes together, in the mean of the last 16 merges. Write memory has at most as many ranges, and
 * each range has merges of its own. Guarded by its owner.
 */
public final class MergedDepth {
  private static final int TIMES = 16;

  private double mean;
  private int times;

  /** A merge begins. */
  public void add(TreeShape shape, MergePlan plan) {
    if (plan.fromLevel() == Level.L0) {
      List<List<Component>> taken = new ArrayList<>();
      for (List<Component> group : shape.l0()) {
        taken.add(group.stream().filter(plan.inputs()::contains).toList());
      }
      times = Math.min(times + 1, TIMES);
      mean += (Depths.greatest(taken) - mean) / times;
    }
  }

  /** The mean; 0 if no merge has begun yet. */
  public double mean() {
    return mean;
  }
}
