package org.loam.workbench.bench.trees;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.loam.workbench.bench.PeerOptions;
import org.loam.workbench.bench.RoundOptions;
import org.loam.workbench.bench.trees.TreesReport.Settings;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam bench trees}: what many small trees cost. */
@Command(
    name = "trees",
    description = {
      "Measures how long many small trees take: to make them, to flush a record of each, to close"
          + " with a newer record of each in memory, and to open them again.",
      "",
      "There are 1000 trees, which are column families of RocksDB, with values of 100 bytes, and"
          + " 512 MiB of memory. There are three rounds, engines in turn, each in a new directory."
          + " The first one is slow, since its code is not compiled yet; the medians count. After"
          + " a round each tree must have the record that was put last."
    },
    footer = {
      "  loam bench trees",
      "  loam bench trees --trees 200 --peers loam,rocksdb --rounds 5 --json > trees.json",
      "  loam bench trees --set threads.flush=2"
    })
public final class TreesCommand implements Callable<Integer> {
  private static final int VALUE_BYTES = 100;
  private static final long USUAL_MEMORY = 512L << 20;
  private static final int MOST_TREES = 10_000;

  @Mixin private RoundOptions options = new RoundOptions();
  @Mixin private PeerOptions peers = new PeerOptions();

  @Option(
      names = "--trees",
      paramLabel = "<n>",
      defaultValue = "1000",
      description = "Number of trees. Default: ${DEFAULT-VALUE}.")
  private int trees;

  @Override
  public Integer call() {
    Set<Peer> chosen = peers.chosen(options);
    if (chosen.contains(Peer.INLINE_BTREE)) {
      throw options.usage("--peers = inline-btree, rule: an engine with a log, which it has not");
    }
    options.requireIn("--trees", trees, 1, MOST_TREES);
    int rounds = options.rounds(3);
    Settings settings =
        new Settings(
            trees,
            VALUE_BYTES,
            options.memoryBytes(USUAL_MEMORY),
            peers.durability(),
            peers.settings());
    PeerOptions.requireAvailable(chosen);
    try (WorkDirectory work = options.workDirectory("trees", (long) trees * VALUE_BYTES)) {
      TreesReport report = measure(settings, chosen, rounds, work);
      options.print(report, report::text);
      Progress.notes(report.notes());
    }
    return ExitCode.OK;
  }

  private TreesReport measure(Settings settings, Set<Peer> chosen, int rounds, WorkDirectory work) {
    List<TreesRow> all = new ArrayList<>();
    try (Progress progress = Progress.start("bench trees", (long) rounds * chosen.size())) {
      for (int round = 0; round < rounds; round++) {
        for (Peer peer : chosen) {
          progress.detail(peer.id());
          StoreSettings store = store(peer, settings, work);
          all.add(new TreesRound(peer.id(), PeerOptions.factory(peer), store).run());
          progress.step(1);
        }
      }
    }
    List<TreesRow> medians = chosen.stream().map(peer -> TreesRow.median(of(peer, all))).toList();
    return new TreesReport(
        medians, all, RoundOptions.notes(List.of(), rounds), settings, Machine.of(work.path()));
  }

  private static List<TreesRow> of(Peer peer, List<TreesRow> all) {
    return all.stream().filter(row -> row.engine().equals(peer.id())).toList();
  }

  private StoreSettings store(Peer peer, Settings settings, WorkDirectory work) {
    return peers
        .subject(peer, work.path())
        .store(settings.memoryBytes(), settings.durability(), settings.valueBytes(), trees, 0);
  }
}
