package org.loam.lsm;

/**
 * When writes may leave memory for disk components: the seam to the log, Loam's own or a host's.
 * Thread-safe.
 */
public interface CommitGate {
  /**
   * Whether a flush of everything below an LSN can start, because no transaction has to end before
   * all of it is published. With a host's log the flush cannot start while a transaction that wrote
   * below the LSN, to any tree, may still roll back. Never goes back to false. Takes no lock of the
   * tree.
   *
   * @param endLsn exclusive
   */
  boolean mayFlush(long endLsn);

  /**
   * Waits until everything below an LSN is in the log for good, and published.
   *
   * @param endLsn exclusive
   * @throws org.loam.common.error.FencedException if it never will be
   */
  void awaitDurable(long endLsn);
}
