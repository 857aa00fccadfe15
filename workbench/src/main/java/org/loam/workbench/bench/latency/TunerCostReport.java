package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.loam.common.config.TunerMode;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.console.Machine;

/**
 * What {@code loam bench tuner --json} prints.
 *
 * @param settings of the engine and its clients
 * @param rounds a phase of each mode
 * @param ratio of processor time for an operation, with the tuner and without, over the rounds
 * @param most what its median may be
 * @param notes what a reader should know
 * @param machine that it ran on
 */
record TunerCostReport(
    @JsonProperty("settings") LatencySpec settings,
    @JsonProperty("rounds") List<Round> rounds,
    @JsonProperty("ratio") Spread ratio,
    @JsonProperty("most") double most,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("machine") Machine machine) {

  private static final double MOST = 1.02;

  /**
   * A phase of each mode.
   *
   * @param frozen without the tuner
   * @param adaptive with it
   */
  record Round(@JsonProperty("frozen") Phase frozen, @JsonProperty("adaptive") Phase adaptive) {
    @JsonProperty("ratio")
    double ratio() {
      return adaptive.cpuMicrosPerOp() / frozen.cpuMicrosPerOp();
    }
  }

  /**
   * A phase.
   *
   * @param cpuMicrosPerOp processor time of the process for an operation
   * @param opsPerSecond operations of all clients
   */
  record Phase(
      @JsonProperty("cpuMicrosPerOp") double cpuMicrosPerOp,
      @JsonProperty("opsPerSecond") double opsPerSecond) {
    private static Phase of(LatencyResult result) {
      return new Phase(result.number("testedCpuMicrosPerOp"), result.number("testedPerSecond"));
    }
  }

  /**
   * Of phases in pairs, the first of which was the warm-up.
   *
   * @param modes of the phases
   */
  static TunerCostReport of(
      LatencySpec settings,
      List<TunerMode> modes,
      List<LatencyResult> phases,
      List<String> notes,
      Machine machine) {
    List<Round> rounds = new ArrayList<>();
    for (int i = 2; i < phases.size(); i += 2) {
      Phase first = Phase.of(phases.get(i));
      Phase second = Phase.of(phases.get(i + 1));
      boolean frozenFirst = modes.get(i) == TunerMode.FROZEN;
      rounds.add(frozenFirst ? new Round(first, second) : new Round(second, first));
    }
    Spread ratio = Spread.of(rounds.stream().map(Round::ratio).toList());
    return new TunerCostReport(settings, rounds, ratio, MOST, notes, machine);
  }

  /** Whether the tuner costs no more than it may. */
  @JsonProperty("passed")
  boolean passed() {
    return ratio.median() <= most;
  }

  /** As lines. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        line("round", "FROZEN µs/op", "ADAPTIVE µs/op", "FROZEN ops/s", "ADAPTIVE ops/s", "ratio"));
    for (int i = 0; i < rounds.size(); i++) {
      Phase frozen = rounds.get(i).frozen();
      Phase adaptive = rounds.get(i).adaptive();
      text.append(
          line(
              Integer.toString(i + 1),
              decimal(frozen.cpuMicrosPerOp()),
              decimal(adaptive.cpuMicrosPerOp()),
              Figures.whole(frozen.opsPerSecond()),
              Figures.whole(adaptive.opsPerSecond()),
              decimal(rounds.get(i).ratio())));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%s  processor time with the tuner is %.1f %% of that without (%.1f to %.1f),"
                + " at most %.0f %%%n",
            passed() ? "PASS" : "FAIL",
            100 * ratio.median(),
            100 * ratio.least(),
            100 * ratio.most(),
            100 * most));
    return text.toString();
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, "%-8s %16s %16s %16s %16s %9s%n", cells);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
