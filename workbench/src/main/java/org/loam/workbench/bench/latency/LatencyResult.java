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
 * @param loadMemory what the loaded records took in memory; null if the engine does not say, or if
 *     some of them were flushed
 */
public record LatencyResult(
    @JsonProperty("engine") String engine,
    @JsonProperty("loadedPerSecond") double loadedPerSecond,
    @JsonProperty("testing") @Nullable TestingResult testing,
    @JsonProperty("running") @Nullable RunningResult running,
    @JsonProperty("peakResidentBytes") long peakResidentBytes,
    @JsonProperty("loadMemory") @Nullable LoadMemory loadMemory) {

  /**
   * Write memory of a load that stayed there.
   *
   * @param endBytes after the last record
   * @param mostBytes at any of the looks, which are a twentieth of a second apart
   */
  public record LoadMemory(
      @JsonProperty("endBytes") double endBytes, @JsonProperty("mostBytes") double mostBytes) {}

  /** A result without the memory of the load. */
  public LatencyResult(
      String engine,
      double loadedPerSecond,
      @Nullable TestingResult testing,
      @Nullable RunningResult running,
      long peakResidentBytes) {
    this(engine, loadedPerSecond, testing, running, peakResidentBytes, null);
  }

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
    return new LatencyResult(
        series, loadedPerSecond, testing, running, peakResidentBytes, loadMemory);
  }
}
