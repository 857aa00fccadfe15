package org.loam.scheduler.work;

/**
 * How fast flushes take bytes out of write memory, and the rate at which writes may take what is
 * free until the next flush ends: both come to their end together, as the spring and the gears of
 * bLSM §4.1. Guarded by its owner.
 */
public final class FlushRelief {
  /** What is so long ago counts a third: several flushes of a full write memory take longer. */
  private static final double MEMORY_NANOS = 2e9;

  /** A shorter time says nothing: a force takes a tenth of it. */
  private static final double LEAST_NANOS = 50e6;

  /**
   * Writes are let in so much faster than the flush goes on. So the next component is full when
   * this flush ends, and the flush thread finds work.
   */
  private static final double AHEAD = 1.25;

  private boolean flushing;
  private long consumedBytes;
  private long latestNanos;
  private double sumBytes;
  private double sumNanos;

  /**
   * Flushes went on, began or ended.
   *
   * @param isFlushing whether one is on its way from now on
   * @param consumed bytes that all flushes so far have taken out of write memory
   */
  public void note(boolean isFlushing, long consumed, long nowNanos) {
    if (flushing) {
      double elapsed = nowNanos - latestNanos;
      double kept = Math.exp(-elapsed / MEMORY_NANOS);
      sumBytes = sumBytes * kept + (consumed - consumedBytes);
      sumNanos = sumNanos * kept + elapsed;
    }
    flushing = isFlushing;
    consumedBytes = consumed;
    latestNanos = nowNanos;
  }

  /**
   * Whether a flush on its way is late: writes have less left than it has still to take out, so
   * they are slower than it is.
   *
   * @param freeBytes see {@link #bytesPerSecond}
   * @param remainingBytes see {@link #bytesPerSecond}
   */
  public boolean isLate(long freeBytes, long remainingBytes) {
    return flushing && AHEAD * freeBytes < remainingBytes;
  }

  /**
   * Bytes of write memory per second that writes may take; {@link WriteControl#UNLIMITED} if no
   * flush is on its way, or if its speed is not known yet.
   *
   * @param freeBytes that writes may take until they would have to wait
   * @param remainingBytes that the flushes on their way have still to take out of it, and as many
   *     as the forces at their end take as long as
   */
  public double bytesPerSecond(long freeBytes, long remainingBytes) {
    if (!flushing || sumNanos < LEAST_NANOS) {
      return WriteControl.UNLIMITED;
    }
    double speed = sumBytes / sumNanos * 1e9;
    return AHEAD * speed * Math.max(0, freeBytes) / remainingBytes;
  }
}
