package org.loam.engine;

import org.jspecify.annotations.Nullable;

/** Steps of an end that all happen, whichever of them fail. */
final class Closing {
  private Closing() {}

  /** Runs a step; returns the first failure so far. */
  static @Nullable Throwable run(Runnable step, @Nullable Throwable first) {
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

  /** Throws what {@link #run} collected. */
  static void rethrow(@Nullable Throwable first) {
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
