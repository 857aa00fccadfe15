package org.loam.tuner.cost;

import org.loam.scheduler.merge.LevelTargets;
import org.loam.scheduler.merge.PartitionedLeveling;

/** The rule of the engine, from its merge policy. */
public final class EngineLevels {
  private EngineLevels() {}

  /** See {@link LevelRule#sizes}. */
  public static LevelRule.Sizes sizes(TreeSample.Levels levels, double memoryBytes) {
    LevelTargets targets =
        LevelTargets.of(
            (double) levels.lastBytes(),
            memoryBytes,
            levels.l0Depth(),
            levels.count(),
            new LevelTargets.Rule(
                levels.mostRatio(),
                levels.l0MinMerge(),
                PartitionedLeveling.Settings.DEFAULT.deleteFactor()));
    return new LevelRule.Sizes(targets.count(), targets.ratio());
  }
}
