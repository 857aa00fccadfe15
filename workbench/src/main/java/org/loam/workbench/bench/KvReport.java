package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.loam.workbench.bench.RoundPart.Summary;
import org.loam.workbench.console.Machine;

/**
 * What {@code loam bench kv --json} prints.
 *
 * @param rows one per workload, thread count and engine: the median round
 * @param rounds all that was measured, in order of time
 * @param notes what a reader should know
 * @param settings that all rounds had
 * @param machine that it ran on
 */
record KvReport(
    @JsonProperty("rows") List<Row> rows,
    @JsonProperty("rounds") List<RoundResult> rounds,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("settings") Settings settings,
    @JsonProperty("machine") Machine machine) {

  /**
   * One process.
   *
   * @param engine the peer
   * @param round from 1
   * @param data what it worked on
   * @param process the whole process
   * @param rows its measurements
   */
  record RoundResult(
      @JsonProperty("engine") String engine,
      @JsonProperty("round") int round,
      @JsonProperty("data") DataSize data,
      @JsonProperty("process") Summary process,
      @JsonProperty("rows") List<Row> rows) {}

  /**
   * How it was measured.
   *
   * @param durability of writes
   * @param rounds per engine
   * @param timing of the phases
   * @param loam settings of Loam that are not its defaults
   * @param seed of all randomness
   * @param quick whether the short form ran; its figures prove nothing
   */
  record Settings(
      @JsonProperty("durability") String durability,
      @JsonProperty("rounds") int rounds,
      @JsonProperty("timing") Timing timing,
      @JsonProperty("loam") Map<String, String> loam,
      @JsonProperty("seed") long seed,
      @JsonProperty("quick") boolean quick) {}
}
