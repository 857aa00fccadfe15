package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Both phases of one engine.
 *
 * @param engine its name
 * @param testing the phase that finds the maximum; null if it was not needed
 * @param running the phase that offers a share of it; null if there was none
 * @param peakResidentBytes of the process, heap and native; -1 if unknown
 */
public record LatencyResult(
    @JsonProperty("engine") String engine,
    @JsonProperty("testing") @Nullable TestingResult testing,
    @JsonProperty("running") @Nullable RunningResult running,
    @JsonProperty("peakResidentBytes") long peakResidentBytes) {

  /** The same under another name, that of a series of a figure. */
  public LatencyResult named(String series) {
    return new LatencyResult(series, testing, running, peakResidentBytes);
  }
}
