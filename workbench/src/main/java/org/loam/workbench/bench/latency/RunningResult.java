package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Map;

/**
 * What the running phase found.
 *
 * @param offeredPerSecond mean rate of arrivals
 * @param counts of operations
 * @param latencies of all operations
 * @param moves the same apart, while memory moved and while it stayed
 * @param totals what counters of engine, process and device grew by
 * @param series point by point
 */
public record RunningResult(
    @JsonProperty("offeredPerSecond") double offeredPerSecond,
    @JsonProperty("counts") Counts counts,
    @JsonUnwrapped KindPercentiles latencies,
    @JsonProperty("moves") Moves moves,
    @JsonProperty("totals") Map<String, Double> totals,
    @JsonProperty("series") Series series) {

  /**
   * Operations.
   *
   * @param offered that were due in the phase
   * @param done of them
   * @param unfinished of them, when the command gave up; they are in the latencies with the time
   *     until then, as reads and writes in the workload's proportion
   * @param seconds from the first arrival until the last operation was done
   */
  public record Counts(
      @JsonProperty("offered") long offered,
      @JsonProperty("done") long done,
      @JsonProperty("unfinished") long unfinished,
      @JsonProperty("seconds") double seconds) {}
}
