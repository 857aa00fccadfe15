package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What engines found in several rounds. A number of an engine is the median of its rounds; the
 * charts are those of one round as a whole, in which most writes took their usual time: that with
 * the median of the 99 % latency. For one thread.
 */
public final class LatencyRounds {
  /** The number by which the round with the charts is chosen. */
  private static final String CHOSEN_BY = "writeP99Micros";

  private final Map<String, List<LatencyResult>> byEngine = new LinkedHashMap<>();

  /**
   * The numbers of one engine in one round.
   *
   * @param engine its name
   * @param round from 1
   * @param numbers by name
   */
  public record Round(
      @JsonProperty("engine") String engine,
      @JsonProperty("round") int round,
      @JsonProperty("numbers") Map<String, Double> numbers) {}

  /** Adds the next round of an engine. */
  public void add(LatencyResult result) {
    byEngine.computeIfAbsent(result.engine(), engine -> new ArrayList<>()).add(result);
  }

  /** How many rounds each engine had. */
  public int count() {
    return byEngine.values().iterator().next().size();
  }

  /** All rounds, by engine in order of first appearance. */
  List<Round> all() {
    List<Round> rounds = new ArrayList<>();
    byEngine.forEach(
        (engine, results) -> {
          for (int i = 0; i < results.size(); i++) {
            rounds.add(new Round(engine, i + 1, Numbers.of(results.get(i))));
          }
        });
    return rounds;
  }

  /** Median and range of each number, by name, by engine. */
  static Map<String, Map<String, Spread>> spreads(List<Round> rounds) {
    Map<String, Map<String, List<Double>>> values = new LinkedHashMap<>();
    for (Round round : rounds) {
      Map<String, List<Double>> ofEngine =
          values.computeIfAbsent(round.engine(), engine -> new LinkedHashMap<>());
      round
          .numbers()
          .forEach(
              (name, value) -> ofEngine.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    }
    Map<String, Map<String, Spread>> spreads = new LinkedHashMap<>();
    values.forEach(
        (engine, numbers) -> {
          Map<String, Spread> ofEngine = new LinkedHashMap<>();
          numbers.forEach((name, found) -> ofEngine.put(name, Spread.of(found)));
          spreads.put(engine, ofEngine);
        });
    return spreads;
  }

  /** One whole round of each engine, for the charts. */
  List<LatencyResult> typical() {
    List<LatencyResult> typical = new ArrayList<>();
    for (List<LatencyResult> results : byEngine.values()) {
      List<LatencyResult> sorted = new ArrayList<>(results);
      sorted.sort(
          Comparator.comparingDouble(
              result -> Numbers.of(result).getOrDefault(CHOSEN_BY, Double.NaN)));
      typical.add(sorted.get((sorted.size() - 1) / 2));
    }
    return typical;
  }
}
