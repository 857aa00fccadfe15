package org.loam.engine.tuning;

import org.loam.scheduler.merge.LevelTargets;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.tuner.cost.LevelRule;
import org.loam.tuner.cost.TreeSample;

/** Which levels the merge policy gives a tree, for the cost model of the tuner. */
public final class TunerLevels {
  private TunerLevels() {}

  /** See {@link LevelRule#sizes}. */
  public static LevelRule.Sizes sizes(TreeSample.Levels levels, double memoryBytes) {
    LevelTargets.Rule rule =
        new LevelTargets.Rule(
            levels.mostRatio(),
            levels.l0MinMerge(),
            PartitionedLeveling.Settings.DEFAULT.deleteFactor());
    LevelTargets targets =
        LevelTargets.of(
            (double) levels.lastBytes(), memoryBytes, levels.l0Depth(), levels.count(), rule);
    return new LevelRule.Sizes(targets.count(), targets.ratio());
  }
}
