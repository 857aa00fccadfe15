package org.loam.scheduler.work;

import org.jspecify.annotations.Nullable;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.MergePolicy;
import org.loam.scheduler.merge.PlanCheck;
import org.loam.scheduler.merge.TreeShape;

/** A tree as the merge workers see it. Thread-safe. */
public interface MergeTree {
  /** The shape now, running plans included. */
  TreeShape shape();

  /** The policy now; may be replaced while running. */
  MergePolicy mergePolicy();

  /** The constraint now; may be replaced while running. */
  ComponentConstraint constraint();

  /**
   * Starts a plan: under the lock that guards the shape it asks {@link PlanCheck#objection}, then
   * adds the plan to the running ones. The plan stays there until its operation is done (in the
   * same moment in which the result is installed) or aborted. Does no I/O; that is for the steps.
   *
   * @return null if the shape has changed so that the plan does not fit any more
   */
  @Nullable BackgroundOperation open(MergePlan plan);
}
