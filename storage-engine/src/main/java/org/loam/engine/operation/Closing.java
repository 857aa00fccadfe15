package org.loam.engine.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps of an end that all happen, whichever of them fail. */
public final class Closing {
  private Closing() {}

  /** Runs a step; returns the first failure so far. */
  public static @Nullable Throwable run(Runnable step, @Nullable Throwable first) {
    try {
      step.run();
      return first;
    } catch (Throwable t) {
      if (first == null) {
        return t;
      }
      if (first != t) {
        first.addSuppressed(t);
      }
      return first;
    }
  }

  /**
   * Runs all steps, the last one first, and forgets them.
   *
   * @throws RuntimeException the first failure, like an {@link Error}
   */
  public static void inReverse(List<Runnable> steps) {
    Throwable first = null;
    for (int i = steps.size() - 1; i >= 0; i--) {
      first = run(steps.get(i), first);
    }
    steps.clear();
    rethrow(first);
  }

  /** Throws what {@link #run} collected. */
  public static void rethrow(@Nullable Throwable first) {
    if (first instanceof RuntimeException e) {
      throw e;
    }
    if (first instanceof Error e) {
      throw e;
    }
    if (first != null) {
      throw new AssertionError(first);
    }
  }
}
