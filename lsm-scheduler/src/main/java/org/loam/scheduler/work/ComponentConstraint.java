package org.loam.scheduler.work;

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

  /**
   * Writes wait while some key has {@code depth} components of L0 above each other, or more: a read
   * of the key may have to look at so many. Other components of L0 do not count.
   */
  static ComponentConstraint l0Stop(int depth) {
    if (depth < 1) {
      throw new IllegalArgumentException("depth is " + depth + ", must be at least 1");
    }
    return new ComponentConstraint() {
      @Override
      public @Nullable StallCause violation(TreeShape shape) {
        return shape.l0Depth() >= depth ? StallCause.L0_STOP : null;
      }

      @Override
      public double pressure(TreeShape shape) {
        return (double) shape.l0Depth() / depth;
      }
    };
  }

  /**
   * Writes wait while L0 has so many times the bytes of a full L1, or more: a merge of them is due
   * since they were as many as L1 has.
   *
   * @param levelRatio of a full L1 to the write memory
   * @param fill see {@link TreeShape#l0Fill}; at least 1, or a merge might not be due
   */
  static ComponentConstraint l0Fill(int levelRatio, double fill) {
    if (!(fill >= 1)) {
      throw new IllegalArgumentException("fill is " + fill + ", must be at least 1");
    }
    return new ComponentConstraint() {
      @Override
      public @Nullable StallCause violation(TreeShape shape) {
        return shape.l0Fill(levelRatio) >= fill ? StallCause.L0_STOP : null;
      }

      @Override
      public double pressure(TreeShape shape) {
        return shape.l0Fill(levelRatio) / fill;
      }
    };
  }

  /**
   * Writes wait while the tree is more than {@code factor} times as deep as is expected of
   * partitioned leveling: one component per level, and in L0 as many as make a merge worthwhile. So
   * a violation always means that there is a merge to be done.
   *
   * @param l0Due the largest depth of L0 that makes a merge worthwhile
   * @param factor 2 in Stability §5.1.1, at least 1
   */
  static ComponentConstraint globalLimit(int l0Due, double factor) {
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("factor is " + factor + ", must be at least 1");
    }
    return shape ->
        shape.depth() > factor * (l0Due + shape.levels().size())
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
