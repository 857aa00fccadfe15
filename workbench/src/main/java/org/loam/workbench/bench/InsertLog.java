package org.loam.workbench.bench;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which records the clients of one phase have inserted. Client t of T inserts the indexes first +
 * t, first + t + T, and so on, so that clients never meet; all below {@link #limit} are
 * acknowledged.
 */
public final class InsertLog {
  /** One count per cache line of 64 bytes and its neighbour, which processors fetch together. */
  private static final int STRIDE = 16;

  private final long firstIndex;
  private final int threads;
  private final AtomicLongArray counts;

  /**
   * Of one phase.
   *
   * @param firstIndex that no record has yet
   * @param threads clients of the phase
   */
  public InsertLog(long firstIndex, int threads) {
    this.firstIndex = firstIndex;
    this.threads = threads;
    this.counts = new AtomicLongArray(threads * STRIDE);
  }

  long firstIndex() {
    return firstIndex;
  }

  /** The index that a client inserts next. */
  long next(int thread) {
    return firstIndex + counts.getPlain(thread * STRIDE) * threads + thread;
  }

  /** The insert of {@link #next} is acknowledged. */
  void acknowledged(int thread) {
    counts.setRelease(thread * STRIDE, counts.getPlain(thread * STRIDE) + 1);
  }

  /** All indexes from the first to before this one exist. */
  long limit() {
    long least = Long.MAX_VALUE;
    for (int t = 0; t < threads; t++) {
      least = Math.min(least, counts.getAcquire(t * STRIDE));
    }
    return firstIndex + least * threads;
  }

  /** Records inserted by all clients. */
  long total() {
    long sum = 0;
    for (int t = 0; t < threads; t++) {
      sum += counts.getAcquire(t * STRIDE);
    }
    return sum;
  }

  /** An index above all that were inserted, for the next phase. */
  long end() {
    long most = 0;
    for (int t = 0; t < threads; t++) {
      most = Math.max(most, counts.getAcquire(t * STRIDE));
    }
    return firstIndex + most * threads;
  }
}
