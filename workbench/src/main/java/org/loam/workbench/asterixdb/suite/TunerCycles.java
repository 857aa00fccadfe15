package org.loam.workbench.asterixdb.suite;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * Cycles that the memory tuners of all nodes ended while cases ran.
 *
 * @param cycles all of them
 * @param moved those within which memory moved: write memory had another size at the end
 * @param decided those at whose end it was decided to move memory
 */
public record TunerCycles(
    @JsonProperty("cycles") int cycles,
    @JsonProperty("moved") int moved,
    @JsonProperty("decided") int decided) {
  static final TunerCycles NONE = new TunerCycles(0, 0, 0);

  /** What the runner says of a case. */
  static TunerCycles of(JsonNode answer) {
    return new TunerCycles(
        answer.path("cycles").asInt(),
        answer.path("moved").asInt(),
        answer.path("decided").asInt());
  }

  TunerCycles plus(TunerCycles others) {
    return new TunerCycles(cycles + others.cycles, moved + others.moved, decided + others.decided);
  }
}
