package org.loam.workbench.figure;

import java.util.List;
import org.loam.common.config.FlushPolicy;
import org.loam.common.config.WriteScheme;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.figure.SchemeSeries.Scheme;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.workload.tpcc.Mix;

/**
 * Schemes of write memory and flush policies with transactions derived from TPC-C (MemoryWalls
 * §6.2.3, figure 11): all at one size of the write memory, and one of them at two smaller sizes.
 */
final class Memory11 implements SeriesFigure {
  private static final int CLIENTS = 8;
  private static final List<Mix> MIXES = List.of(Mix.STANDARD);

  /** The first 30 of 60 minutes do not count. */
  private static final int WARMUP_PARTS = 2;

  @Override
  public String id() {
    return "memory-11";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full
            ? new DataSize(1_000_000_000, 150, 20L << 30)
            : new DataSize(3_000_000, 150, 80L << 20);
    LatencySpec spec = SchemeSeries.spec(data, Trees.ONE, CLIENTS, full ? 3_600_000 : 50_000, seed);
    return Warehouses.transactions(spec.with(spec.phases().warmedUp(WARMUP_PARTS)), MIXES);
  }

  @Override
  public String scale(LatencySpec spec) {
    return Warehouses.scale(
        spec,
        "2,000 warehouses, 20 GB of memory, of which 128 MB to 8 GB are write memory, phases of"
            + " 3,600 s of which the last half counts: data 25 to 1,600 times write memory and 10"
            + " times all memory, the log 1.2 to 80 times write memory, write memory 4 to 256 times"
            + " an active SSTable; here: "
            + Proportions.of(series(spec), Warehouses.dataBytes(spec)));
  }

  @Override
  public List<Series> series(LatencySpec spec) {
    LatencySpec run = Warehouses.transactions(spec, MIXES);
    SchemeSeries series = new SchemeSeries();
    add(series, Scheme.of(WriteScheme.STATIC), "", run, SchemeSeries.LARGE);
    for (FlushPolicy policy : FlushPolicy.values()) {
      add(series, Scheme.of(WriteScheme.DYNAMIC, policy), "", run, SchemeSeries.LARGE);
      add(series, Scheme.of(WriteScheme.LEVELS, policy), "", run, SchemeSeries.LARGE);
    }
    // Loam's default.
    add(series, Scheme.of(WriteScheme.RANGES, FlushPolicy.OPTIMAL), "", run, SchemeSeries.LARGE);
    Scheme best = Scheme.of(WriteScheme.LEVELS, FlushPolicy.OPTIMAL);
    add(series, best, "_small", run, SchemeSeries.SMALL);
    add(series, best, "_least", run, TunerSeries.START);
    return series.all();
  }

  private static void add(
      SchemeSeries series, Scheme scheme, String suffix, LatencySpec spec, double part) {
    series.add(scheme, suffix, spec, spec.traffic(), part);
  }
}
