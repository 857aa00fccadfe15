package org.loam.workbench.bench.asterixdb;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.ConfigException;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Node;
import org.loam.workbench.asterixdb.cluster.Ports;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.bench.MeasureOptions;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.console.ByteSize;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Machine;
import org.loam.workbench.console.Progress;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.console.WorkOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam bench asterixdb}: AsterixDB on Loam and on its own storage. */
@Command(
    name = "asterixdb",
    description = {
      "Measures AsterixDB on its stock storage and on Loam, in turn. Each round has a"
          + " cluster of its own on free ports, which is deleted at the end. The workloads"
          + " are: a feed into one dataset; feeds into eight datasets, where a zipfian"
          + " choice decides the dataset of a record; LOAD; CREATE INDEX; queries by"
          + " primary key, by a range of it, by a secondary index, and of everything; and"
          + " the stop of a node that has many datasets with eight new records each.",
      "",
      "Records have 1 KB, and datasets have two secondary indexes. --quick uses 200"
          + " thousand records in one round: it gives an impression, not a result."
    },
    footer = {
      "  loam bench asterixdb --quick",
      "  loam bench asterixdb --rounds 3 --json > results.json",
      "  loam bench asterixdb --compressible",
      "  loam bench asterixdb --set tuner.mode=ADAPTIVE",
      "  loam bench asterixdb --records 2000000 --memory 512MiB --clients 8"
    })
public final class VersusCommand implements Callable<Integer> {
  private static final int RECORDS = 800_000;
  private static final int QUICK_RECORDS = 200_000;
  private static final int ROUNDS = 3;

  /** Most of a database while components are merged, logs, and files to load. */
  private static final long BYTES_PER_RECORD = 12L * BenchRecords.LINE_BYTES;

  private static final long NEEDED_BYTES = 3L << 30;
  private static final int MOST = 64;
  private static final int MOST_DATASETS = 10_000;

  @Mixin private WorkOptions options = new WorkOptions();

  @Option(names = "--quick", description = "Run one short round on less data, in five minutes.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      description = "Rounds, of which the median counts. Default: " + ROUNDS + ".")
  private @Nullable Integer rounds;

  @Option(
      names = "--records",
      paramLabel = "<n>",
      description = "Records of each workload, a multiple of 100. Default: 800 thousand.")
  private @Nullable Integer records;

  @Option(
      names = "--compressible",
      description = "Records with texts that compress, to about half by snappy.")
  private boolean compressible;

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      converter = ByteSize.class,
      defaultValue = "256MiB",
      description =
          "Java heap of each node controller. The stock storage uses half of it; Loam"
              + " gets as much memory outside of the heap. Default: ${DEFAULT-VALUE}.")
  private long heapBytes;

  @Option(
      names = "--set",
      paramLabel = "<name>=<value>",
      description =
          "A setting of Loam on the node controllers that is not its default there, such as"
              + " tuner.mode=ADAPTIVE. May be repeated.")
  private Map<String, String> loam = Map.of();

  @Option(
      names = "--clients",
      paramLabel = "<n>",
      defaultValue = "4",
      description = "Number of clients that ask queries. Default: ${DEFAULT-VALUE}.")
  private int clients;

  @Option(
      names = "--senders",
      paramLabel = "<n>",
      defaultValue = "2",
      description = "Number of sockets of the feed into one dataset. Default: ${DEFAULT-VALUE}.")
  private int senders;

  @Option(
      names = "--datasets",
      paramLabel = "<n>",
      defaultValue = "160",
      description = "Datasets of the nodes that are stopped. Default: ${DEFAULT-VALUE}.")
  private int datasets;

  @Option(
      names = "--seconds",
      paramLabel = "<n>",
      description = "Seconds for which each kind of query is measured. Default: 15.")
  private @Nullable Integer seconds;

  @Override
  public Integer call() throws InterruptedException {
    int howOften = required("--rounds", rounds == null ? (quick ? 1 : ROUNDS) : rounds);
    long millis = 1000L * required("--seconds", seconds == null ? (quick ? 3 : 15) : seconds);
    required("--clients", clients);
    required("--senders", senders);
    options.requireIn("--datasets", datasets, 1, MOST_DATASETS);
    BenchRecords data = data();
    requireSettings(2 * given().storageBytes());
    QueryClients asking = new QueryClients(clients, 2 * millis / 3, millis, options.seed());
    try (WorkDirectory work = options.workDirectory("bench-asterixdb", false)) {
      work.requireFreeBytes(data.count() * BYTES_PER_RECORD + NEEDED_BYTES);
      List<Path> files = writeFiles(work.path(), data);
      VersusRound.Settings settings =
          new VersusRound.Settings(data, files, senders, asking, datasets);
      VersusReport report = run(work.path(), settings, howOften);
      options.print(report, report::text);
      Progress.notes(report.notes());
    } catch (StatementException e) {
      throw CommandException.failed("AsterixDB refused a statement: " + e.getMessage());
    } catch (WrongAnswerException e) {
      throw CommandException.failed("AsterixDB answered wrong: " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ExitCode.OK;
  }

  private int required(String option, int value) {
    return options.requireIn(option, value, 1, MOST);
  }

  /** What a cluster on Loam is given; it has no ports yet. */
  private ClusterSettings given() {
    try {
      return new ClusterSettings(ClusterSettings.DEFAULT.port(), heapBytes, Storage.LOAM)
          .withLoam(loam);
    } catch (IllegalArgumentException e) {
      throw options.usage("--" + e.getMessage());
    }
  }

  private BenchRecords data() {
    try {
      return new BenchRecords(
          records == null ? (quick ? QUICK_RECORDS : RECORDS) : records, compressible);
    } catch (IllegalArgumentException e) {
      throw options.usage("--" + e.getMessage());
    }
  }

  /** Refuses settings of Loam that a node would refuse when it starts. */
  private void requireSettings(long memoryBytes) {
    EngineConfigBuilder builder = EngineConfig.builder();
    loam.forEach(builder::set);
    if (builder.hasMemoryTotal()) {
      throw options.usage("--set memory.total counts for Loam alone; use --memory");
    }
    try {
      builder.memoryTotalBytes(memoryBytes).build();
    } catch (ConfigException e) {
      throw options.usage("--set " + String.join("; ", e.problems()));
    }
  }

  /** A file for each node, with its share of all records. */
  private static List<Path> writeFiles(Path work, BenchRecords data) throws IOException {
    int count = Node.CONTROLLERS.size();
    List<Path> files = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Path file = work.resolve("records" + number + ".json");
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
        for (int index = number; index < data.count(); index += count) {
          out.write(data.line(data.id(index)));
        }
      }
      files.add(file);
    }
    return files;
  }

  private VersusReport run(Path work, VersusRound.Settings settings, int howOften)
      throws InterruptedException {
    List<VersusRow> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    ClusterSettings last = ClusterSettings.DEFAULT;
    for (int number = 0; number < howOften; number++) {
      for (Storage storage : List.of(Storage.STOCK, Storage.LOAM)) {
        Path home = work.resolve("cluster");
        last = Ports.findFree(heapBytes, storage).withLoam(loam);
        AsterixCluster cluster = new AsterixCluster(home, Artifacts.ofThisClone());
        VersusRound round = VersusRound.run(cluster, last, settings);
        rows.addAll(round.rows());
        notes.addAll(round.notes());
        WorkDirectory.delete(home);
      }
    }
    return new VersusReport(
        VersusReport.medians(rows),
        MeasureOptions.notes(notes, howOften),
        VersusReport.Given.of(settings, last),
        howOften,
        options.seed(),
        quick,
        Machine.of(work));
  }
}
