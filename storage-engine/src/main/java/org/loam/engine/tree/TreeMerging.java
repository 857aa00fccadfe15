package org.loam.engine.tree;

import org.jspecify.annotations.Nullable;
import org.loam.common.config.DiskConfig;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteSlowdown;

/**
 * How a tree is merged, and what its writers meet.
 *
 * @param levelRatio how much larger each level is than the one above it
 * @param l0MinMerge depth of L0 at which it is merged where scans come
 * @param l0Stop depth of L0 at which writes stop
 * @param control what writers meet before that; null for what the configuration says
 */
public record TreeMerging(
    int levelRatio, int l0MinMerge, int l0Stop, @Nullable WriteSlowdown control) {
  static TreeMerging of(EngineConfig config) {
    DiskConfig.L0 l0 = config.disk().l0();
    return new TreeMerging(config.disk().levelRatio(), l0.minMerge(), l0.stop(), null);
  }
}
