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
   * Bytes in levels below L0 that merges have still to move, because a level is larger than the
   * policy wants it. L0 does not count: all of it has to move.
   */
  default long excessBytes(TreeShape shape) {
    return 0;
  }
}
