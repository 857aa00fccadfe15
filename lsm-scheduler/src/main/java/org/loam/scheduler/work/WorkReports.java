package org.loam.scheduler.work;

import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;

/**
 * Tells the engine how operations end, and stops the workers where nothing can be trusted any more.
 */
final class WorkReports {
  private final WorkSignal signal;
  private final WorkListener listener;

  WorkReports(WorkSignal signal, WorkListener listener) {
    this.signal = signal;
    this.listener = listener;
  }

  /** A flush has begun, gone on, or is over. */
  void flushAdvanced() {
    listener.flushAdvanced();
  }

  /** An operation was carried through. */
  void done(BackgroundOperation operation) {
    listener.operationDone(operation);
  }

  /** An operation failed and was aborted. */
  void report(BackgroundOperation operation, StorageException fault, int treeId, long restNanos) {
    if (fault instanceof FencedException) {
      signal.stop();
    }
    listener.operationFailed(operation, fault, treeId, restNanos);
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
