package org.loam.scheduler.merge;

import java.util.List;

/**
 * Decides which components should become one. Thread-safe, because pure: the answer depends on
 * nothing but the arguments, and nothing is started.
 */
public interface MergePolicy {
  /**
   * The merges that the shape calls for.
   *
   * @return plans in order of preference. Each of them alone is closed (see {@link MergePlan}); a
   *     plan that conflicts with a running one is listed too, so that the caller can hurry the one
   *     in its way, and is followed by the best one that can start. Empty if all is well.
   */
  List<MergePlan> plan(TreeShape shape, RunMode mode);

  /**
   * Depth of L0 from which on it is merged for that alone, at least 1; {@code Integer.MAX_VALUE} if
   * there is none.
   */
  default int l0Due(TreeShape shape) {
    return Integer.MAX_VALUE;
  }

  /**
   * Whether a merge may become due while the tree stays as it is, since reads are what calls for
   * it.
   */
  default boolean mayBecomeDue(TreeShape shape) {
    return false;
  }

  /** How large the levels below L0 should be. */
  default LevelTargets targets(TreeShape shape) {
    return LevelTargets.NONE;
  }
}
