package org.loam.workbench.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.ByteSize;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Workload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code loam bench kv}: engines side by side on the same records. */
@Command(
    name = "kv",
    description = {
      "Measures key-value stores side by side: load, YCSB A to F, reads, scans, overwrites.",
      "",
      "Two data sets: 'main', 2 million values of 1000 bytes with 512 MiB of memory, and 'cached',"
          + " 1 million values of 100 bytes that fit. --quick takes an eighth of the time on a"
          + " quarter of the data and a quarter of the memory, once: a look, not a claim."
    },
    footer = {
      "  loam bench kv --quick --peers loam,rocksdb",
      "  loam bench kv --peers loam,rocksdb --json > results.json",
      "  loam bench kv --workloads read-uniform,ycsb-a --threads 2 --records 100000"
    })
public final class KvCommand implements Callable<Integer> {
  private static final DataSize MAIN = new DataSize(2_000_000, 1000, 512L << 20);
  private static final DataSize CACHED = new DataSize(1_000_000, 100, 512L << 20);
  private static final int QUICK_FRACTION = 4;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "<peer>",
      defaultValue = "loam",
      description = "Engines, comma-separated: loam, rocksdb, rocksdb-buffered. Default: loam.")
  private List<String> peers = List.of();

  @Option(
      names = "--info",
      description =
          "Add RocksDB with buffered files, which has the page cache on top, for information.")
  private boolean info;

  @Option(names = "--quick", description = "One short round on less data, in a few minutes.")
  private boolean quick;

  @Option(names = "--json", description = "Print a JSON document instead of a table.")
  private boolean json;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "<workload>",
      description =
          "Comma-separated, of: load, read-uniform, ycsb-a to ycsb-f, read-absent, scan-100,"
              + " overwrite, sync. Default: all.")
  private List<String> workloads = List.of();

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "<n>",
      defaultValue = "1,4",
      description = "Client counts, comma-separated. Default: ${DEFAULT-VALUE}.")
  private List<Integer> threads = List.of();

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "<set>",
      defaultValue = "main,cached",
      description = "Data sets, comma-separated: main, cached. Default: both.")
  private List<String> data = List.of();

  @Option(
      names = "--records",
      paramLabel = "<n>",
      description = "Records to load, instead of the data set's.")
  private @Nullable Long records;

  @Option(
      names = "--value-bytes",
      paramLabel = "<n>",
      description = "Bytes of a value, instead of the data set's.")
  private @Nullable Integer valueBytes;

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      converter = ByteSize.class,
      description = "Memory for each engine, as 512MiB, instead of the data set's.")
  private @Nullable Long memoryBytes;

  @Option(
      names = "--durability",
      paramLabel = "<kind>",
      defaultValue = "process",
      description =
          "When a write is acknowledged: process (the system has it) or sync (the disk has it)."
              + " Default: ${DEFAULT-VALUE}. Workload 'sync' always forces.")
  private Durability durability = Durability.PROCESS;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      description = "Rounds, of which the median counts. Default: 3, with --quick 1.")
  private @Nullable Integer rounds;

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
  public Integer call() {
    Set<Peer> chosenPeers = chosenPeers();
    int roundCount = requirePositive("--rounds", rounds == null ? (quick ? 1 : 3) : rounds);
    List<RoundSpec> templates = templates(chosenPeers.iterator().next());
    requireAvailable(chosenPeers);
    try (WorkDirectory work = WorkDirectory.create(directory, "bench", false)) {
      long largest = templates.stream().mapToLong(t -> t.data().dataBytes()).max().orElseThrow();
      // Old and new components side by side, logs, and what overwriting adds before it is merged.
      work.requireFreeBytes(4 * largest + (2L << 30));
      Campaign campaign = new Campaign(List.copyOf(chosenPeers), roundCount, templates);
      campaign.run(work.path());
      print(report(campaign, templates.get(0), roundCount, work.path()));
    }
    return ExitCode.OK;
  }

  private KvReport report(Campaign campaign, RoundSpec template, int roundCount, Path path) {
    List<Row> rows = new ArrayList<>();
    campaign.results().forEach(r -> rows.addAll(r.rows()));
    List<String> notes = new ArrayList<>(campaign.notes());
    if (roundCount == 1) {
      notes.add("one round only: differences of 15 % and less mean nothing");
    }
    return new KvReport(
        Medians.of(rows),
        campaign.results(),
        notes,
        new KvReport.Settings(
            template.durability().name(), roundCount, template.timing(), seed, quick),
        Machine.of(path));
  }

  private void print(KvReport report) {
    PrintWriter out = command().commandLine().getOut();
    if (json) {
      out.println(Json.document(report));
    } else {
      out.print(RowTable.of(report.rows()));
    }
    out.flush();
    report.notes().forEach(note -> Progress.say("note: " + note));
  }

  private Set<Peer> chosenPeers() {
    Set<Peer> chosen = EnumSet.noneOf(Peer.class);
    for (String peer : peers) {
      chosen.add(parsed(() -> Peer.of(peer)));
    }
    if (info) {
      chosen.add(Peer.ROCKSDB_BUFFERED);
    }
    return chosen;
  }

  private static void requireAvailable(Set<Peer> chosen) {
    for (Peer peer : chosen) {
      try {
        peer.factory();
      } catch (Peer.UnavailableException e) {
        throw CommandException.environment(String.valueOf(e.getMessage()), e);
      }
    }
  }

  private List<RoundSpec> templates(Peer anyPeer) {
    Set<Workload> chosen = EnumSet.noneOf(Workload.class);
    for (String workload : workloads) {
      chosen.add(parsed(() -> Workload.of(workload)));
    }
    if (chosen.isEmpty()) {
      chosen.addAll(EnumSet.allOf(Workload.class));
    }
    for (int count : threads) {
      requirePositive("--threads", count);
    }
    List<RoundSpec> templates = new ArrayList<>();
    for (DataSize size : sizes()) {
      templates.add(
          new RoundSpec(
              anyPeer, "", size, durability, List.copyOf(chosen), threads, timing(), seed));
    }
    return templates;
  }

  private List<DataSize> sizes() {
    Set<DataSize> sizes = new LinkedHashSet<>();
    for (String name : data) {
      DataSize base =
          switch (name.strip()) {
            case "main" -> MAIN;
            case "cached" -> CACHED;
            default -> throw usage("unknown data set '" + name + "'; choose from main, cached");
          };
      int fraction = quick ? QUICK_FRACTION : 1;
      sizes.add(
          parsed(
              () ->
                  new DataSize(
                      records == null ? base.records() / fraction : records,
                      valueBytes == null ? base.valueBytes() : valueBytes,
                      memoryBytes == null ? base.memoryBytes() / fraction : memoryBytes)));
    }
    return List.copyOf(sizes);
  }

  private Timing timing() {
    if (seconds != null) {
      long millis = Duration.ofSeconds(requirePositive("--seconds", seconds)).toMillis();
      return new Timing(Math.max(500, millis / 3), millis, 6 * millis);
    }
    return quick ? new Timing(700, 1_300, 8_000) : new Timing(3_000, 10_000, 60_000);
  }

  private int requirePositive(String option, int value) {
    if (value < 1 || value > 1000) {
      throw usage(option + " = " + value + ", rule: 1 to 1000");
    }
    return value;
  }

  private <T> T parsed(Supplier<T> parse) {
    try {
      return parse.get();
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
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
