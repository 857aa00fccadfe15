package org.loam.workbench.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.workload.Workload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam bench kv}: engines side by side on the same records. */
@Command(
    name = "kv",
    description = {
      "Measures key-value engines side by side: load, YCSB A to F, reads, scans, overwrites.",
      "",
      "There are two data sets. 'main' has 2 million values of 1000 bytes and 512 MiB"
          + " of memory. 'cached' has 1 million values of 100 bytes, which fit in the"
          + " memory. A phase takes 10 s, and there are three rounds, engines in turn. The"
          + " workload sync always forces its writes. --quick uses a quarter of the data and the"
          + " memory and an eighth of the time, in one round: it gives an impression, not a result."
    },
    footer = {
      "  loam bench kv --quick --peers loam,rocksdb",
      "  loam bench kv --peers loam,rocksdb --json > results.json",
      "  loam bench kv --workloads read-uniform,ycsb-a --threads 2 --records 100000"
    })
public final class KvCommand implements Callable<Integer> {
  private static final DataSize MAIN = new DataSize(2_000_000, 1000, 512L << 20);
  private static final DataSize CACHED = new DataSize(1_000_000, 100, 512L << 20);

  @Mixin private BenchOptions options = new BenchOptions();

  @Mixin private PeerOptions peers = new PeerOptions();

  @Option(
      names = "--info",
      description =
          "Also measure RocksDB with buffered files, for information: it has the page"
              + " cache in addition to its memory.")
  private boolean info;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "<workload>",
      description =
          "Workloads, comma-separated: load, read-uniform, ycsb-a to ycsb-f, read-absent,"
              + " scan-100, overwrite, sync. Default: all.")
  private List<String> workloads = List.of();

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "<n>",
      defaultValue = "1,4",
      description = "Numbers of clients, comma-separated. Default: ${DEFAULT-VALUE}.")
  private List<Integer> threads = List.of();

  @Override
  public Integer call() {
    Set<Peer> chosenPeers = chosenPeers();
    int roundCount = options.rounds(options.quick() ? 1 : 3);
    List<RoundSpec> templates = templates(chosenPeers.iterator().next());
    PeerOptions.requireAvailable(chosenPeers);
    List<DataSize> sizes = templates.stream().map(RoundSpec::data).toList();
    try (WorkDirectory work = options.workDirectory("bench", sizes)) {
      Map<String, Subject> subjects = new LinkedHashMap<>();
      chosenPeers.forEach(peer -> subjects.put(peer.id(), peers.subject(peer, work.path())));
      Campaign campaign = new Campaign("bench kv", subjects, roundCount, templates);
      campaign.run();
      KvReport report = report(campaign, templates.get(0), roundCount, work.path());
      options.print(report, () -> RowTable.of(report.rows()));
      Progress.notes(report.notes());
    }
    return ExitCode.OK;
  }

  private KvReport report(Campaign campaign, RoundSpec template, int roundCount, Path path) {
    List<Row> rows = new ArrayList<>();
    campaign.results().forEach(r -> rows.addAll(r.rows()));
    return new KvReport(
        Medians.of(rows),
        campaign.results(),
        MeasureOptions.notes(campaign.notes(), roundCount),
        new KvReport.Settings(
            template.durability().name(),
            roundCount,
            template.timing(),
            peers.settings(),
            options.seed(),
            options.quick()),
        Machine.of(path));
  }

  private Set<Peer> chosenPeers() {
    Set<Peer> chosen = peers.chosen(options);
    if (info) {
      chosen.add(Peer.ROCKSDB_BUFFERED);
    }
    return chosen;
  }

  private List<RoundSpec> templates(Peer anyPeer) {
    Set<Workload> chosen = EnumSet.noneOf(Workload.class);
    for (String workload : workloads) {
      chosen.add(options.parsed(() -> Workload.of(workload)));
    }
    if (chosen.isEmpty()) {
      chosen.addAll(Workload.USUAL);
    }
    for (int count : threads) {
      options.requirePositive("--threads", count);
    }
    List<RoundSpec> templates = new ArrayList<>();
    for (DataSize size : options.sizes(MAIN, CACHED)) {
      templates.add(
          new RoundSpec(
              peers.subject(anyPeer, Path.of("")),
              size,
              peers.durability(),
              List.copyOf(chosen),
              threads,
              options.timing(),
              options.seed()));
    }
    return templates;
  }
}
