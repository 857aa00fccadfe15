package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.Machine;

/**
 * What {@code loam bench latency --json} prints.
 *
 * @param settings that all engines had; the engine in it is the first one
 * @param results one for each engine: a round as a whole, with its series
 * @param rounds the numbers of each round
 * @param numbers their medians and ranges, by name, by engine
 * @param notes what a reader should know
 * @param origin what made it
 * @param machine that it ran on
 */
public record LatencyReport(
    @JsonProperty("settings") LatencySpec settings,
    @JsonProperty("results") List<LatencyResult> results,
    @JsonProperty("rounds") List<LatencyRounds.Round> rounds,
    @JsonProperty("numbers") Map<String, Map<String, Spread>> numbers,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("origin") Origin origin,
    @JsonProperty("machine") Machine machine) {
  private static final long STEADY_MILLIS = 5 * 60_000;

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

  /** Of all that was measured. */
  public static LatencyReport of(
      LatencySpec settings,
      LatencyRounds measured,
      List<String> notes,
      Origin origin,
      Machine machine) {
    List<LatencyRounds.Round> rounds = measured.all();
    List<String> all = new ArrayList<>(notes);
    if (settings.phaseMillis() < STEADY_MILLIS) {
      all.add("phases of less than 5 minutes: merges may not have reached a steady state");
    }
    return new LatencyReport(
        settings, measured.typical(), rounds, LatencyRounds.spreads(rounds), all, origin, machine);
  }

  /** As lines: one per number, one column per engine. */
  public String table() {
    return LatencyTable.of(this);
  }

  /** Whether numbers have a range. */
  boolean hasRanges() {
    return rounds.stream().anyMatch(round -> round.round() > 1);
  }
}
