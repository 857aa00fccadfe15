package org.loam.scheduler.work;

/**
 * How fast merges take bytes out of L0, measured while one is due, and how many bytes of L0 a byte
 * written makes: fewer than one where keys are overwritten in memory. Guarded by its owner.
 */
final class Relief {
  /** What is so long ago counts a third: merges of L0 and of the levels below take turns. */
  private static final double MEMORY_NANOS = 10e9;

  /** A shorter time says nothing: no merge may have ended in it. */
  private static final double LEAST_NANOS = 1e9;

  /** Overwritten however often, writes are not let in faster than so many times the relief. */
  private static final double LEAST_RATIO = 1.0 / 16;

  private long l0Bytes;
  private long latestNanos;
  private boolean due;
  private double leftBytes;
  private double dueNanos;
  private double ratio = 1;
  private long admittedBytes;
  private boolean allCounted;

  Relief(long nowNanos) {
    latestNanos = nowNanos;
  }

  /**
   * L0 has changed.
   *
   * @param bytes of L0 now
   * @param isDue whether a merge of L0 is due from now on
   * @param paced bytes of writes that were counted so far
   */
  void note(long bytes, boolean isDue, long paced, long nowNanos) {
    if (due) {
      double elapsed = nowNanos - latestNanos;
      double kept = Math.exp(-elapsed / MEMORY_NANOS);
      leftBytes = leftBytes * kept + Math.max(0, l0Bytes - bytes);
      dueNanos = dueNanos * kept + elapsed;
    }
    if (bytes > l0Bytes) {
      flushed(bytes - l0Bytes, paced);
    }
    l0Bytes = bytes;
    latestNanos = nowNanos;
    due = isDue;
  }

  /** Says whether all writes are counted from now on. */
  void count(boolean counts) {
    allCounted &= counts;
  }

  /** From one flush to the next as much is written as the flush takes. */
  private void flushed(long bytes, long paced) {
    if (allCounted && paced > admittedBytes) {
      double latest = (double) bytes / (paced - admittedBytes);
      ratio = Math.max(LEAST_RATIO, Math.min(1, (ratio + latest) / 2));
    }
    admittedBytes = paced;
    allCounted = true;
  }

  /** Bytes that leave L0 per second; {@link WriteControl#UNLIMITED} if not known yet. */
  double bytesPerSecond() {
    return dueNanos < LEAST_NANOS ? WriteControl.UNLIMITED : leftBytes / dueNanos * 1e9;
  }

  /** Bytes of L0 that a byte written makes, at most 1. */
  double ratio() {
    return ratio;
  }
}
