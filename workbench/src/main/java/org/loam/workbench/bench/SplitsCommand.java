package org.loam.workbench.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.workbench.bench.SplitsReport.Point;
import org.loam.workbench.bench.SplitsReport.Split;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam bench splits}: the memory tuner beside splits of the memory that stay. */
@Command(
    name = "splits",
    description = {
      "Measures how fast Loam is with its memory divided in eight ways that stay, and with the"
          + " tuner, which begins once with the least and once with the most write memory.",
      "",
      "The exit code is 0 only if the tuner comes within 5 %% of the fastest split, or as near as"
          + " rounds of that split differ, at most 15 %%, and is not slower than with a quarter or"
          + " half of the memory for writes. Each round loads a database, opens it with its split,"
          + " and runs one workload: 40 s of warm-up, in which the tuner has its cycles, then 20 s"
          + " that count. There are 1 million values of 1000 bytes, 128 MiB of memory, four"
          + " clients and three rounds, splits in turn. --seconds changes the time that counts; the"
          + " warm-up has twice as much. --quick measures two splits and the tuner, on a quarter of"
          + " the data with half of the memory, for 5 s, in one round: it shows that it works, no"
          + " more."
    },
    footer = {
      "  loam bench splits --quick",
      "  loam bench splits --json > splits.json",
      "  loam bench splits --workloads ycsb-b --percents 5,25,50 --rounds 1"
    })
public final class SplitsCommand implements Callable<Integer> {
  private static final DataSize DATA = new DataSize(1_000_000, 1000, 128L << 20);
  private static final DataSize QUICK_DATA = new DataSize(250_000, 1000, 64L << 20);
  private static final List<Integer> PERCENTS = List.of(3, 6, 12, 25, 37, 50, 60, 70);
  private static final List<Integer> QUICK_PERCENTS = List.of(25, 50);

  /** One of these is what a user would choose by hand. */
  private static final List<Integer> USUAL_PERCENTS = List.of(25, 50);

  private static final int MILLIS = 20_000;
  private static final int QUICK_MILLIS = 5_000;
  private static final int MOST_SECONDS = 1000;

  /** Cycles of the tuner in the time that counts; the warm-up has twice as many. */
  private static final int CYCLES = 4;

  @Mixin private RecordOptions options = new RecordOptions();

  @Option(names = "--quick", description = "Run one short round on less data, in a few minutes.")
  private boolean quick;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "<workload>",
      defaultValue = "ycsb-a,ycsb-b",
      description =
          "Workloads, comma-separated, each measured by itself: those of bench kv but load and"
              + " sync. Default: ${DEFAULT-VALUE}.")
  private List<String> workloads = List.of();

  @Option(
      names = "--percents",
      split = ",",
      paramLabel = "<n>",
      description =
          "Write memory of the splits that stay, in percent of all memory; the tuner begins"
              + " with the first and the last. Default: 3,6,12,25,37,50,60,70.")
  private List<Integer> percents = List.of();

  @Option(
      names = "--threads",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "Number of clients. Default: ${DEFAULT-VALUE}.")
  private int threads = 4;

  @Option(
      names = "--set",
      paramLabel = "<name>=<value>",
      description =
          "A setting of Loam that is not its default, such as tuner.policy=PAPER. May be"
              + " repeated.")
  private Map<String, String> settings = Map.of();

  @Override
  public Integer call() {
    options.requirePositive("--threads", threads);
    int rounds = options.rounds(quick ? 1 : 3);
    DataSize data = options.sized(quick ? QUICK_DATA : DATA);
    List<Workload> chosen = chosenWorkloads();
    List<Point> points = points();
    points.forEach(point -> options.parsed(() -> config(point, data)));
    points.forEach(point -> requireFits(point, data));
    try (WorkDirectory work = options.workDirectory("splits", List.of(data))) {
      Map<String, Subject> subjects = new LinkedHashMap<>();
      points.forEach(point -> subjects.put(point.name(), subject(point, data, work.path())));
      List<RoundSpec> templates =
          chosen.stream().map(workload -> template(subjects, data, workload)).toList();
      Campaign campaign = new Campaign("bench splits", subjects, rounds, templates);
      campaign.run();
      SplitsReport report = report(points, campaign, rounds, work.path());
      options.print(report, report::text);
      Progress.notes(report.notes());
      return report.passed() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private List<Workload> chosenWorkloads() {
    List<Workload> chosen = new ArrayList<>();
    for (String name : workloads) {
      Workload workload = options.parsed(() -> Workload.of(name));
      if (workload == Workload.LOAD || workload == Workload.SYNC) {
        throw options.usage("--workloads " + name + ": has no split of its own; use bench kv");
      }
      chosen.add(workload);
    }
    return chosen;
  }

  private List<Point> points() {
    List<Integer> chosen = !percents.isEmpty() ? percents : quick ? QUICK_PERCENTS : PERCENTS;
    List<Integer> sorted = chosen.stream().distinct().sorted().toList();
    sorted.forEach(percent -> options.requireIn("--percents", percent, 1, 90));
    List<Point> points = new ArrayList<>();
    sorted.forEach(percent -> points.add(new Point(percent + " %", false, percent)));
    for (int percent : List.of(sorted.get(0), sorted.get(sorted.size() - 1))) {
      points.add(new Point("tuner from " + percent + " %", true, percent));
    }
    return points;
  }

  private long measuredMillis() {
    return options.phaseMillis(quick ? QUICK_MILLIS : MILLIS, MOST_SECONDS);
  }

  private Timing timing() {
    long millis = measuredMillis();
    return new Timing(2 * millis, millis, millis, Rest.QUIET.toMillis());
  }

  private Map<String, String> settings(Point point, DataSize data) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("tuner.cycleSeconds", Long.toString(Math.max(1, measuredMillis() / 1_000 / CYCLES)));
    all.putAll(settings);
    all.put("write.initialBytes", data.memoryBytes() / 100 * point.startPercent() + "B");
    TunerMode mode = point.tuned() ? TunerMode.ADAPTIVE : TunerMode.FROZEN;
    all.put("tuner.mode", mode.name());
    return all;
  }

  private EngineConfig config(Point point, DataSize data) {
    return LoamEngine.config(data.memoryBytes(), Durability.PROCESS, settings(point, data));
  }

  private void requireFits(Point point, DataSize data) {
    SplitOptions.requireFits(
        options, "--percents = " + point.startPercent(), () -> config(point, data));
  }

  private Subject subject(Point point, DataSize data, Path directory) {
    return new Subject(Peer.LOAM, directory.toString(), settings(point, data));
  }

  private RoundSpec template(Map<String, Subject> subjects, DataSize data, Workload workload) {
    return new RoundSpec(
        subjects.values().iterator().next(),
        data,
        Durability.PROCESS,
        List.of(workload),
        List.of(threads),
        timing(),
        options.seed());
  }

  private SplitsReport report(List<Point> points, Campaign campaign, int rounds, Path path) {
    List<Split> splits = SplitsReport.splits(points, campaign.results());
    return new SplitsReport(
        splits,
        SplitsReport.verdicts(splits, USUAL_PERCENTS),
        campaign.results(),
        RecordOptions.notes(campaign.notes(), rounds),
        new KvReport.Settings(
            Durability.PROCESS.name(), rounds, timing(), settings, options.seed(), quick),
        Machine.of(path));
  }
}
