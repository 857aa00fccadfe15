package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.ArrivalPattern;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencyRun;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.console.Progress;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;

/**
 * Merge schedulers under constant arrivals at 95 % of the maximum, which the fair scheduler
 * measures, with leveling (Stability §5.2.3, figure 9).
 */
final class Stability9 implements Figure {
  private static final double LOAD = 0.95;
  private static final int CLIENTS = 4;

  @Override
  public String id() {
    return "stability-9";
  }

  @Override
  public int seriesCount() {
    return 2;
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    // The paper: 100 million records, 256 MiB of write memory and 2 GiB of cache, two hours a
    // phase.
    DataSize data =
        full
            ? new DataSize(100_000_000, 1000, 2304L << 20)
            : new DataSize(1_000_000, 1000, 256L << 20);
    return new LatencySpec(
        new Subject(Peer.LOAM, "", Map.of()),
        data,
        Trees.ONE,
        Durability.PROCESS,
        new Traffic(Workload.OVERWRITE, ArrivalPattern.CONSTANT, LOAD, CLIENTS),
        full ? 7_200_000 : 240_000,
        seed);
  }

  @Override
  public String scale(LatencySpec spec) {
    return String.format(
        Locale.ROOT,
        "%,d records of %d bytes, %d MiB of memory, phases of %s s; the paper: 100,000,000"
            + " records of 1 KB, phases of 7,200 s, 100 MB/s of bandwidth",
        spec.data().records(),
        spec.data().valueBytes(),
        spec.data().memoryBytes() >> 20,
        spec.phaseSeconds());
  }

  @Override
  public List<LatencyResult> measure(
      LatencySpec spec, String round, List<String> notes, Progress progress) {
    List<LatencyResult> results = new ArrayList<>();
    LatencyResult fair = series("fair", spec, round, notes, progress);
    results.add(fair);
    Traffic same = spec.traffic().at(Objects.requireNonNull(fair.running()).offeredPerSecond());
    // Both begin with the tree that a testing phase with FAIR leaves.
    LatencySpec.Phases tested = spec.phases().testing(Map.of("merge.scheduler", "FAIR"));
    results.add(series("greedy", spec.with(same).with(tested), round, notes, progress));
    return results;
  }

  private static LatencyResult series(
      String scheduler, LatencySpec spec, String round, List<String> notes, Progress progress) {
    Map<String, String> settings = new HashMap<>(SchemeSeries.AS_PUBLISHED);
    settings.put("merge.scheduler", scheduler.toUpperCase(Locale.ROOT));
    // Reads and writes together; the paper limits the writes alone, to 100 MB/s.
    settings.put("io.limitBytesPerSecond", "200MiB");
    settings.put("tuner.mode", "FROZEN");
    Subject subject = new Subject(Peer.LOAM, spec.subject().directory(), settings);
    LatencyResult result = LatencyRun.of(spec.with(subject), scheduler + round, notes, progress);
    progress.step(1);
    return result.named(scheduler);
  }
}
