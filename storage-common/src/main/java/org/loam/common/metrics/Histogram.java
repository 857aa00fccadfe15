package org.loam.common.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often which value occurred, mostly latencies in nanoseconds. Buckets are log-linear: exact
 * below 32, then 32 per power of two, so a value is known to 1/32. Values from 2^42 on (73 minutes)
 * share the last bucket, the maximum stays exact. About 40 KB, allocated at once. Thread-safe:
 * threads record into different stripes, of which a snapshot is the sum.
 */
public final class Histogram implements Metric {
  static final int LINEAR_BITS = 5;
  static final int TOP_BITS = 42;
  static final int BUCKETS = (TOP_BITS - LINEAR_BITS + 1) << LINEAR_BITS;

  private static final int STRIPE_BITS = 2;
  private static final int SUM = BUCKETS;
  private static final int MAX = BUCKETS + 1;

  /** A stripe is its buckets, sum and maximum, and two cache lines that keep stripes apart. */
  private static final int STRIDE = BUCKETS + 2 + 16;

  private final AtomicLongArray cells = new AtomicLongArray(STRIDE << STRIPE_BITS);

  /** Counts a value; a negative one, as from a clock that stepped back, counts as 0. */
  public void record(long value) {
    long v = Math.max(0, value);
    int stripe = stripe();
    cells.getAndIncrement(stripe + bucketOf(v));
    cells.getAndAdd(stripe + SUM, v);
    long max = cells.get(stripe + MAX);
    while (v > max) {
      max = cells.compareAndExchange(stripe + MAX, max, v);
    }
  }

  /**
   * What was recorded so far. While others record, a value of theirs may be missing here or there:
   * the sum and the maximum need not belong to exactly the counted values.
   */
  public HistogramSnapshot snapshot() {
    long[] counts = new long[BUCKETS];
    long sum = 0;
    long max = 0;
    for (int stripe = 0; stripe < STRIDE << STRIPE_BITS; stripe += STRIDE) {
      for (int i = 0; i < BUCKETS; i++) {
        counts[i] += cells.get(stripe + i);
      }
      sum += cells.get(stripe + SUM);
      max = Math.max(max, cells.get(stripe + MAX));
    }
    return new HistogramSnapshot(counts, sum, max);
  }

  static int bucketOf(long value) {
    if (value < 1 << LINEAR_BITS) {
      return (int) value;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(value);
    if (exponent >= TOP_BITS) {
      return BUCKETS - 1;
    }
    int shift = exponent - LINEAR_BITS;
    // The bit above the linear ones is set, so this starts where the previous power ended.
    return (shift << LINEAR_BITS) + (int) (value >>> shift);
  }

  /** The largest value that falls into a bucket. */
  static long highestIn(int bucket) {
    if (bucket < 2 << LINEAR_BITS) {
      return bucket;
    }
    int shift = (bucket >>> LINEAR_BITS) - 1;
    long lowest = ((long) bucket - ((long) shift << LINEAR_BITS)) << shift;
    return lowest + (1L << shift) - 1;
  }

  private static int stripe() {
    long hash = Thread.currentThread().getId() * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> (64 - STRIPE_BITS)) * STRIDE;
  }
}
