package org.loam.workbench.bench.secondary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.loam.workbench.bench.BenchOptions;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.MeasureOptions;
import org.loam.workbench.bench.Timing;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam bench secondary}: what indexes cost writers and bring readers. */
@Command(
    name = "secondary",
    description = {
      "Measures datasets with 0, 1, 2 and 4 secondary indexes: load, gets one by one,"
          + " queries of 1 to 1000 records, rewrites and updates of records in memory,"
          + " updates of any record.",
      "",
      "There are two data sets of values of 1000 bytes, with 400 MiB of memory."
          + " 'main' has 1.25 million values, five times the cache. 'cached' has 150"
          + " thousand. An update moves the record in every index, a rewrite in none. A"
          + " write is compared with the same write without indexes, a query with gets one"
          + " by one, in records per second. A phase takes 10 s, in one round. --quick"
          + " uses a quarter of the data and the"
          + " memory and an eighth of the time: it gives an impression, not a result."
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
  private static final Timing REHEARSAL_TIMING = new Timing(0, 300, 300, 0);
  private static final int MAX_INDEXES = 16;

  @Mixin private BenchOptions options = new BenchOptions();

  @Option(
      names = "--indexes",
      split = ",",
      paramLabel = "<n>",
      defaultValue = "0,1,2,4",
      description = "Numbers of indexes, comma-separated. Default: ${DEFAULT-VALUE}.")
  private List<Integer> indexes = List.of();

  @Option(
      names = "--threads",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Number of clients. Default: ${DEFAULT-VALUE}.")
  private int threads = 1;

  @Override
  public Integer call() throws InterruptedException {
    options.requirePositive("--threads", threads);
    int rounds = options.rounds(1);
    indexes.forEach(count -> options.requireIn("--indexes", count, 0, MAX_INDEXES));
    List<DataSize> sizes = options.sizes(MAIN, CACHED);
    SecondaryRound.Settings settings = settings(options.timing());
    try (WorkDirectory work = options.workDirectory("secondary", sizes)) {
      SecondaryReport report = run(sizes, settings, rounds, work.path());
      options.print(report, report::text);
      Progress.notes(report.notes());
    }
    return ExitCode.OK;
  }

  private SecondaryRound.Settings settings(Timing timing) {
    return new SecondaryRound.Settings(threads, timing, options.seed());
  }

  private SecondaryReport run(
      List<DataSize> sizes, SecondaryRound.Settings settings, int rounds, Path directory)
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
    return new SecondaryReport(
        SecondaryReport.medians(rows),
        MeasureOptions.notes(notes, rounds),
        rounds,
        options.seed(),
        options.quick(),
        Machine.of(directory));
  }

  /** Everything once on little data, so that the code is compiled. */
  private void rehearse(Path directory) throws InterruptedException {
    new SecondaryRound(REHEARSAL, 2, settings(REHEARSAL_TIMING))
        .run(directory.resolve("rehearsal"), work -> {}, () -> {});
  }
}
