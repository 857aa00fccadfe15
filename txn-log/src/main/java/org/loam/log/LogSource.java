package org.loam.log;

/**
 * What trees and engine need of any log, Loam's own ({@link TransactionLog}) or a host's. Thread-
 * safe.
 *
 * <p>An LSN is a byte position in one endless log. The LSN of a frame is its first byte; an
 * <em>end</em> LSN is exclusive: the byte after it. Durable and published LSNs are end LSNs, so a
 * write is durable once {@code durableLsn() >= endLsn of its frame}.
 */
public interface LogSource {
  /** Exclusive end of the last frame appended. */
  long endLsn();

  /** Exclusive end of what survives power loss; never goes back. */
  long durableLsn();

  /**
   * Waits until everything below an end LSN survives power loss.
   *
   * @param endLsn at most {@link #endLsn()}
   * @param deadlineNanos on the environment's clock; {@code Long.MAX_VALUE} waits without limit
   * @return false if the deadline passed first; the bytes may still become durable
   * @throws org.loam.common.error.FencedException if they cannot any more; the cause is kept
   * @throws org.loam.common.error.ClosedException if the log was closed first
   */
  boolean awaitDurable(long endLsn, long deadlineNanos);

  /** Written bytes since the truncation LSN; what a recovery would read. */
  long lengthBytes();

  /**
   * Gives up everything below an LSN. Only after whatever needed it is durable elsewhere and a
   * replay would start at or after it. An LSN below an earlier one has no effect.
   *
   * @param lsn at most {@link #durableLsn()}
   */
  void truncate(long lsn);

  /** The highest LSN given to {@link #truncate}, or where the log began. */
  long truncationLsn();
}
