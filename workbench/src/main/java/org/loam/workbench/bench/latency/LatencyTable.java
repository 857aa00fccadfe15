package org.loam.workbench.bench.latency;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.workload.tpcc.Mix;

/**
 * The report as text: one line per number, one column per engine, and last the ratio of Loam to
 * RocksDB. After several rounds a number is the median, with the least and the most behind it. A
 * dash is a number that is not known.
 */
final class LatencyTable {
  private static final double MIB = 1 << 20;
  private static final int RANGE_WIDTH = 22;
  private static final String SECONDS = ".seconds";

  /** More engines, as a figure has series, have a line each. */
  private static final int MOST_COLUMNS = 6;

  /** What the lines of many engines show, if it is more than 0 in one of them. */
  private static final List<Column> COLUMNS =
      List.of(
          new Column("loaded/s", "loadedPerSecond", 1),
          new Column("MiB in memory", "loadedMemoryBytes", MIB),
          new Column("MiB at most", "loadedMostMemoryBytes", MIB),
          new Column("operations/s", "maxOpsPerSecond", 1),
          new Column("bytes written/op", "testedWrittenBytesPerOp", 1),
          new Column("bytes of I/O/op", "testedCostBytesPerOp", 1),
          new Column("MiB owed, start", "owedAtStartBytes", MIB),
          new Column("MiB owed, end", "owedAtEndBytes", MIB),
          new Column("s to pay", "paySeconds", 1),
          new Column("MiB not paid", "unpaidBytes", MIB));

  /** A number of many engines. */
  private record Column(String title, String number, double unit) {}

  private final LatencyReport report;
  private final List<String> engines;
  private final boolean isCompared;
  private final StringBuilder text = new StringBuilder();

  private LatencyTable(LatencyReport report) {
    this.report = report;
    this.engines = List.copyOf(report.numbers().keySet());
    this.isCompared = engines.contains(Peer.LOAM.id()) && engines.contains(Peer.ROCKSDB.id());
  }

  static String of(LatencyReport report) {
    return new LatencyTable(report).text();
  }

  private String text() {
    LatencySpec spec = report.settings();
    line(
        "%s; %d records of %d bytes in %d %s, %d MiB of memory",
        work(spec),
        spec.data().records(),
        spec.data().recordBytes(),
        spec.trees().count(),
        spec.trees().count() == 1 ? "tree" : "trees",
        spec.data().memoryBytes() >> 20);
    if (engines.size() > MOST_COLUMNS) {
      return engineRows();
    }
    head();
    row("loaded records/s", "loadedPerSecond", 1);
    if (isIn("testedPerSecond", found -> true)) {
      testingRows();
    }
    if (spec.traffic().hasRunningPhase()) {
      runningRows();
    }
    return text.toString();
  }

  private void testingRows() {
    row("testing: operations/s", "testedPerSecond", 1);
    row("  owed to merges at the start, MiB", "owedAtStartBytes", MIB);
    row("  owed to merges at the end, MiB", "owedAtEndBytes", MIB);
    row("  time to pay the difference, s", "paySeconds", 1);
    if (isIn("unpaidBytes", found -> found.most() > 0)) {
      row("  not paid, MiB", "unpaidBytes", MIB);
    }
    row("maximum, operations/s", "maxOpsPerSecond", 1);
    row("  flushed and merged, bytes/operation", "testedWrittenBytesPerOp", 1);
    row("  processor time, µs/operation", "testedCpuMicrosPerOp", 1);
    row("  write memory live, of its size", "testedLiveMemoryRatio", 1);
    row("  on its way to disk, of its size", "testedLeavingMemoryRatio", 1);
    row("    at most", "testedMostLeavingMemoryRatio", 1);
    row("  write memory for a key, bytes", "testedMemoryBytesPerKey", 1);
  }

  private void runningRows() {
    row("running: offered operations/s", "offeredPerSecond", 1);
    row("  done operations/s", "donePerSecond", 1);
    row("  operations not done", "unfinished", 1);
    percentiles("write latency", "write");
    percentiles("write processing", "writeProcessing");
    percentiles("read latency", "read");
    percentiles("read processing", "readProcessing");
    row("variation of operations/s, of the mean", "throughputVariation", 1);
    row("depth of L0 in the deepest tree, mean", "l0DepthMean", 1);
    stallRows("writers waited", Sample.STALL_MILLIS);
    row("flushed, MiB", Sample.FLUSHED_BYTES, MIB);
    row("merged, MiB", Sample.MERGED_BYTES, MIB);
    row("logged, MiB", Sample.LOGGED_BYTES, MIB);
    row("written by the process, MiB", "processWrittenBytes", MIB);
    row("processor time, s", "cpuSeconds", 1);
    names()
        .filter(name -> name.startsWith(Numbers.MOVING) && name.endsWith(SECONDS))
        .map(name -> name.substring(Numbers.MOVING.length(), name.length() - SECONDS.length()))
        .forEach(this::moveRows);
  }

  /** What a workload met while memory moved, and while it stayed. */
  private void moveRows(String workload) {
    String moving = Numbers.MOVING + workload + '.';
    String still = Numbers.STILL + workload + '.';
    row(workload + ", memory moves, s", moving + "seconds", 1);
    row("  memory stays, s", still + "seconds", 1);
    for (String kind : List.of("write", "read")) {
      if (isIn(moving + kind + "P999Micros", found -> true)) {
        row("  " + kind + " latency p99.9 µs, moves", moving + kind + "P999Micros", 1);
        row("  " + kind + " latency p99.9 µs, stays", still + kind + "P999Micros", 1);
        row("  ratio", moving + kind + "P999Ratio", 1);
      }
    }
    stallRows("  writers waited, moves", moving + Sample.STALL_MILLIS);
    stallRows("  writers waited, stays", still + Sample.STALL_MILLIS);
  }

  private Stream<String> names() {
    return report.numbers().values().stream()
        .flatMap(numbers -> numbers.keySet().stream())
        .distinct();
  }

  /** The causes for which writers waited at all. */
  private void stallRows(String title, String prefix) {
    names()
        .filter(name -> name.startsWith(prefix) && isIn(name, found -> found.most() > 0))
        .forEach(name -> row(title + ", " + name.substring(prefix.length()) + ", ms", name, 1));
  }

  /** One line per engine, of many: what the testing phase found. */
  private String engineRows() {
    List<Column> columns =
        COLUMNS.stream().filter(column -> isIn(column.number, found -> found.most() > 0)).toList();
    StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-36s", ""));
    columns.forEach(column -> head.append(String.format(Locale.ROOT, " %16s", column.title)));
    line("%s", head);
    for (String engine : engines) {
      StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-36s", engine));
      for (Column column : columns) {
        Spread found = find(engine, column.number);
        String cell = found == null ? "-" : cell(found.median() / column.unit);
        row.append(String.format(Locale.ROOT, " %16s", cell));
      }
      line("%s", row);
    }
    return text.toString();
  }

  private static String work(LatencySpec spec) {
    LatencySpec.Transactions transactions = spec.transactions();
    return transactions == null
        ? spec.traffic().workload().id()
            + shift(spec.traffic())
            + choice(spec.traffic())
            + arrivals(spec.traffic())
        : "transactions derived from TPC-C, mixes "
            + transactions.mixes().stream().map(Mix::id).collect(Collectors.joining(", "));
  }

  private static String arrivals(Traffic traffic) {
    if (!traffic.hasRunningPhase()) {
      return "";
    }
    Double offered = traffic.offeredPerSecond();
    String rate =
        offered == null
            ? String.format(Locale.ROOT, "%.2f of the maximum", traffic.load())
            : Figures.whole(offered) + " a second";
    return ", " + traffic.arrivals().id() + " arrivals at " + rate;
  }

  private static String shift(Traffic traffic) {
    return traffic.shiftSeconds() == null
        ? ""
        : " and " + Traffic.OTHER.id() + " in turn for " + traffic.shiftSeconds() + " s";
  }

  private static String choice(Traffic traffic) {
    return (traffic.zipf() == null ? "" : " by zipf " + traffic.zipf())
        + (traffic.hotspot() == null ? "" : ", trees " + traffic.hotspot());
  }

  private void head() {
    StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-40s", ""));
    for (String engine : engines) {
      head.append(String.format(Locale.ROOT, " %16s", engine));
      head.append(range("range"));
    }
    line("%s", head + (isCompared ? String.format(Locale.ROOT, " %9s", "ratio") : ""));
  }

  private void percentiles(String name, String prefix) {
    if (!isIn(prefix + "P50Micros", found -> true)) {
      return;
    }
    row(name + ", p50 µs", prefix + "P50Micros", 1);
    row("  p90", prefix + "P90Micros", 1);
    row("  p99", prefix + "P99Micros", 1);
    row("  p99.9", prefix + "P999Micros", 1);
    row("  p99.99", prefix + "P9999Micros", 1);
    row("  longest", prefix + "MaxMicros", 1);
  }

  private boolean isIn(String name, Predicate<Spread> wanted) {
    return report.numbers().values().stream()
        .map(numbers -> numbers.get(name))
        .anyMatch(found -> found != null && wanted.test(found));
  }

  private void row(String title, String name, double unit) {
    StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-40s", title));
    for (String engine : engines) {
      Spread found = find(engine, name);
      row.append(
          String.format(Locale.ROOT, " %16s", found == null ? "-" : cell(found.median() / unit)));
      row.append(
          range(
              found == null ? "-" : cell(found.least() / unit) + "–" + cell(found.most() / unit)));
    }
    if (isCompared) {
      Spread ours = find(Peer.LOAM.id(), name);
      Spread theirs = find(Peer.ROCKSDB.id(), name);
      row.append(String.format(Locale.ROOT, " %9s", ratio(ours, theirs)));
    }
    line("%s", row);
  }

  private @Nullable Spread find(String engine, String name) {
    return report.numbers().getOrDefault(engine, Map.of()).get(name);
  }

  /** Nothing if there was one round. */
  private String range(String cell) {
    return report.hasRanges() ? String.format(Locale.ROOT, " %" + RANGE_WIDTH + "s", cell) : "";
  }

  /** Latencies may be a hundred times as long, so a small ratio has four digits. */
  private static String ratio(@Nullable Spread ours, @Nullable Spread theirs) {
    if (ours == null || theirs == null || theirs.median() == 0) {
      return "-";
    }
    double ratio = ours.median() / theirs.median();
    return ratio < 0.1 ? String.format(Locale.ROOT, "%.4f", ratio) : Figures.decimal(ratio);
  }

  private static String cell(double value) {
    return Math.abs(value) < 100 ? Figures.decimal(value) : Figures.whole(value);
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing())
        .append(System.lineSeparator());
  }
}
