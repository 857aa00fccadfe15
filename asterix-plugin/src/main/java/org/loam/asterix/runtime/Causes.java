package org.loam.asterix.runtime;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A failure, its cause, and so on; causes may go round in a circle. */
final class Causes {
  private Causes() {}

  /** Each once, the failure first; none if there is no failure. */
  static List<Throwable> of(@Nullable Throwable failure) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable cause = failure;
        cause != null && !causes.contains(cause);
        cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }
}
