package org.loam.scheduler.work;

import org.loam.common.error.StorageException;

/**
 * A flush or a merge that advances by quanta. Made by the tree, driven by {@link
 * BackgroundWorkers}: one thread at a time, not always the same one.
 *
 * <p>It lives until {@link #step} returned {@link StepResult#DONE} or {@link #abort} was called;
 * after an exception of step or force the driver calls abort. If its tree is dropped meanwhile, the
 * next step cleans up and returns DONE.
 */
public interface BackgroundOperation {
  /** In the place of a data directory: the manifest or the log is at work, or nothing is. */
  int NO_DIRECTORY = -1;

  /** How urgent it is by itself; the driver may treat it as more urgent. */
  IoClass ioClass();

  /**
   * The only tree that it is of; {@link WorkListener#ALL_TREES} if it is of several, or of none.
   */
  default int treeId() {
    return WorkListener.ALL_TREES;
  }

  /** Whether it is of a tree, perhaps among others. Takes no lock. */
  default boolean isOf(int treeId) {
    return treeId == treeId();
  }

  /**
   * Number of the data directory that it is at work in, and after a fault of that in which it was
   * met; {@link #NO_DIRECTORY} if it is in none. For the thread that drives it.
   */
  default int directory() {
    return NO_DIRECTORY;
  }

  /**
   * Whether the fault that ended this flush keeps a tree from its flush.
   *
   * @param directory number of the data directory that the tree is in
   */
  default boolean keepsBack(int treeId, int directory, StorageException fault) {
    return false;
  }

  /**
   * Input bytes not yet consumed, for schedulers: roughly right, from any thread, at any time,
   * without taking a lock.
   */
  long remainingInputBytes();

  /** Bytes read and written since it began; for the thread that drives it. */
  long transferredBytes();

  /**
   * Advances by about {@code quantumBytes}, reads and writes together, and at least by something.
   * Does I/O, never sleeps, never waits for another operation or for a writer.
   *
   * @throws StorageException on a fault; the operation must be aborted
   */
  StepResult step(long quantumBytes);

  /**
   * Makes what was written so far durable.
   *
   * @throws StorageException on a fault; the operation must be aborted
   */
  void force();

  /**
   * Gives the inputs back as they were and removes what was written. The tree may offer the same
   * work again.
   */
  void abort();
}
