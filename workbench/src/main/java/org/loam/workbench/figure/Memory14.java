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
 * What the memory tuner does when transactions derived from TPC-C change from the standard mix to a
 * read-mostly one (MemoryWalls §6.3.3, figure 14). Each mix is a series; with the tuner and without
 * it.
 */
final class Memory14 implements SeriesFigure {
  private static final int CLIENTS = 4;

  /** MemoryWalls §6.3.2. */
  private static final int WRITE_WEIGHT = 2;

  /** Part of the memory that is write memory where it stays as it is. */
  private static final double FIXED = 0.5;

  private static final List<Mix> MIXES = List.of(Mix.STANDARD, Mix.READ_MOSTLY);

  static final List<String> TUNED = List.of("standard", "read_mostly");
  static final List<String> UNTUNED = List.of("standard_half", "read_mostly_half");

  @Override
  public String id() {
    return "memory-14";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full ? new DataSize(1_000_000_000, 150, 4L << 30) : new DataSize(3_000_000, 150, 80L << 20);
    return Warehouses.transactions(
        SchemeSeries.spec(data, Trees.ONE, CLIENTS, full ? 3_600_000 : 120_000, seed), MIXES);
  }

  @Override
  public String scale(LatencySpec spec) {
    return Warehouses.scale(spec, "2,000 warehouses, 4 GB to 20 GB of memory, phases of 3,600 s");
  }

  /** With the tuner, and without it. */
  @Override
  public List<Series> series(LatencySpec spec) {
    LatencySpec run = Warehouses.transactions(spec, MIXES);
    return List.of(
        TunerSeries.tuned("tuned", run, WRITE_WEIGHT), TunerSeries.fixed("half", run, FIXED));
  }

  @Override
  public List<LatencyResult> measure(
      LatencySpec spec, String round, List<String> notes, Progress progress) {
    List<Series> series = series(spec);
    List<LatencyResult> results = new ArrayList<>();
    results.addAll(SchemeSeries.measure(series.get(0), TUNED, round, notes, progress));
    results.addAll(SchemeSeries.measure(series.get(1), UNTUNED, round, notes, progress));
    return results;
  }
}
