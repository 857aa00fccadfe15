package org.loam.scheduler.work;

/** A rest after a fault, twice as long after each further one. Guarded by its owner. */
final class Backoff {
  private final long minNanos;
  private final long maxNanos;
  private long lengthNanos;
  private long endNanos;

  Backoff(long minNanos, long maxNanos) {
    this.minNanos = minNanos;
    this.maxNanos = maxNanos;
  }

  /** A fault: rests from now on; returns for how long. A fault during a rest is no further one. */
  long begin(long nowNanos) {
    if (isResting(nowNanos)) {
      return leftNanos(nowNanos);
    }
    lengthNanos = lengthNanos == 0 ? minNanos : Math.min(maxNanos, 2 * lengthNanos);
    endNanos = nowNanos + lengthNanos;
    return lengthNanos;
  }

  /** How long the latest rest was or is, 0 if all is well. */
  long lengthNanos() {
    return lengthNanos;
  }

  /** All is well again. */
  void clear() {
    lengthNanos = 0;
  }

  boolean isResting(long nowNanos) {
    return leftNanos(nowNanos) > 0;
  }

  /** What is left of the rest, zero or less if it is over. */
  long leftNanos(long nowNanos) {
    return lengthNanos == 0 ? 0 : endNanos - nowNanos;
  }
}
