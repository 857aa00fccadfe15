package org.loam.scheduler.work;

import org.loam.common.error.StorageException;

/** Learns how background work ends; implemented by the engine. Thread-safe. */
public interface WorkListener {
  /** In the place of a tree: work of all trees rests. */
  int ALL_TREES = -1;

  /**
   * A flush has begun, gone on by a quantum, or is over; {@link BackgroundWorkers#flushProgress}
   * says how far flushes are. No lock of the workers is held.
   */
  void flushAdvanced();

  /**
   * An operation was carried through: its last step has returned, so what it changed can be seen.
   * No lock of the workers is held.
   */
  void operationDone(BackgroundOperation operation);

  /**
   * An operation failed and was aborted. It is tried again, after {@code retryNanos} at the
   * earliest unless {@link BackgroundWorkers#retryNow} is called.
   *
   * @param treeId the tree whose tables are damaged, so that no merge of another one rests; {@link
   *     #ALL_TREES} after any other fault
   */
  void operationFailed(
      BackgroundOperation operation, StorageException cause, int treeId, long retryNanos);

  /**
   * An invariant is broken or an abort failed: nothing can be trusted, so the engine must be
   * fenced. The workers have stopped.
   */
  void broken(Throwable cause);
}
