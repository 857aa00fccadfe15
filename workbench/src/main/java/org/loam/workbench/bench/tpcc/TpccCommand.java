package org.loam.workbench.bench.tpcc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.loam.workbench.bench.MeasureOptions;
import org.loam.workbench.bench.PeerOptions;
import org.loam.workbench.bench.Rest;
import org.loam.workbench.bench.SplitOptions;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.Timing;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam bench tpcc}: a workload derived from TPC-C, engines side by side. */
@Command(
    name = "tpcc",
    description = {
      "Measures a workload derived from TPC-C: nine tables with secondary indexes and five kinds"
          + " of transactions.",
      "",
      "Terminals run transactions without pause, and each chooses any warehouse, so the figures"
          + " are not comparable with published ones. A transaction writes one batch, which is all"
          + " or nothing; locks of the terminals, the same for all engines, make transactions that"
          + " write serializable. Afterwards the consistency conditions 1 to 4 of the standard, the"
          + " acknowledged writes and the indexes are checked. A warehouse of full size has about"
          + " 75 MB. Each engine has 128MiB of memory; for RocksDB the cache has all of it, and"
          + " memtables of up to half of it are charged to the cache. A run takes 60 s, after a"
          + " third of that to warm up, in one round."
    },
    footer = {
      "  loam bench tpcc --warehouses 4 --peers loam,rocksdb",
      "  loam bench tpcc --mix read-mostly --set tuner.mode=FROZEN --json > results.json",
      "  loam bench tpcc --peers rocksdb --splits 12,25,75 --rounds 3"
    })
public final class TpccCommand implements Callable<Integer> {
  private static final long USUAL_MEMORY = 128L << 20;
  private static final int USUAL_MILLIS = 60_000;
  private static final int MOST_SECONDS = 86_400;

  @Mixin private MeasureOptions options = new MeasureOptions();

  @Mixin private PeerOptions peers = new PeerOptions();

  @Option(
      names = "--warehouses",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "Number of warehouses. Default: ${DEFAULT-VALUE}.")
  private int warehouses;

  @Option(
      names = "--part",
      paramLabel = "<share>",
      defaultValue = "1",
      description =
          "Part of a warehouse's full size of 100,000 items and 3,000 customers a district."
              + " Default: ${DEFAULT-VALUE}.")
  private double part;

  @Option(
      names = "--mix",
      paramLabel = "<mix>",
      defaultValue = "standard",
      description =
          "Transactions: standard (45 %% new orders, 43 %% payments, 4 %% each of order status,"
              + " delivery and stock level) or read-mostly (5 %% write). Default:"
              + " ${DEFAULT-VALUE}.")
  private String mix = "";

  @Option(
      names = "--threads",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "Number of terminals. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Mixin private SplitOptions splits = new SplitOptions();

  @Override
  public Integer call() {
    Set<Peer> chosen = peers.chosen(options);
    if (chosen.contains(Peer.INLINE_BTREE)) {
      throw options.usage("--peers = inline-btree, rule: an engine with a log, which it has not");
    }
    TpccSpec template = template(chosen.iterator().next());
    splits.requireValid(options, peers, chosen, template.memoryBytes());
    int rounds = options.rounds(1);
    PeerOptions.requireAvailable(chosen);
    try (WorkDirectory work = options.workDirectory("tpcc", template.scale().dataBytes())) {
      Map<String, Subject> subjects =
          splits.subjects(peers, chosen, template.memoryBytes(), work.path());
      TpccReport report = measure(template, subjects, rounds, work.path());
      options.print(report, report::text);
      Progress.notes(report.notes());
    }
    return ExitCode.OK;
  }

  private TpccSpec template(Peer anyPeer) {
    long millis = options.phaseMillis(USUAL_MILLIS, MOST_SECONDS);
    return new TpccSpec(
        peers.subject(anyPeer, Path.of("")),
        options.parsed(() -> Scale.of(warehouses, part)),
        options.parsed(() -> Mix.of(mix)),
        options.requirePositive("--threads", threads),
        options.memoryBytes(USUAL_MEMORY),
        peers.durability(),
        new Timing(millis / 3, millis, millis, Rest.QUIET.toMillis()),
        options.seed());
  }

  private TpccReport measure(
      TpccSpec template, Map<String, Subject> subjects, int rounds, Path directory) {
    List<String> notes = new ArrayList<>();
    List<TpccRow> rows = new ArrayList<>();
    try (Progress progress = Progress.start("bench tpcc", (long) rounds * subjects.size())) {
      for (int round = 1; round <= rounds; round++) {
        String suffix = rounds == 1 ? "" : ", round " + round + "/" + rounds;
        subjects.forEach(
            (name, subject) -> {
              rows.add(
                  TpccRun.of(template.with(subject), name + suffix, notes, progress).named(name));
              progress.step(1);
            });
      }
    }
    TpccSpec settings = template.with(subjects.values().iterator().next());
    return TpccReport.of(
        rows, MeasureOptions.notes(notes, rounds), settings, Machine.of(directory));
  }
}
