package org.loam.workbench.bench.tpcc;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.Latency;
import org.loam.workbench.console.Machine;
import org.loam.workbench.peer.Peer;

/**
 * What {@code loam bench tpcc --json} prints.
 *
 * @param rows one per engine: the median round, whole
 * @param rounds all that was measured, in order of time
 * @param notes what a reader should know
 * @param settings that all engines had; the engine in it is the first one
 * @param machine that it ran on
 */
record TpccReport(
    @JsonProperty("rows") List<TpccRow> rows,
    @JsonProperty("rounds") List<TpccRow> rounds,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("settings") TpccSpec settings,
    @JsonProperty("machine") Machine machine) {
  private static final String FORMAT = "%-14s %9s %11s %9s %9s %9s %9s %9s %9s %6s%n";
  private static final String KIND_FORMAT = "%-14s %-14s %9s %9s %9s %9s%n";
  private static final int KIB = 1 << 10;

  /** Of all rounds. */
  static TpccReport of(
      List<TpccRow> rounds, List<String> notes, TpccSpec settings, Machine machine) {
    return new TpccReport(medians(rounds), rounds, notes, settings, machine);
  }

  /** The median of each engine, in order of first appearance, with ratios on Loam's rows. */
  static List<TpccRow> medians(List<TpccRow> all) {
    Map<String, List<TpccRow>> byEngine = new LinkedHashMap<>();
    all.forEach(row -> byEngine.computeIfAbsent(row.engine(), e -> new ArrayList<>()).add(row));
    Map<String, TpccRow> medians = new LinkedHashMap<>();
    byEngine.forEach((engine, rows) -> medians.put(engine, median(rows)));
    TpccRow rival = medians.get(Peer.ROCKSDB.id());
    return medians.values().stream()
        .map(
            row ->
                rival != null && row.engine().startsWith(Peer.LOAM.id()) ? row.against(rival) : row)
        .toList();
  }

  private static TpccRow median(List<TpccRow> rows) {
    List<TpccRow> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingDouble(row -> row.throughput().transactionsPerSecond()));
    return sorted.get((sorted.size() - 1) / 2);
  }

  /** The report as text: a line per engine, then one per engine and kind of transaction. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "mix %s, warehouses: %d of %,d items and %,d customers a district, %d MiB of memory,"
                + " terminals: %d%n",
            settings.mix().id(),
            settings.scale().warehouses(),
            settings.scale().items(),
            settings.scale().customers(),
            settings.memoryBytes() >> 20,
            settings.threads()));
    text.append(
        String.format(
            Locale.ROOT,
            FORMAT,
            "engine",
            "tx/s",
            "orders/min",
            "CPU µs/tx",
            "KiB w/tx",
            "KiB r/tx",
            "p50 µs",
            "p99 µs",
            "p99.9 µs",
            "ratio"));
    rows.forEach(row -> text.append(line(row)));
    text.append(System.lineSeparator());
    text.append(
        String.format(
            Locale.ROOT,
            KIND_FORMAT,
            "transaction",
            "engine",
            "count",
            "p50 µs",
            "p99 µs",
            "p99.9 µs"));
    for (String kind : rows.get(0).transactions().keySet()) {
      for (TpccRow row : rows) {
        text.append(line(kind, row));
      }
    }
    return text.toString();
  }

  private static String line(TpccRow row) {
    Double read = row.cost().readBytes();
    return String.format(
        Locale.ROOT,
        FORMAT,
        row.engine(),
        Figures.whole(row.throughput().transactionsPerSecond()),
        Figures.whole(row.throughput().newOrdersPerMinute()),
        Figures.decimal(row.cost().cpuMicros()),
        Figures.decimal(row.cost().writtenBytes() / KIB),
        Figures.decimal(read == null ? null : read / KIB),
        Figures.decimal(row.latency().p50Micros()),
        Figures.decimal(row.latency().p99Micros()),
        Figures.decimal(row.latency().p999Micros()),
        Figures.decimal(row.ratio()));
  }

  private static String line(String kind, TpccRow row) {
    TpccRow.KindRow ofKind = row.transactions().get(kind);
    if (ofKind == null) {
      throw new AssertionError("all rows have all kinds of transactions");
    }
    Latency latency = ofKind.latency();
    return String.format(
        Locale.ROOT,
        KIND_FORMAT,
        kind,
        row.engine(),
        Figures.whole((double) ofKind.count()),
        Figures.decimal(latency.p50Micros()),
        Figures.decimal(latency.p99Micros()),
        Figures.decimal(latency.p999Micros()));
  }
}
