package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.loam.common.config.WriteScheme;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.console.Progress;
import org.loam.workbench.figure.SchemeSeries.Scheme;
import org.loam.workbench.figure.SchemeSeries.Series;

/**
 * Write memory that alternates between a large and a small size (MemoryWalls §6.2.1, figure 9):
 * levels that follow it, and levels for one of the two sizes. Each size comes twice, and the second
 * time counts, when levels have adapted to the first change.
 */
final class Memory9 implements SeriesFigure {
  private static final int CLIENTS = 8;

  /** Part of the memory that is write memory while it is large. */
  private static final double PART = 0.4;

  /** The paper's 1 GB and 32 MB. */
  private static final int RATIO = 32;

  private static final List<String> STAGES =
      List.of("_in_large_first", "_in_small_first", "_in_large", "_in_small");

  @Override
  public String id() {
    return "memory-9";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full
            ? new DataSize(100_000_000, 1000, 2560L << 20)
            : new DataSize(1_000_000, 1000, 160L << 20);
    return SchemeSeries.spec(data, Trees.ONE, CLIENTS, full ? 1_800_000 : 60_000, seed);
  }

  @Override
  public String scale(LatencySpec spec) {
    return String.format(
        Locale.ROOT,
        "%,d records of %d bytes, write memory of %d and %d KiB, phases of %s s of which the last"
            + " two thirds count: %s; the paper: 100,000,000 records of 1 KB, write memory of 1 GB"
            + " and 32 MB, phases of 1,800 s: data 110 and 3,400 times write memory and 5.5 times"
            + " all memory, the log 10 and 320 times write memory, write memory 1 and 32 times an"
            + " active SSTable",
        spec.data().records(),
        spec.data().valueBytes(),
        large(spec) >> 10,
        small(spec) >> 10,
        spec.phaseSeconds(),
        Proportions.of(series(spec), spec.data().dataBytes()));
  }

  private static long large(LatencySpec spec) {
    return (long) (spec.data().memoryBytes() * PART);
  }

  private static long small(LatencySpec spec) {
    return large(spec) / RATIO;
  }

  @Override
  public List<Series> series(LatencySpec spec) {
    SchemeSeries series = new SchemeSeries();
    add(series, "dynamic", 0, spec);
    add(series, "static_small", small(spec), spec);
    add(series, "static_large", large(spec), spec);
    return series.all();
  }

  private static void add(SchemeSeries series, String name, long sizedForBytes, LatencySpec spec) {
    Scheme scheme =
        new Scheme(
            name,
            Map.of(
                "write.scheme",
                WriteScheme.RANGES.name(),
                "disk.sizedForBytes",
                sizedForBytes + "B",
                "write.targetBytes",
                large(spec) + "B"));
    Map<String, String> large = Map.of("write.targetBytes", large(spec) + "B");
    Map<String, String> small = Map.of("write.targetBytes", small(spec) + "B");
    LatencySpec staged = spec.with(spec.phases().staged(List.of(large, small, large, small)));
    series.add(scheme, "", staged, spec.traffic(), PART);
  }

  /** The names of the results of a series. */
  static List<String> names(Series series) {
    return STAGES.stream().map(stage -> series.name() + stage).toList();
  }

  @Override
  public List<LatencyResult> measure(
      LatencySpec spec, String round, List<String> notes, Progress progress) {
    List<LatencyResult> results = new ArrayList<>();
    for (Series series : series(spec)) {
      results.addAll(SchemeSeries.measure(series, names(series), round, notes, progress));
    }
    return results;
  }
}
