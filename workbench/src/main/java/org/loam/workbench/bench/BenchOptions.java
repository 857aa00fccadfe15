package org.loam.workbench.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.ByteSize;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.console.WorkOptions;
import picocli.CommandLine.Option;

/** What all benchmarks ask of a user: which data, for how long, where, and how to report. */
public final class BenchOptions extends WorkOptions {
  private static final int QUICK_FRACTION = 4;
  private static final int MOST = 1000;

  @Option(names = "--quick", description = "Run one short round on less data, in a few minutes.")
  private boolean quick;

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "<set>",
      defaultValue = "main,cached",
      description = "Data sets, comma-separated: main, cached. Default: both.")
  private List<String> data = List.of();

  @Option(
      names = "--records",
      paramLabel = "<n>",
      description = "Number of records to load. Default: that of the data set.")
  private @Nullable Long records;

  @Option(
      names = "--value-bytes",
      paramLabel = "<n>",
      description = "Bytes of a value. Default: that of the data set.")
  private @Nullable Integer valueBytes;

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      converter = ByteSize.class,
      description = "Memory of each engine, such as 512MiB. Default: that of the data set.")
  private @Nullable Long memoryBytes;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      description = "Seconds for which a phase is measured. Default: 10, with --quick 1.")
  private @Nullable Integer seconds;

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
            case "main" -> sized(main);
            case "cached" -> sized(cached);
            default -> throw usage("unknown data set '" + name + "'; choose from main, cached");
          });
    }
    return List.copyOf(sizes);
  }

  private DataSize sized(DataSize full) {
    int fraction = quick ? QUICK_FRACTION : 1;
    return parsed(
        () ->
            new DataSize(
                records == null ? full.records() / fraction : records,
                valueBytes == null ? full.valueBytes() : valueBytes,
                memoryBytes == null ? full.memoryBytes() / fraction : memoryBytes));
  }

  /** How long phases last. */
  public Timing timing() {
    long rest = Rest.QUIET.toMillis();
    if (seconds != null) {
      long millis = Duration.ofSeconds(requirePositive("--seconds", seconds)).toMillis();
      return new Timing(Math.max(500, millis / 3), millis, 6 * millis, rest);
    }
    return quick ? new Timing(700, 1_300, 8_000, rest) : new Timing(3_000, 10_000, 60_000, rest);
  }

  /** A directory with room for the largest of the data sets. */
  public WorkDirectory workDirectory(String name, List<DataSize> sizes) {
    WorkDirectory work = workDirectory(name, false);
    long largest = sizes.stream().mapToLong(DataSize::dataBytes).max().orElseThrow();
    try {
      // Old and new components side by side, logs, and what overwriting adds before it is merged.
      work.requireFreeBytes(4 * largest + (2L << 30));
    } catch (RuntimeException e) {
      work.close();
      throw e;
    }
    return work;
  }

  /** The notes, with a warning if there was one round only. */
  public static List<String> notes(List<String> notes, int rounds) {
    List<String> all = new ArrayList<>(notes);
    if (rounds == 1) {
      all.add("one round only: differences of 15 % and less mean nothing");
    }
    return all;
  }

  /** Refuses a number that is not from 1 to 1000. */
  public int requirePositive(String option, int value) {
    return requireIn(option, value, 1, MOST);
  }

  /** What a parser makes of an option; its refusal is told as the option's. */
  <T> T parsed(Supplier<T> parse) {
    try {
      return parse.get();
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }
}
