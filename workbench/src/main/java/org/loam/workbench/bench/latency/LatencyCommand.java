package org.loam.workbench.bench.latency;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.SourceCommit;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Peer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
          + " moment at which a client took the operation up."
    },
    footer = {
      "  loam bench latency --seconds 10 --records 200000 --memory 64MiB",
      "  loam bench latency --peers loam,rocksdb --minutes 20 --html latency.html",
      "  loam bench latency --workload ycsb-a --arrivals bursty --load 0.8 --json > latency.json",
      "  loam bench latency --trees 10 --zipf"
    })
public final class LatencyCommand implements Callable<Integer> {
  @Mixin private LatencyOptions options = new LatencyOptions();
  @Spec private @Nullable CommandSpec command;

  private final List<String> notes = new ArrayList<>();

  @Override
  public Integer call() {
    List<Peer> peers = options.chosenPeers();
    LatencySpec template = options.spec(peers.get(0));
    for (Peer peer : peers) {
      try {
        peer.factory();
      } catch (Peer.UnavailableException e) {
        throw CommandException.environment(String.valueOf(e.getMessage()), e);
      }
    }
    Path html = options.html();
    if (html != null) {
      LatencyPage.requireWritable(html);
    }
    try (WorkDirectory work = options.workDirectory("latency", false)) {
      // Old and new components side by side, logs, and what overwriting adds before it is merged.
      work.requireFreeBytes(4 * template.data().dataBytes() + (2L << 30));
      LatencyReport report = report(template, measure(template, peers, work), work);
      if (html != null) {
        LatencyPage.write(html, report);
      }
      options.print(report, () -> LatencyTable.of(report));
      Progress.notes(report.notes());
    }
    return ExitCode.OK;
  }

  private List<LatencyResult> measure(LatencySpec template, List<Peer> peers, WorkDirectory work) {
    List<LatencyResult> results = new ArrayList<>();
    try (Progress progress = Progress.start("bench latency", peers.size())) {
      for (Peer peer : peers) {
        LatencySpec.Subject subject =
            new LatencySpec.Subject(peer, work.path().toString(), Map.of());
        results.add(LatencyRun.of(template.with(subject), peer.id(), notes, progress));
        progress.step(1);
      }
    }
    return results;
  }

  private LatencyReport report(
      LatencySpec template, List<LatencyResult> results, WorkDirectory work) {
    if (template.phaseMillis() < 5 * 60_000) {
      notes.add("phases of less than 5 minutes: merges may not have reached a steady state");
    }
    return new LatencyReport(
        template,
        results,
        notes,
        new LatencyReport.Origin(
            commandText(),
            SourceCommit.find(),
            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()),
        Machine.of(work.path()));
  }

  private String commandText() {
    if (command == null) {
      throw new AssertionError("runs only as a command");
    }
    return "loam " + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
  }
}
