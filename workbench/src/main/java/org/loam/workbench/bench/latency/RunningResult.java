package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the running phase found.
 *
 * @param offeredPerSecond mean rate of arrivals
 * @param counts of operations
 * @param write latency of writes from their intended arrival
 * @param writeProcessing latency of writes from the moment at which a client took them up
 * @param read as write, of reads; null if the workload has none
 * @param readProcessing as writeProcessing, of reads
 * @param totals what counters of engine, process and device grew by
 * @param series point by point
 */
public record RunningResult(
    @JsonProperty("offeredPerSecond") double offeredPerSecond,
    @JsonProperty("counts") Counts counts,
    @JsonProperty("write") @Nullable Percentiles write,
    @JsonProperty("writeProcessing") @Nullable Percentiles writeProcessing,
    @JsonProperty("read") @Nullable Percentiles read,
    @JsonProperty("readProcessing") @Nullable Percentiles readProcessing,
    @JsonProperty("totals") Map<String, Double> totals,
    @JsonProperty("series") Series series) {

  /**
   * Operations.
   *
   * @param offered that were due in the phase
   * @param done of them
   * @param unfinished of them, when the command gave up; they are in the latencies of writes with
   *     the time until then
   * @param seconds from the first arrival until the last operation was done
   */
  public record Counts(
      @JsonProperty("offered") long offered,
      @JsonProperty("done") long done,
      @JsonProperty("unfinished") long unfinished,
      @JsonProperty("seconds") double seconds) {}
}
