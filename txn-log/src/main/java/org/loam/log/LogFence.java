package org.loam.log;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;

/** Whether the log still takes frames, and if not, since which fault. Thread-safe; one way. */
final class LogFence {
  private volatile @Nullable Throwable cause;
  private volatile Consumer<Throwable> listener = fault -> {};

  /** Closes the log to writes for good; only the first cause is kept, and told. */
  void raise(Throwable fault) {
    synchronized (this) {
      if (cause != null) {
        return;
      }
      cause = fault;
    }
    listener.accept(fault);
  }

  /**
   * Sets the listener that gets the cause. If there is a cause already, this call passes it on at
   * once; the listener may then get it twice.
   */
  void onRaised(Consumer<Throwable> told) {
    listener = told;
    Throwable fault = cause;
    if (fault != null) {
      told.accept(fault);
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
