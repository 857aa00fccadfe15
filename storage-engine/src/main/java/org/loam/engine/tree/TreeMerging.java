package org.loam.engine.tree;

import org.loam.common.config.EngineConfig;

/**
 * The numbers by which a tree is merged.
 *
 * @param levelRatio how much larger each level is than the one above it
 * @param l0MinMerge depth of L0 at which it is merged
 * @param l0Stop depth of L0 at which writes stop
 */
public record TreeMerging(int levelRatio, int l0MinMerge, int l0Stop) {
  static TreeMerging of(EngineConfig config) {
    return new TreeMerging(
        config.disk().levelRatio(), config.disk().l0MinMerge(), config.disk().l0Stop());
  }
}
