package org.loam.common.metrics;

import java.util.Arrays;
import java.util.Locale;

/** The content of a {@link Histogram} at one moment. Immutable. */
public final class HistogramSnapshot {
  private final long[] counts;
  private final long count;
  private final long sum;
  private final long max;

  /** Takes possession of {@code counts}. */
  HistogramSnapshot(long[] counts, long sum, long max) {
    this.counts = counts;
    this.count = Arrays.stream(counts).sum();
    this.sum = sum;
    this.max = max;
  }

  /** How many values were recorded. */
  public long count() {
    return count;
  }

  /** The sum of the values. */
  public long sum() {
    return sum;
  }

  /** The mean of the values; 0 if there are none. */
  public double mean() {
    return count == 0 ? 0 : (double) sum / count;
  }

  /** The largest value, exactly; 0 if there are none. */
  public long max() {
    return max;
  }

  /**
   * The value that so many percent of the values do not exceed, at most 1/32 too high; 0 if there
   * are none.
   *
   * @param percent above 0 and at most 100, such as 99.9
   */
  public long percentile(double percent) {
    if (!(percent > 0 && percent <= 100)) {
      throw new IllegalArgumentException("percent " + percent + ": above 0 and at most 100");
    }
    long rank = Math.max(1, (long) Math.ceil(count * (percent / 100)));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        boolean open = i == counts.length - 1;
        return open ? max : Math.min(max, Histogram.highestIn(i));
      }
    }
    return max;
  }

  /** The content of both. */
  public HistogramSnapshot merge(HistogramSnapshot other) {
    long[] merged = counts.clone();
    for (int i = 0; i < merged.length; i++) {
      merged[i] += other.counts[i];
    }
    return new HistogramSnapshot(merged, sum + other.sum, Math.max(max, other.max));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HistogramSnapshot that
        && sum == that.sum
        && max == that.max
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "count=%d mean=%.1f p50=%d p99=%d p99.9=%d max=%d",
        count,
        mean(),
        percentile(50),
        percentile(99),
        percentile(99.9),
        max);
  }
}
