package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.workload.Workload;

/**
 * What the memory tuner does with one tree, by the part of operations that write and by the size of
 * the memory (MemoryWalls §6.3.1, figure 12).
 */
final class Memory12 implements SeriesFigure {
  private static final int CLIENTS = 4;

  /** The larger memory: the paper has 4 GB and 20 GB. */
  private static final int LARGE = 5;

  @Override
  public String id() {
    return "memory-12";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full ? new DataSize(100_000_000, 1000, 4L << 30) : new DataSize(1_000_000, 1000, 80L << 20);
    return SchemeSeries.spec(data, Trees.ONE, CLIENTS, full ? 3_600_000 : 90_000, seed);
  }

  @Override
  public String scale(LatencySpec spec) {
    return String.format(
        Locale.ROOT,
        "%,d records of %d bytes, %d or %d MiB of memory, phases of %s s; the paper: 100,000,000"
            + " records of 1 KB, 4 or 20 GB of memory, phases of 3,600 s",
        spec.data().records(),
        spec.data().valueBytes(),
        spec.data().memoryBytes() >> 20,
        (LARGE * spec.data().memoryBytes()) >> 20,
        spec.phaseSeconds());
  }

  @Override
  public List<Series> series(LatencySpec spec) {
    LatencySpec large = spec.withMemory(LARGE * spec.data().memoryBytes());
    List<Series> all = new ArrayList<>();
    all.add(TunerSeries.tuned("writes_10", with(spec, Workload.WRITES_10), 1));
    all.add(TunerSeries.tuned("writes_30", with(spec, Workload.WRITES_30), 1));
    all.add(TunerSeries.tuned("writes_50", with(spec, Workload.YCSB_A), 1));
    all.add(TunerSeries.tuned("writes_10_large", with(large, Workload.WRITES_10), 1));
    all.add(TunerSeries.tuned("writes_50_large", with(large, Workload.YCSB_A), 1));
    all.add(TunerSeries.fixed("untuned_50", with(spec, Workload.YCSB_A), TunerSeries.START));
    return all;
  }

  private static LatencySpec with(LatencySpec spec, Workload workload) {
    return spec.with(spec.traffic().with(workload));
  }
}
