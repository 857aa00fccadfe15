package org.loam.workbench.bench.secondary;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Timing;
import org.loam.workbench.console.ByteSize;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam bench secondary}: what indexes cost writers and bring readers. */
@Command(
    name = "secondary",
    description = {
      "Measures datasets with 0, 1, 2 and 4 eagerly kept indexes: load, updates of records that"
          + " are in memory and of any, gets one by one, queries of 1 to 1000 records.",
      "",
      "Two data sets of values of 1000 bytes with 400 MiB of memory: 'main', 1.25 million, five"
          + " times the cache, and 'cached', 150 thousand. Each update moves the record in every"
          + " index. The ratio of a write is to that without indexes, that of a query to gets one"
          + " by one, in records per second. --quick takes a quarter of data and memory and an"
          + " eighth of the time: a look, not a claim."
    },
    footer = {
      "  loam bench secondary --quick",
      "  loam bench secondary --rounds 3 --json > results.json",
      "  loam bench secondary --indexes 0,2 --data main --threads 4"
    })
public final class SecondaryCommand implements Callable<Integer> {
  private static final DataSize MAIN = new DataSize(1_250_000, 1000, 400L << 20);
  private static final DataSize CACHED = new DataSize(150_000, 1000, 400L << 20);
  private static final DataSize REHEARSAL = new DataSize(20_000, 1000, 64L << 20);
  private static final Timing REHEARSAL_TIMING = new Timing(0, 300, 300);
  private static final int QUICK_FRACTION = 4;
  private static final int MAX_INDEXES = 16;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--indexes",
      split = ",",
      paramLabel = "<n>",
      defaultValue = "0,1,2,4",
      description = "Numbers of indexes, comma-separated. Default: ${DEFAULT-VALUE}.")
  private List<Integer> indexes = List.of();

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "<set>",
      defaultValue = "main,cached",
      description = "Data sets, comma-separated: main, cached. Default: both.")
  private List<String> data = List.of();

  @Option(
      names = "--threads",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Clients. Default: ${DEFAULT-VALUE}.")
  private int threads = 1;

  @Option(names = "--quick", description = "One short round on less data.")
  private boolean quick;

  @Option(names = "--json", description = "Print a JSON document instead of a table.")
  private boolean json;

  @Option(
      names = "--records",
      paramLabel = "<n>",
      description = "Records to load, instead of the data set's.")
  private @Nullable Long records;

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      converter = ByteSize.class,
      description = "Memory of the engine, as 512MiB, instead of the data set's.")
  private @Nullable Long memoryBytes;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Rounds, of which the median counts. Default: ${DEFAULT-VALUE}.")
  private int rounds = 1;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      description = "Measured seconds of a phase. Default: 10, with --quick 1.")
  private @Nullable Integer seconds;

  @Option(
      names = "--directory",
      paramLabel = "<path>",
      description = "Where to put the databases: an empty or new directory, removed at the end.")
  private @Nullable Path directory;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      defaultValue = "42",
      description = "Of all randomness. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() throws InterruptedException {
    requireIn("--threads", threads, 1, 1000);
    requireIn("--rounds", rounds, 1, 1000);
    indexes.forEach(count -> requireIn("--indexes", count, 0, MAX_INDEXES));
    List<DataSize> sizes = sizes();
    SecondaryRound.Settings settings = new SecondaryRound.Settings(threads, timing(), seed);
    try (WorkDirectory work = WorkDirectory.create(directory, "secondary", false)) {
      long largest = sizes.stream().mapToLong(DataSize::dataBytes).max().orElseThrow();
      work.requireFreeBytes(4 * largest + (2L << 30));
      print(run(sizes, settings, work.path()));
    }
    return ExitCode.OK;
  }

  private SecondaryReport run(
      List<DataSize> sizes, SecondaryRound.Settings settings, Path directory)
      throws InterruptedException {
    rehearse(directory);
    List<SecondaryRow> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    int works = indexes.stream().mapToInt(n -> SecondaryRound.works(n).size()).sum();
    try (Progress progress =
        Progress.start("bench secondary", (long) works * rounds * sizes.size())) {
      for (DataSize size : sizes) {
        for (int i = 0; i < rounds; i++) {
          for (int count : indexes) {
            SecondaryRound round = new SecondaryRound(size, count, settings);
            round.run(
                directory.resolve("database"),
                work -> progress.detail(work.name() + ", " + count + " indexes"),
                () -> progress.step(1));
            rows.addAll(round.rows());
            notes.addAll(round.notes());
          }
        }
      }
    }
    if (rounds == 1) {
      notes.add("one round only: differences of 15 % and less mean nothing");
    }
    return new SecondaryReport(
        SecondaryReport.medians(rows), notes, rounds, seed, quick, Machine.of(directory));
  }

  /** Everything once on little data, so that the code is compiled. */
  private void rehearse(Path directory) throws InterruptedException {
    SecondaryRound.Settings settings = new SecondaryRound.Settings(threads, REHEARSAL_TIMING, seed);
    new SecondaryRound(REHEARSAL, 2, settings)
        .run(directory.resolve("rehearsal"), work -> {}, () -> {});
  }

  private void print(SecondaryReport report) {
    PrintWriter out = command().commandLine().getOut();
    if (json) {
      out.println(Json.document(report));
    } else {
      out.print(report.text());
    }
    out.flush();
    report.notes().forEach(note -> Progress.say("note: " + note));
  }

  private List<DataSize> sizes() {
    List<DataSize> sizes = new ArrayList<>();
    int fraction = quick ? QUICK_FRACTION : 1;
    for (String name : data) {
      DataSize base =
          switch (name.strip()) {
            case "main" -> MAIN;
            case "cached" -> CACHED;
            default -> throw usage("unknown data set '" + name + "'; choose from main, cached");
          };
      try {
        sizes.add(
            new DataSize(
                records == null ? base.records() / fraction : records,
                base.valueBytes(),
                memoryBytes == null ? base.memoryBytes() / fraction : memoryBytes));
      } catch (IllegalArgumentException e) {
        throw usage(String.valueOf(e.getMessage()));
      }
    }
    return sizes;
  }

  private Timing timing() {
    if (seconds != null) {
      requireIn("--seconds", seconds, 1, 1000);
      return new Timing(Math.max(500, 1000L * seconds / 3), 1000L * seconds, 1000L * seconds);
    }
    return quick ? new Timing(700, 1_300, 1_300) : new Timing(3_000, 10_000, 10_000);
  }

  private void requireIn(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw usage(option + " = " + value + ", rule: " + least + " to " + most);
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(command().commandLine(), message);
  }

  private CommandSpec command() {
    if (spec == null) {
      throw new AssertionError("runs only as a command");
    }
    return spec;
  }
}
