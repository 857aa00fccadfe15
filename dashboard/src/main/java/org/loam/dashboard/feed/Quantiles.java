package org.loam.dashboard.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Durations of operations, as counts of buckets.
 *
 * @param counts by the exclusive end of the bucket, in nanoseconds
 */
record Quantiles(SortedMap<Long, Long> counts) {
  /** The buckets of statistics. */
  static Quantiles of(JsonNode buckets) {
    SortedMap<Long, Long> counts = new TreeMap<>();
    for (JsonNode bucket : buckets) {
      counts.put(bucket.path("belowNanos").asLong(), bucket.path("count").asLong());
    }
    return new Quantiles(counts);
  }

  /** What was counted since an earlier look. */
  Quantiles since(Quantiles earlier) {
    SortedMap<Long, Long> more = new TreeMap<>();
    counts.forEach(
        (below, count) -> {
          long difference = count - earlier.counts.getOrDefault(below, 0L);
          if (difference > 0) {
            more.put(below, difference);
          }
        });
    return new Quantiles(more);
  }

  boolean isEmpty() {
    return counts.isEmpty();
  }

  /** Below how many nanoseconds a part of the operations were. */
  long nanos(double part) {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    long seen = 0;
    for (Map.Entry<Long, Long> bucket : counts.entrySet()) {
      seen += bucket.getValue();
      if (seen >= part * all) {
        return bucket.getKey();
      }
    }
    return 0;
  }
}
