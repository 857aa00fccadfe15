package org.loam.workbench.bench;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What benchmarks with a list of workloads ask of a user: which data sets, and how thoroughly. */
public final class BenchOptions extends RecordOptions {
  private static final int QUICK_FRACTION = 4;
  private static final int MOST_SECONDS = 1000;

  /**
   * A database was just opened when its first phase begins: in less time one client that reads has
   * not filled a cache of 256 MiB with records of 100 bytes, and would be measured doing so.
   */
  private static final long LEAST_WARMUP_MILLIS = 3_000;

  @Option(names = "--quick", description = "Run one short round on less data, in a few minutes.")
  private boolean quick;

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "<set>",
      defaultValue = "main,cached",
      description = "Data sets, comma-separated: main, cached. Default: both.")
  private List<String> data = List.of();

  public boolean quick() {
    return quick;
  }

  /**
   * The data sets that were asked for, each once.
   *
   * @param main in full size
   * @param cached in full size
   */
  public List<DataSize> sizes(DataSize main, DataSize cached) {
    Set<DataSize> sizes = new LinkedHashSet<>();
    for (String name : data) {
      sizes.add(
          switch (name.strip()) {
            case "main" -> sized(usual(main));
            case "cached" -> sized(usual(cached));
            default -> throw usage("unknown data set '" + name + "'; choose from main, cached");
          });
    }
    return List.copyOf(sizes);
  }

  private DataSize usual(DataSize full) {
    int fraction = quick ? QUICK_FRACTION : 1;
    return new DataSize(
        full.records() / fraction, full.valueBytes(), full.memoryBytes() / fraction);
  }

  /** How long phases last. */
  public Timing timing() {
    long rest = Rest.QUIET.toMillis();
    Long millis = phaseMillis(MOST_SECONDS);
    if (millis != null) {
      return new Timing(Math.max(LEAST_WARMUP_MILLIS, millis / 3), millis, 6 * millis, rest);
    }
    return quick
        ? new Timing(700, 1_300, 8_000, rest)
        : new Timing(LEAST_WARMUP_MILLIS, 10_000, 60_000, rest);
  }
}
