package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What one engine did.
 *
 * @param engine its name
 * @param loadedPerSecond records, until the last one was written, to disk or not
 * @param testing the phase that finds the maximum; null if it was not needed
 * @param running the phase that offers a share of it; null if there was none
 * @param peakResidentBytes of the process, heap and native; -1 if unknown
 */
public record LatencyResult(
    @JsonProperty("engine") String engine,
    @JsonProperty("loadedPerSecond") double loadedPerSecond,
    @JsonProperty("testing") @Nullable TestingResult testing,
    @JsonProperty("running") @Nullable RunningResult running,
    @JsonProperty("peakResidentBytes") long peakResidentBytes) {

  /**
   * A number of the testing phase, as in reports.
   *
   * @throws IllegalArgumentException if it is not known
   */
  public double number(String name) {
    Double number = Numbers.of(this).get(name);
    if (number == null) {
      throw new IllegalArgumentException(engine + " has no number " + name);
    }
    return number;
  }

  /** The same under another name, that of a series of a figure. */
  public LatencyResult named(String series) {
    return new LatencyResult(series, loadedPerSecond, testing, running, peakResidentBytes);
  }
}
