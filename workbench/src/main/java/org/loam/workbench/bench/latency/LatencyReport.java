package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.Machine;

/**
 * What {@code loam bench latency --json} prints.
 *
 * @param settings that all engines had; the engine in it is the first one
 * @param results one for each engine
 * @param notes what a reader should know
 * @param origin what made it
 * @param machine that it ran on
 */
public record LatencyReport(
    @JsonProperty("settings") LatencySpec settings,
    @JsonProperty("results") List<LatencyResult> results,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("origin") Origin origin,
    @JsonProperty("machine") Machine machine) {

  /**
   * What made a report.
   *
   * @param command with its options
   * @param commit of the sources, with a mark if they were changed since; null if unknown
   * @param date when it was done, in UTC
   */
  public record Origin(
      @JsonProperty("command") String command,
      @JsonProperty("commit") @Nullable String commit,
      @JsonProperty("date") String date) {}
}
