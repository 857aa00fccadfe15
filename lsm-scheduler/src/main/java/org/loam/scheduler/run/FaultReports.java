package org.loam.scheduler.run;

import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;

/**
 * Tells the engine what went wrong, and stops the workers where nothing can be trusted any more.
 */
final class FaultReports {
  private final WorkSignal signal;
  private final FaultListener listener;

  FaultReports(WorkSignal signal, FaultListener listener) {
    this.signal = signal;
    this.listener = listener;
  }

  /** An operation failed and was aborted. */
  void report(BackgroundOperation operation, StorageException fault, long restNanos) {
    if (fault instanceof FencedException) {
      signal.stop();
    }
    listener.operationFailed(operation, fault, restNanos);
  }

  /** The body of a thread: whatever escapes is a broken invariant. */
  Runnable guard(Runnable body) {
    return () -> {
      try {
        body.run();
      } catch (Throwable t) {
        broken(t);
      }
    };
  }

  void broken(Throwable cause) {
    signal.stop();
    listener.broken(cause);
  }
}
