package org.loam.workbench.figure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Transactions;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;

/**
 * The memory tuner beside memory that stays as it is (MemoryWalls §6.3): each series has a database
 * of its own. The last third of a phase counts, as in the paper.
 */
final class TunerSeries {
  /** Part of the memory that is write memory where the tuner begins: the paper's 64 MB of 4 GB. */
  static final double START = 1.0 / 32;

  /** Records of a warehouse of full size, about, without items. */
  private static final int RECORDS_OF_WAREHOUSE = 500_000;

  /** Cycles of a phase that is too short for the log: the paper has 6 to 18 of an hour. */
  private static final int CYCLES = 15;

  private static final int MILLIS = 1_000;

  private TunerSeries() {}

  /**
   * A series in which the tuner moves memory.
   *
   * @param writeWeight ω
   */
  static Series tuned(String name, LatencySpec spec, int writeWeight) {
    Map<String, String> settings = SchemeSeries.settings(spec, START);
    long seconds = Math.max(1, spec.phaseMillis() / MILLIS / CYCLES);
    settings.put("tuner.mode", "ADAPTIVE");
    settings.put("tuner.cycleSeconds", String.valueOf(seconds));
    settings.put("tuner.writeWeight", String.valueOf(writeWeight));
    return series(name, spec, settings);
  }

  /** A series in which a part of the memory is write memory. */
  static Series fixed(String name, LatencySpec spec, double part) {
    Map<String, String> settings = SchemeSeries.settings(spec, part);
    settings.put("tuner.mode", "FROZEN");
    return series(name, spec, settings);
  }

  private static Series series(String name, LatencySpec spec, Map<String, String> settings) {
    Subject subject = new Subject(Peer.LOAM, spec.subject().directory(), settings);
    return new Series(name, spec.with(subject));
  }

  /** As many warehouses as have about the records of a specification; of one, a part. */
  static LatencySpec transactions(LatencySpec spec, List<Mix> mixes) {
    long records = spec.data().records();
    int warehouses = (int) Math.max(1, records / RECORDS_OF_WAREHOUSE);
    double part = Math.min(1, (double) records / warehouses / RECORDS_OF_WAREHOUSE);
    return spec.with(new Transactions(Scale.of(warehouses, part), mixes));
  }

  /** What {@link Figure#scale} says of transactions. */
  static String scale(LatencySpec spec, String paper) {
    Transactions transactions = transactions(spec, List.of()).transactions();
    if (transactions == null) {
      throw new AssertionError("it has transactions");
    }
    Scale scale = transactions.scale();
    return String.format(
        Locale.ROOT,
        "warehouses: %d of %,d items and %,d customers a district, %d MiB of memory, phases of"
            + " %d s; the paper: %s",
        scale.warehouses(),
        scale.items(),
        scale.customers(),
        spec.data().memoryBytes() >> 20,
        spec.phaseMillis() / MILLIS,
        paper);
  }
}
