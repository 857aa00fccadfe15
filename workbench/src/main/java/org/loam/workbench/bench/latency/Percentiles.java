package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long operations took, in microseconds. A value is that of a log-linear histogram of three
 * digits, so it is exact to a thousandth.
 *
 * @param count operations
 * @param p50Micros half of the operations took at most this long
 * @param p90Micros 90 % did
 * @param p99Micros 99 % did
 * @param p999Micros 99.9 % did
 * @param p9999Micros 99.99 % did
 * @param maxMicros all of them did
 */
public record Percentiles(
    @JsonProperty("count") long count,
    @JsonProperty("p50Micros") double p50Micros,
    @JsonProperty("p90Micros") double p90Micros,
    @JsonProperty("p99Micros") double p99Micros,
    @JsonProperty("p999Micros") double p999Micros,
    @JsonProperty("p9999Micros") double p9999Micros,
    @JsonProperty("maxMicros") double maxMicros) {

  /** Of latencies in nanoseconds; null if there is none, since that has no percentiles. */
  static @Nullable Percentiles of(Histogram nanos) {
    if (nanos.getTotalCount() == 0) {
      return null;
    }
    return new Percentiles(
        nanos.getTotalCount(),
        micros(nanos.getValueAtPercentile(50)),
        micros(nanos.getValueAtPercentile(90)),
        micros(nanos.getValueAtPercentile(99)),
        micros(nanos.getValueAtPercentile(99.9)),
        micros(nanos.getValueAtPercentile(99.99)),
        micros(nanos.getMaxValue()));
  }

  private static double micros(long nanos) {
    return nanos / 1e3;
  }
}
