package org.loam.scheduler.run;

import org.loam.common.error.StorageException;

/** Learns what went wrong in the background; implemented by the engine. Thread-safe. */
public interface FaultListener {
  /**
   * An operation failed and was aborted. It is tried again, after {@code retryNanos} at the
   * earliest unless {@link BackgroundWorkers#retryNow} is called.
   */
  void operationFailed(BackgroundOperation operation, StorageException cause, long retryNanos);

  /**
   * An invariant is broken or an abort failed: nothing can be trusted, so the engine must be
   * fenced. The workers have stopped.
   */
  void broken(Throwable cause);
}
