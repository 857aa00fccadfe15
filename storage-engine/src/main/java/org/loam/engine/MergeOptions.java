package org.loam.engine;

import org.loam.common.config.EngineConfig;
import org.loam.engine.tree.TreeMerging;

/**
 * How one tree is merged, where that differs from the engine's settings. Immutable.
 *
 * @param levelRatio in place of {@code disk.levelRatio}
 * @param l0MinMerge in place of {@code l0.minMerge}
 * @param l0Stop in place of {@code l0.stop}
 */
public record MergeOptions(int levelRatio, int l0MinMerge, int l0Stop) {
  /** Any that is allowed: what is merged does not depend on it. */
  private static final long SOME_MEMORY_BYTES = 64 << 20;

  /**
   * Checks the numbers by the rules of the settings.
   *
   * @throws org.loam.common.config.ConfigException naming the settings that are wrong
   */
  public MergeOptions {
    EngineConfig.builder()
        .memoryTotalBytes(SOME_MEMORY_BYTES)
        .levelRatio(levelRatio)
        .l0MinMerge(l0MinMerge)
        .l0Stop(l0Stop)
        .build();
  }

  /** Those of a tree. */
  static MergeOptions of(TreeMerging merging) {
    return new MergeOptions(merging.levelRatio(), merging.l0MinMerge(), merging.l0Stop());
  }

  /** These options for a tree. */
  TreeMerging merging() {
    return new TreeMerging(levelRatio, l0MinMerge, l0Stop);
  }
}
