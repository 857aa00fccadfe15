package org.loam.workbench.figure;

import java.util.List;
import org.loam.common.config.WriteScheme;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.figure.SchemeSeries.Scheme;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.workload.Workload;

/**
 * One tree, all schemes (MemoryWalls §6.2.1, figure 7): four mixes at one size of the write memory,
 * and writes alone at a smaller one.
 */
final class Memory7 implements SeriesFigure {
  private static final int CLIENTS = 8;

  @Override
  public String id() {
    return "memory-7";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full ? new DataSize(100_000_000, 1000, 20L << 30) : new DataSize(250_000, 1000, 80L << 20);
    return SchemeSeries.spec(data, Trees.ONE, CLIENTS, full ? 1_800_000 : 15_000, seed);
  }

  @Override
  public String scale(LatencySpec spec) {
    return SchemeSeries.scale(spec, series(spec));
  }

  @Override
  public List<Series> series(LatencySpec spec) {
    SchemeSeries series = new SchemeSeries();
    for (WriteScheme scheme : WriteScheme.values()) {
      Scheme one = Scheme.of(scheme);
      series.add(one, "_write_only", spec, spec.traffic(), SchemeSeries.LARGE);
      series.add(one, "_write_only_small", spec, spec.traffic(), SchemeSeries.SMALL);
      series.add(
          one, "_write_heavy", spec, spec.traffic().with(Workload.YCSB_A), SchemeSeries.LARGE);
      series.add(
          one, "_read_heavy", spec, spec.traffic().with(Workload.YCSB_B), SchemeSeries.LARGE);
      series.add(
          one, "_scan_heavy", spec, spec.traffic().with(Workload.SCAN_HEAVY), SchemeSeries.LARGE);
    }
    return series.all();
  }
}
