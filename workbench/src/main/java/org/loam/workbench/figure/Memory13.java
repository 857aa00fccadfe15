package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.console.Progress;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.workload.tpcc.Mix;

/**
 * The memory tuner beside the best division of memory that a search finds, with transactions
 * derived from TPC-C (MemoryWalls §6.3.2, figure 13).
 */
final class Memory13 implements SeriesFigure {
  /** The series with the least cost, once more. */
  static final String BEST = "opt";

  private static final String COST = "lateWeightedBytesPerOp";

  private static final int CLIENTS = 4;

  /** MemoryWalls §6.3.2. */
  private static final int WRITE_WEIGHT = 2;

  private static final double HALF = 0.5;

  /** Percentages that the search looks at, beside the start and the half. */
  private static final List<Integer> SEARCHED = List.of(8, 16, 25);

  @Override
  public String id() {
    return "memory-13";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full ? new DataSize(1_000_000_000, 150, 8L << 30) : new DataSize(3_000_000, 150, 80L << 20);
    return Warehouses.transactions(
        SchemeSeries.spec(data, Trees.ONE, CLIENTS, full ? 3_600_000 : 90_000, seed),
        List.of(Mix.STANDARD));
  }

  @Override
  public String scale(LatencySpec spec) {
    return Warehouses.scale(spec, "2,000 warehouses, 4 GB to 20 GB of memory, phases of 3,600 s");
  }

  /** The tuner first. */
  @Override
  public List<Series> series(LatencySpec spec) {
    LatencySpec run = Warehouses.transactions(spec, List.of(Mix.STANDARD));
    List<Series> all = new ArrayList<>();
    all.add(TunerSeries.tuned("tuned", run, WRITE_WEIGHT));
    all.add(TunerSeries.fixed("small", run, TunerSeries.START));
    all.add(TunerSeries.fixed("half", run, HALF));
    for (int percent : SEARCHED) {
      all.add(TunerSeries.fixed("fixed_" + percent, run, percent / 100.0));
    }
    return all;
  }

  @Override
  public List<LatencyResult> measure(
      LatencySpec spec, String round, List<String> notes, Progress progress) {
    List<LatencyResult> results =
        new ArrayList<>(SeriesFigure.super.measure(spec, round, notes, progress));
    results.add(TunerSeries.cheapest(results.subList(1, results.size()), COST).named(BEST));
    return results;
  }
}
