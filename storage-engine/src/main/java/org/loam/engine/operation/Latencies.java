package org.loam.engine.operation;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;
import org.loam.common.env.NanoClock;

/**
 * How long reads and writes take, of one operation in {@link #ONE_IN}: looking at the clock for
 * each would cost a read of a cached record a twentieth. Thread-safe. Off until {@link #start}, so
 * that a simulation, in which a look at the clock is a switch of threads, stays as it is.
 */
public final class Latencies {
  /**
   * Of so many operations of a thread one is measured. A prime: of a program that does the same few
   * operations in turn, each of them is measured as often.
   */
  public static final int ONE_IN = 61;

  /** What {@link #begin} returns for all others. */
  private static final long NOT_MEASURED = Long.MIN_VALUE;

  /** Four buckets for each doubling of the time: a bucket is at most a quarter wide. */
  private static final int PARTS_SHIFT = 2;

  private static final int PARTS = 1 << PARTS_SHIFT;
  private static final int BUCKETS = Long.SIZE * PARTS;

  /** Threads share a counter with few others; two cache lines for each. */
  private static final int COUNTERS = 16;

  private static final int STRIDE_SHIFT = 5;

  private final NanoClock clock;

  /** Operations begun; threads that share a counter may lose some. */
  private final int[] begun = new int[COUNTERS << STRIDE_SHIFT];

  private final AtomicLongArray reads = new AtomicLongArray(BUCKETS);
  private final AtomicLongArray writes = new AtomicLongArray(BUCKETS);
  private boolean on;

  public Latencies(NanoClock clock) {
    this.clock = clock;
  }

  /** To be called before other threads know of the engine. */
  public void start() {
    on = true;
  }

  /** An operation begins; returns what its end needs. */
  public long begin() {
    if (!on) {
      return NOT_MEASURED;
    }
    int counter = ((int) Thread.currentThread().getId() & (COUNTERS - 1)) << STRIDE_SHIFT;
    return ++begun[counter] % ONE_IN == 0 ? clock.nanoTime() : NOT_MEASURED;
  }

  /** A read of a key has ended. */
  public void read(long begun) {
    add(reads, begun);
  }

  /** A write was acknowledged. */
  public void wrote(long begun) {
    add(writes, begun);
  }

  private void add(AtomicLongArray counts, long begun) {
    if (begun != NOT_MEASURED) {
      counts.incrementAndGet(bucket(clock.nanoTime() - begun));
    }
  }

  static int bucket(long nanos) {
    long atLeast = Math.max(PARTS, nanos);
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(atLeast);
    int part = (int) (atLeast >>> (exponent - PARTS_SHIFT)) & (PARTS - 1);
    return exponent * PARTS + part;
  }

  /** Exclusive. */
  static long endNanos(int bucket) {
    return (long) (PARTS + bucket % PARTS + 1) << (bucket / PARTS - PARTS_SHIFT);
  }

  /** What is counted of reads, ascending: below how many nanoseconds, and how many. */
  public void forEachRead(BiConsumer<Long, Long> seen) {
    forEach(reads, seen);
  }

  /** What is counted of writes, like {@link #forEachRead}. */
  public void forEachWrite(BiConsumer<Long, Long> seen) {
    forEach(writes, seen);
  }

  private static void forEach(AtomicLongArray counts, BiConsumer<Long, Long> seen) {
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      long count = counts.get(bucket);
      if (count > 0) {
        seen.accept(endNanos(bucket), count);
      }
    }
  }
}
