package org.loam.workbench.bench.asterixdb;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.cluster.ClusterSettings;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.console.Machine;

/**
 * What {@code loam bench asterixdb} prints.
 *
 * @param rows one per workload and storage: the median round by throughput, whole
 * @param notes what a reader should know
 * @param given the same to both storages
 * @param rounds how many there were
 * @param seed of all randomness
 * @param quick whether the short form ran; its figures prove nothing
 * @param machine that it ran on
 */
record VersusReport(
    @JsonProperty("rows") List<VersusRow> rows,
    @JsonProperty("notes") List<String> notes,
    @JsonUnwrapped Given given,
    @JsonProperty("rounds") int rounds,
    @JsonProperty("seed") long seed,
    @JsonProperty("quick") boolean quick,
    @JsonProperty("machine") Machine machine) {
  /**
   * What both storages were given.
   *
   * @param records of each workload
   * @param recordBytes of the JSON of a record
   * @param compressible whether the texts of records compress
   * @param storageBytes of each node controller: the memory that its storage has
   * @param heapBytes of each node controller; those of stock storage have the storage's memory in
   *     it
   * @param counts of clients, sockets and datasets
   * @param settings of Loam that were not its defaults
   */
  record Given(
      @JsonProperty("records") int records,
      @JsonProperty("recordBytes") int recordBytes,
      @JsonProperty("compressible") boolean compressible,
      @JsonProperty("storageBytes") long storageBytes,
      @JsonProperty("heapBytes") long heapBytes,
      @JsonUnwrapped Counts counts,
      @JsonProperty("settings") Map<String, String> settings) {
    static Given of(VersusRound.Settings settings, ClusterSettings cluster) {
      return new Given(
          settings.records().count(),
          BenchRecords.LINE_BYTES,
          settings.records().isCompressible(),
          2 * cluster.storageBytes(),
          cluster.heapBytes(),
          new Counts(settings.clients().count(), settings.senders(), settings.datasets()),
          cluster.loam());
    }
  }

  /**
   * How many there were.
   *
   * @param clients that ask queries at once
   * @param senders sockets of the feed
   * @param datasets of the nodes that were stopped
   */
  record Counts(
      @JsonProperty("clients") int clients,
      @JsonProperty("senders") int senders,
      @JsonProperty("datasets") int datasets) {}

  private static final String FORMAT = "%-13s %-7s %10s %9s %9s %11s %11s %10s %8s %6s%n";

  /** The median of each workload and storage, with ratios on the rows of Loam. */
  static List<VersusRow> medians(List<VersusRow> all) {
    Map<String, Map<Storage, List<VersusRow>>> groups = new LinkedHashMap<>();
    for (VersusRow row : all) {
      groups
          .computeIfAbsent(row.workload(), workload -> new LinkedHashMap<>())
          .computeIfAbsent(row.storage(), storage -> new ArrayList<>())
          .add(row);
    }
    List<VersusRow> medians = new ArrayList<>();
    for (Map<Storage, List<VersusRow>> storages : groups.values()) {
      VersusRow stock = median(storages.getOrDefault(Storage.STOCK, List.of()));
      VersusRow loam = median(storages.getOrDefault(Storage.LOAM, List.of()));
      if (stock != null) {
        medians.add(stock);
      }
      if (loam != null) {
        medians.add(stock == null ? loam : loam.against(stock));
      }
    }
    return medians;
  }

  /** Of an even number, the lower one. */
  private static @Nullable VersusRow median(List<VersusRow> rows) {
    return rows.stream()
        .sorted(Comparator.comparingDouble(VersusRow::opsPerSecond))
        .skip((Math.max(1, rows.size()) - 1) / 2)
        .findFirst()
        .orElse(null);
  }

  /** The report as text: what was given to both, and one line per row. */
  String text() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%,d records of %d bytes of JSON that %s, 2 secondary indexes, 2 node controllers,"
                    + " rounds: %d%n"
                    + "memory of the storage of each: %d MiB; stock: half of it buffer cache, half"
                    + " memory components, both within the heap of %d MiB; Loam: all of it beside"
                    + " such a heap%n"
                    + "clients of queries: %d, sockets of the feed: %d, datasets of nodes that"
                    + " stop: %d%s%n%n",
                given.records,
                given.recordBytes,
                given.compressible ? "compresses" : "does not compress",
                rounds,
                given.storageBytes >> 20,
                given.heapBytes >> 20,
                given.counts.clients,
                given.counts.senders,
                given.counts.datasets,
                given.settings.isEmpty() ? "" : ", settings of Loam: " + given.settings));
    text.append(
        String.format(
            Locale.ROOT,
            FORMAT,
            "workload",
            "storage",
            "ops/s",
            "p50 ms",
            "p99 ms",
            "node µs/op",
            "ctrl µs/op",
            "written/op",
            "disk/op",
            "ratio"));
    rows.forEach(row -> text.append(line(row)));
    return text.toString();
  }

  private static String line(VersusRow row) {
    return String.format(
        Locale.ROOT,
        FORMAT,
        row.workload(),
        row.storage().name().toLowerCase(Locale.ROOT),
        row.opsPerSecond() < 100
            ? Figures.decimal(row.opsPerSecond())
            : Figures.whole(row.opsPerSecond()),
        Figures.decimal(row.latency().p50Millis()),
        Figures.decimal(row.latency().p99Millis()),
        Figures.whole(row.cost().nodeCpuMicrosPerOp()),
        Figures.whole(row.cost().controllerCpuMicrosPerOp()),
        Figures.decimal(row.cost().writtenBytesPerOp()),
        Figures.decimal(row.cost().diskBytesPerOp()),
        Figures.decimal(row.ratio()));
  }
}
