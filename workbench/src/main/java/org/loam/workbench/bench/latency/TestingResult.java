package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the testing phase found.
 *
 * @param operations in its window
 * @param seconds of its window, which follows a warm-up
 * @param debt at both ends of the window; null if the engine does not say
 * @param maxOpsPerSecond that the engine can hold
 * @param processing latency of writes, for information: in a closed loop the next write waits, too
 * @param totals what counters of engine, process and device grew by in the window, and until its
 *     debt was paid
 * @param series of the whole phase, with the warm-up
 */
@JsonIgnoreProperties(value = "opsPerSecond", allowGetters = true)
public record TestingResult(
    @JsonProperty("operations") long operations,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("debt") @Nullable Debt debt,
    @JsonProperty("maxOpsPerSecond") double maxOpsPerSecond,
    @JsonProperty("processing") @Nullable Percentiles processing,
    @JsonProperty("totals") Map<String, Double> totals,
    @JsonProperty("series") Series series) {

  /** Less than the time between two points. */
  private static final double LEAST_SECONDS = 0.01;

  /**
   * What merges had still to move.
   *
   * @param owedAtStartBytes mean of the first tenth of the window
   * @param owedAtEndBytes mean of its last tenth
   * @param paySeconds until it was back where it was, with no client at work, and for what merges
   *     left of it
   * @param unpaidBytes what merges left of it: they ended, or ten minutes did
   */
  public record Debt(
      @JsonProperty("owedAtStartBytes") double owedAtStartBytes,
      @JsonProperty("owedAtEndBytes") double owedAtEndBytes,
      @JsonProperty("paySeconds") double paySeconds,
      @JsonProperty("unpaidBytes") double unpaidBytes) {}

  /** Number of the first point of the series that is in the window. */
  int firstPoint() {
    List<Double> ends = series.seconds();
    int first = ends.size();
    while (first > 0 && ends.get(first - 1) > ends.get(ends.size() - 1) - seconds + LEAST_SECONDS) {
      first--;
    }
    return first;
  }

  /** Operations per second in the window, whatever they left to merges. */
  @JsonProperty("opsPerSecond")
  double opsPerSecond() {
    return operations / seconds;
  }
}
