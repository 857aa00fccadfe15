package org.loam.engine.tree;

import org.jspecify.annotations.Nullable;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteSlowdown;

/**
 * How a tree is merged, and what its writers meet.
 *
 * @param levelRatio how much larger each level is than the one above it
 * @param l0MinMerge depth of L0 at which it is merged
 * @param l0Stop depth of L0 at which writes stop
 * @param control what writers meet before that; null for what the configuration says
 */
public record TreeMerging(
    int levelRatio, int l0MinMerge, int l0Stop, @Nullable WriteSlowdown control) {
  static TreeMerging of(EngineConfig config) {
    return new TreeMerging(
        config.disk().levelRatio(), config.disk().l0MinMerge(), config.disk().l0Stop(), null);
  }
}
