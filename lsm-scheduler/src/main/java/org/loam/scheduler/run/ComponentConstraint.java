package org.loam.scheduler.run;

import org.jspecify.annotations.Nullable;
import org.loam.scheduler.merge.TreeShape;

/** The bound on a tree's components, beyond which writes must wait (Stability §5.1.1). Pure. */
@FunctionalInterface
public interface ComponentConstraint {
  /** Why the writes of the tree must wait, null if they may go on. */
  @Nullable StallCause violation(TreeShape shape);

  /** How near the tree is to a violation: 0 is far away, at 1 and above writes wait. */
  default double pressure(TreeShape shape) {
    return violation(shape) == null ? 0 : 1;
  }

  /** Writes wait while L0 has {@code groups} groups or more. */
  static ComponentConstraint l0Stop(int groups) {
    if (groups < 1) {
      throw new IllegalArgumentException("groups is " + groups + ", must be at least 1");
    }
    return new ComponentConstraint() {
      @Override
      public @Nullable StallCause violation(TreeShape shape) {
        return shape.l0().size() >= groups ? StallCause.L0_STOP : null;
      }

      @Override
      public double pressure(TreeShape shape) {
        return (double) shape.l0().size() / groups;
      }
    };
  }

  /**
   * Writes wait while the tree has more than {@code factor} times the sorted runs that are expected
   * of partitioned leveling: one per level, and in L0 as many groups as make a merge worthwhile. So
   * a violation always means that there is a merge to be done.
   *
   * @param l0MinMerge L0 groups that make a merge worthwhile
   * @param factor 2 in Stability §5.1.1, at least 1
   */
  static ComponentConstraint globalLimit(int l0MinMerge, double factor) {
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("factor is " + factor + ", must be at least 1");
    }
    return shape ->
        shape.runCount() > factor * (l0MinMerge + shape.levels().size())
            ? StallCause.COMPONENT_CONSTRAINT
            : null;
  }

  /** Whichever comes first; if both are violated, this one gives the cause. */
  default ComponentConstraint or(ComponentConstraint other) {
    ComponentConstraint first = this;
    return new ComponentConstraint() {
      @Override
      public @Nullable StallCause violation(TreeShape shape) {
        StallCause cause = first.violation(shape);
        return cause != null ? cause : other.violation(shape);
      }

      @Override
      public double pressure(TreeShape shape) {
        return Math.max(first.pressure(shape), other.pressure(shape));
      }
    };
  }
}
