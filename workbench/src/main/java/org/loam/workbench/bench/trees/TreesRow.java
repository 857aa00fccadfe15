package org.loam.workbench.bench.trees;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How long one round of one engine took.
 *
 * @param engine its name
 * @param createSeconds to make a database with its trees
 * @param flushSeconds to flush a record of each tree
 * @param closeSeconds to close with a record of each tree in memory
 * @param openSeconds to open it again with all trees
 */
record TreesRow(
    @JsonProperty("engine") String engine,
    @JsonProperty("createSeconds") double createSeconds,
    @JsonProperty("flushSeconds") double flushSeconds,
    @JsonProperty("closeSeconds") double closeSeconds,
    @JsonProperty("openSeconds") double openSeconds) {

  /** The median of each number by itself; of an even number of rounds, the lower of the middle. */
  static TreesRow median(List<TreesRow> rounds) {
    return new TreesRow(
        rounds.get(0).engine(),
        median(rounds, TreesRow::createSeconds),
        median(rounds, TreesRow::flushSeconds),
        median(rounds, TreesRow::closeSeconds),
        median(rounds, TreesRow::openSeconds));
  }

  private static double median(List<TreesRow> rounds, ToDoubleFunction<TreesRow> number) {
    return rounds.stream().mapToDouble(number).sorted().toArray()[(rounds.size() - 1) / 2];
  }
}
