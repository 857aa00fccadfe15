package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.loam.common.config.TunerMode;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.RecordOptions;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam bench tuner}: what the memory tuner costs reads that need no disk. */
@Command(
    name = "tuner",
    description = {
      "Measures the processor time of reads from the cache, with the memory tuner and without.",
      "",
      "One engine in one process changes between tuner.mode FROZEN, in which nothing is"
          + " measured, and ADAPTIVE with a cycle each second. A round is a phase of each, and"
          + " every second round has them the other way round. A first pair of phases does not"
          + " count, nor does the first sixth of a phase. The exit code is 0 only if the median"
          + " of the rounds is at most 2 %% more processor time for an operation, of the whole"
          + " process and its clients.",
      "",
      "There are 1 million values of 100 bytes, 512 MiB of memory, two clients, nine rounds and"
          + " phases of 5 s."
    },
    footer = {
      "  loam bench tuner",
      "  loam bench tuner --rounds 21 --threads 1 --json > tuner.json"
    })
public final class TunerCostCommand implements Callable<Integer> {
  private static final DataSize DATA = new DataSize(1_000_000, 100, 512L << 20);
  private static final int ROUNDS = 9;
  private static final int USUAL_MILLIS = 5_000;
  private static final int MOST_SECONDS = 1000;
  private static final String MODE = "tuner.mode";

  @Mixin private RecordOptions options = new RecordOptions();

  @Option(
      names = "--threads",
      paramLabel = "<n>",
      defaultValue = "2",
      description = "Number of clients. Default: ${DEFAULT-VALUE}.")
  private int threads = 2;

  @Override
  public Integer call() {
    options.requirePositive("--threads", threads);
    int rounds = options.rounds(ROUNDS);
    DataSize data = options.sized(DATA);
    List<TunerMode> modes = modes(rounds);
    long millis = options.phaseMillis(USUAL_MILLIS, MOST_SECONDS);
    List<String> notes = new ArrayList<>();
    try (WorkDirectory work = options.workDirectory("tuner", List.of(data));
        Progress progress = Progress.start("bench tuner", 1)) {
      LatencySpec spec = spec(data, work.path().toString(), modes, millis);
      List<LatencyResult> phases = LatencyRun.allOf(spec, "loam", notes, progress);
      progress.step(1);
      TunerCostReport report =
          TunerCostReport.of(spec, modes, phases, notes, Machine.of(work.path()));
      options.print(report, report::text);
      Progress.notes(report.notes());
      return report.passed() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  /** A pair to warm up, then two for each round, so that a slow minute meets both modes. */
  static List<TunerMode> modes(int rounds) {
    List<TunerMode> modes = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      boolean frozenFirst = round % 2 == 0;
      modes.add(frozenFirst ? TunerMode.FROZEN : TunerMode.ADAPTIVE);
      modes.add(frozenFirst ? TunerMode.ADAPTIVE : TunerMode.FROZEN);
    }
    return modes;
  }

  private LatencySpec spec(DataSize data, String directory, List<TunerMode> modes, long millis) {
    Map<String, String> settings = Map.of(MODE, modes.get(0).name(), "tuner.cycleSeconds", "1");
    LatencySpec spec =
        new LatencySpec(
            new Subject(Peer.LOAM, directory, settings),
            data,
            Trees.ONE,
            Durability.PROCESS,
            new Traffic(Workload.YCSB_C, ArrivalPattern.CONSTANT, 0, threads),
            millis,
            options.seed());
    return spec.with(
        spec.phases().staged(modes.stream().map(mode -> Map.of(MODE, mode.name())).toList()));
  }
}
