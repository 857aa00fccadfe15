package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.List;

/**
 * One number in all rounds.
 *
 * @param median of an even number of rounds, the lower one of the middle
 * @param least of all rounds
 * @param most of all rounds
 */
public record Spread(
    @JsonProperty("median") double median,
    @JsonProperty("least") double least,
    @JsonProperty("most") double most) {

  static Spread of(Collection<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return new Spread(
        sorted.get((sorted.size() - 1) / 2), sorted.get(0), sorted.get(sorted.size() - 1));
  }
}
