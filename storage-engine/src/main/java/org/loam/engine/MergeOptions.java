package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteSlowdown;
import org.loam.engine.tree.TreeMerging;

/**
 * How one tree is merged, and what its writers meet, where that differs from the engine's settings.
 * Immutable.
 *
 * @param levelRatio in place of {@code disk.levelRatio}
 * @param l0MinMerge in place of {@code l0.minMerge}
 * @param l0Stop in place of {@code l0.stop}
 * @param control in place of {@code write.control}, as far as L0 is concerned; null for what that
 *     says
 */
public record MergeOptions(
    int levelRatio, int l0MinMerge, int l0Stop, @Nullable WriteSlowdown control) {
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

  /** Options that leave it to {@code write.control} what writers meet. */
  public MergeOptions(int levelRatio, int l0MinMerge, int l0Stop) {
    this(levelRatio, l0MinMerge, l0Stop, null);
  }

  /** Those of a tree. */
  static MergeOptions of(TreeMerging merging) {
    return new MergeOptions(
        merging.levelRatio(), merging.l0MinMerge(), merging.l0Stop(), merging.control());
  }

  /** These options for a tree. */
  TreeMerging merging() {
    return new TreeMerging(levelRatio, l0MinMerge, l0Stop, control);
  }
}
