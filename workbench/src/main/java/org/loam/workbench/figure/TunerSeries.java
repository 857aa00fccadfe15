package org.loam.workbench.figure;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.peer.Peer;

/**
 * The memory tuner beside memory that stays as it is (MemoryWalls §6.3): each series has a database
 * of its own. The last third of a phase counts, as in the paper.
 */
final class TunerSeries {
  /** Part of the memory that is write memory where the tuner begins: the paper's 64 MB of 4 GB. */
  static final double START = 1.0 / 32;

  /** Cycles of a phase that is too short for the log: the paper has 6 to 18 of an hour. */
  private static final int CYCLES = 15;

  private static final int MILLIS = 1_000;

  private TunerSeries() {}

  /**
   * A series in which the tuner moves memory. It counts pages, as the costs of the figures are
   * bytes.
   *
   * @param writeWeight ω
   */
  static Series tuned(String name, LatencySpec spec, int writeWeight) {
    Map<String, String> settings = SchemeSeries.settings(spec, START);
    long seconds = Math.max(1, spec.phaseMillis() / MILLIS / CYCLES);
    settings.put("tuner.mode", "ADAPTIVE");
    settings.put("tuner.cost", "PAGES");
    settings.put("tuner.cycleSeconds", String.valueOf(seconds));
    settings.put("tuner.writeWeight", String.valueOf(writeWeight));
    return series(name, spec, settings);
  }

  /** A series in which a part of the memory is write memory. */
  static Series fixed(String name, LatencySpec spec, double part) {
    return series(name, spec, SchemeSeries.settings(spec, part));
  }

  private static Series series(String name, LatencySpec spec, Map<String, String> settings) {
    Subject subject = new Subject(Peer.LOAM, spec.subject().directory(), settings);
    return new Series(name, spec.with(subject));
  }

  /** The result of least cost, of series in which the memory stays as it is. */
  static LatencyResult cheapest(List<LatencyResult> fixed, String cost) {
    return fixed.stream()
        .min(Comparator.comparingDouble(result -> result.number(cost)))
        .orElseThrow();
  }
}
