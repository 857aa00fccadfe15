package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.loam.workbench.bench.MeasureOptions;
import org.loam.workbench.bench.PeerOptions;
import org.loam.workbench.bench.SplitOptions;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Peer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loam bench latency}: how long writes take under a load that an engine should hold. */
@Command(
    name = "latency",
    description = {
      "Measures how long writes take under a steady load, engines side by side.",
      "",
      "A first phase finds the maximum: clients write without pause. If merges then have more"
          + " left to move than at its beginning, the time that they need for it counts, too. A"
          + " second phase offers a share of this maximum. Each operation has a moment at which"
          + " it should begin. The write latency counts from this moment, so it includes the"
          + " wait for operations that came before. The processing latency counts from the"
          + " moment at which a client took the operation up.",
      "",
      "If the memory of Loam moves between write memory and buffer cache in the second phase, the"
          + " intervals in which it does are also reported apart from those in which it stays.",
      "",
      "There are 2 million values of 1000 bytes and 512 MiB of memory. A phase takes 20 minutes"
          + " (--minutes). --seconds is for a look, since merges take minutes to reach a steady"
          + " state. There is one round. With --rounds the engines run in turn, and the charts"
          + " show the round whose 99 %% write latency is the median."
    },
    footer = {
      "  loam bench latency --seconds 10 --records 200000 --memory 64MiB",
      "  loam bench latency --peers loam,rocksdb --minutes 20 --html latency.html",
      "  loam bench latency --workload ycsb-a --arrivals bursty --load 0.8 --json > latency.json",
      "  loam bench latency --peers loam,rocksdb --rounds 3 --trees 10 --zipf",
      "  loam bench latency --workload ycsb-a --shift 20 --offered 20000 --seconds 120"
          + " --set tuner.cycleSeconds=5",
      "  loam bench latency --trees 10 --hotspot 80-20 --workload write-only --load 0"
          + " --set write.scheme=STATIC",
      "  loam bench latency --trees 10 --hotspot 80-20 --peers loam,rocksdb --splits 25,50"
    })
public final class LatencyCommand implements Callable<Integer> {
  @Mixin private LatencyOptions options = new LatencyOptions();
  @Mixin private PeerOptions peers = new PeerOptions();
  @Mixin private SplitOptions splits = new SplitOptions();
  @Mixin private PageOptions page = new PageOptions();

  private final List<String> notes = new ArrayList<>();

  @Override
  public Integer call() {
    Set<Peer> chosen = peers.chosen(options);
    LatencySpec template = options.spec(chosen.iterator().next(), peers.durability());
    int indexes = template.trees().indexes();
    if (indexes > 0 && !chosen.equals(Set.of(Peer.LOAM))) {
      throw options.usage("--indexes = " + indexes + ", rule: 0 with peers other than loam");
    }
    splits.requireValid(options, peers, chosen, template.data().memoryBytes());
    int rounds = options.rounds(1);
    peers.requireLive("--testing", options, options.testing());
    PeerOptions.requireAvailable(chosen);
    page.requireWritable();
    try (WorkDirectory work = options.workDirectory("latency", List.of(template.data()))) {
      Map<String, Subject> subjects =
          splits.subjects(peers, chosen, template.data().memoryBytes(), work.path());
      LatencyReport report = report(template, measure(template, subjects, rounds), work);
      page.write(report);
      options.print(report, report::table);
      Progress.notes(report.notes());
    }
    return ExitCode.OK;
  }

  private LatencyRounds measure(LatencySpec template, Map<String, Subject> subjects, int rounds) {
    LatencyRounds measured = new LatencyRounds();
    try (Progress progress = Progress.start("bench latency", (long) rounds * subjects.size())) {
      for (int round = 1; round <= rounds; round++) {
        String suffix = LatencyRun.suffix(round, rounds);
        subjects.forEach(
            (name, subject) -> {
              LatencySpec spec = spec(template, subject);
              measured.add(LatencyRun.of(spec, name + suffix, notes, progress).named(name));
              progress.step(1);
            });
      }
    }
    return measured;
  }

  private LatencySpec spec(LatencySpec template, Subject subject) {
    LatencySpec spec = template.with(subject);
    return subject.peer() != Peer.LOAM || options.testing().isEmpty()
        ? spec
        : spec.with(spec.phases().testing(options.testing()));
  }

  private LatencyReport report(LatencySpec template, LatencyRounds measured, WorkDirectory work) {
    return LatencyReport.of(
        template,
        measured,
        MeasureOptions.notes(notes, measured.count()),
        page.origin(),
        Machine.of(work.path()));
  }
}
