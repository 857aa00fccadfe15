package org.loam.scheduler.run;

import org.jspecify.annotations.Nullable;

/**
 * How a tree's writes are held back while its component constraint is violated (Stability §5.1.2).
 * Thread-safe.
 */
@FunctionalInterface
public interface WriteControl {
  /** The delay that ends only when the constraint holds again. */
  long UNTIL_RELIEVED = Long.MAX_VALUE;

  /**
   * Writes go at full speed until the constraint is violated, then wait; no smoother way has lower
   * latency (Stability, Theorem 1).
   */
  WriteControl STOP = (violation, bytes, nowNanos) -> violation == null ? 0 : UNTIL_RELIEVED;

  /**
   * How long a write has to wait before it is admitted.
   *
   * @param violation what is violated, null if nothing is
   * @param bytes size of the write
   * @return 0 to go on, {@link #UNTIL_RELIEVED}, or nanoseconds
   */
  long delayNanos(@Nullable StallCause violation, long bytes, long nowNanos);
}
