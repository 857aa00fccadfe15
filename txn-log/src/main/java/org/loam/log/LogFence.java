package org.loam.log;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;

/** Whether the log still takes frames, and if not, since which fault. Thread-safe; one way. */
final class LogFence {
  private volatile @Nullable Throwable cause;

  /** Closes the log to writes for good; only the first cause is kept. */
  synchronized void raise(Throwable fault) {
    if (cause == null) {
      cause = fault;
    }
  }

  boolean isRaised() {
    return cause != null;
  }

  /** Throws if raised. */
  void check() {
    Throwable fault = cause;
    if (fault != null) {
      throw new FencedException(
          "the log stopped taking writes after a fault: "
              + fault.getMessage()
              + "; close and reopen the database to recover",
          fault);
    }
  }
}
