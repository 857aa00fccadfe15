package org.loam.workbench.bench.trees;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.loam.workbench.console.Machine;
import org.loam.workbench.peer.StoreSettings.Durability;

/**
 * What {@code loam bench trees --json} prints.
 *
 * @param rows one for each engine: the medians of its rounds
 * @param rounds all that was measured, in order of time
 * @param notes what a reader should know
 * @param settings that all rounds had
 * @param machine that it ran on
 */
record TreesReport(
    @JsonProperty("rows") List<TreesRow> rows,
    @JsonProperty("rounds") List<TreesRow> rounds,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("settings") Settings settings,
    @JsonProperty("machine") Machine machine) {
  private static final String FORMAT = "%-16s %8s %9s %9s %9s %9s%n";

  /**
   * What all rounds had.
   *
   * @param trees of each engine
   * @param valueBytes of the record in each
   * @param memoryBytes of each engine
   * @param durability of writes
   * @param loam settings of Loam that are not its defaults, by name
   */
  record Settings(
      @JsonProperty("trees") int trees,
      @JsonProperty("valueBytes") int valueBytes,
      @JsonProperty("memoryBytes") long memoryBytes,
      @JsonProperty("durability") Durability durability,
      @JsonProperty("loam") Map<String, String> loam) {}

  /** A line for each round, and one for the medians of each engine. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d trees with a record each, %d MiB of memory; seconds%n",
            settings.trees(),
            settings.memoryBytes() >> 20));
    text.append(
        String.format(Locale.ROOT, FORMAT, "engine", "", "create", "flush", "close", "open"));
    rounds.forEach(round -> text.append(line(round, "")));
    rows.forEach(row -> text.append(line(row, "median")));
    return text.toString();
  }

  private static String line(TreesRow row, String kind) {
    return String.format(
        Locale.ROOT,
        FORMAT,
        row.engine(),
        kind,
        cell(row.createSeconds()),
        cell(row.flushSeconds()),
        cell(row.closeSeconds()),
        cell(row.openSeconds()));
  }

  private static String cell(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }
}
