package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.HdrHistogram.Histogram;

/**
 * How long operations took; part of a row.
 *
 * @param p50Micros median latency of an operation
 * @param p99Micros 99th percentile
 * @param p999Micros 99.9th percentile
 * @param maxMicros of a single operation
 */
public record Latency(
    @JsonProperty("p50Micros") double p50Micros,
    @JsonProperty("p99Micros") double p99Micros,
    @JsonProperty("p999Micros") double p999Micros,
    @JsonProperty("maxMicros") double maxMicros) {
  /** Of latencies in nanoseconds. */
  public static Latency of(Histogram nanos) {
    return new Latency(
        micros(nanos, 50), micros(nanos, 99), micros(nanos, 99.9), micros(nanos, 100));
  }

  private static double micros(Histogram nanos, double percentile) {
    return Figures.rounded(nanos.getValueAtPercentile(percentile) / 1e3);
  }
}
