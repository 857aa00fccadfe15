package org.loam.workbench.bench.latency;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.latency.TestingResult.Debt;
import org.loam.workbench.peer.Peer;

/**
 * The report as text: one line per figure, one column per engine, and last the ratio of Loam to
 * RocksDB. A dash is a figure that is not known.
 */
final class LatencyTable {
  private static final double MIB = 1 << 20;

  private final LatencyReport report;
  private final StringBuilder text = new StringBuilder();

  private LatencyTable(LatencyReport report) {
    this.report = report;
  }

  static String of(LatencyReport report) {
    return new LatencyTable(report).text();
  }

  private String text() {
    LatencySpec spec = report.settings();
    line(
        "%s, %s arrivals at %.2f of the maximum; %d records of %d bytes in %d %s, %d MiB of memory",
        spec.traffic().workload().id(),
        spec.traffic().arrivals().id(),
        spec.traffic().load(),
        spec.data().records(),
        spec.data().recordBytes(),
        spec.trees().count(),
        spec.trees().count() == 1 ? "tree" : "trees",
        spec.data().memoryBytes() >> 20);
    StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-40s", ""));
    report.results().forEach(r -> head.append(String.format(Locale.ROOT, " %16s", r.engine())));
    line("%s", head + (isCompared() ? String.format(Locale.ROOT, " %9s", "ratio") : ""));
    row("testing: operations/s", r -> tested(r, TestingResult::opsPerSecond));
    row("  owed to merges at the start, MiB", r -> debt(r, Debt::owedAtStartBytes, MIB));
    row("  owed to merges at the end, MiB", r -> debt(r, Debt::owedAtEndBytes, MIB));
    row("  time to pay the difference, s", r -> debt(r, Debt::paySeconds, 1));
    row("maximum, operations/s", r -> tested(r, TestingResult::maxOpsPerSecond));
    row("running: offered operations/s", r -> r.running().offeredPerSecond());
    row("  done operations/s", r -> r.running().counts().done() / r.running().counts().seconds());
    row("  operations not done", r -> (double) r.running().counts().unfinished());
    percentiles("write latency", r -> r.running().write());
    percentiles("write processing", r -> r.running().writeProcessing());
    percentiles("read latency", r -> r.running().read());
    percentiles("read processing", r -> r.running().readProcessing());
    report.results().stream()
        .flatMap(r -> r.running().totals().keySet().stream())
        .filter(name -> name.startsWith("stallMillis."))
        .distinct()
        .forEach(
            name ->
                rowUnlessZero(
                    "writers waited, " + name.substring("stallMillis.".length()) + ", ms",
                    r -> r.running().totals().get(name)));
    row("flushed, MiB", r -> total(r, "flushedBytes", MIB));
    row("merged, MiB", r -> total(r, "mergedBytes", MIB));
    row("logged, MiB", r -> total(r, "loggedBytes", MIB));
    row("written by the process, MiB", r -> total(r, "processWrittenBytes", MIB));
    row("processor time, s", r -> total(r, "cpuSeconds", 1));
    return text.toString();
  }

  private void percentiles(String name, Function<LatencyResult, @Nullable Percentiles> of) {
    if (report.results().stream().allMatch(r -> of.apply(r) == null)) {
      return;
    }
    row(name + ", p50 µs", r -> micros(of.apply(r), Percentiles::p50Micros));
    row("  p90", r -> micros(of.apply(r), Percentiles::p90Micros));
    row("  p99", r -> micros(of.apply(r), Percentiles::p99Micros));
    row("  p99.9", r -> micros(of.apply(r), Percentiles::p999Micros));
    row("  p99.99", r -> micros(of.apply(r), Percentiles::p9999Micros));
    row("  longest", r -> micros(of.apply(r), Percentiles::maxMicros));
  }

  private void rowUnlessZero(String name, Function<LatencyResult, @Nullable Double> value) {
    boolean isZero =
        report.results().stream().map(value).allMatch(found -> found == null || found == 0);
    if (!isZero) {
      row(name, value);
    }
  }

  private void row(String name, Function<LatencyResult, @Nullable Double> value) {
    StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-40s", name));
    for (LatencyResult result : report.results()) {
      row.append(String.format(Locale.ROOT, " %16s", cell(value.apply(result))));
    }
    if (isCompared()) {
      Double ours = value.apply(of(Peer.LOAM));
      Double theirs = value.apply(of(Peer.ROCKSDB));
      boolean hasRatio = ours != null && theirs != null && theirs != 0;
      row.append(String.format(Locale.ROOT, " %9s", hasRatio ? ratio(ours / theirs) : "-"));
    }
    line("%s", row);
  }

  /** Latencies may be a hundred times as long, so a small ratio has four digits. */
  private static String ratio(double ratio) {
    return ratio < 0.1 ? String.format(Locale.ROOT, "%.4f", ratio) : Figures.decimal(ratio);
  }

  private static String cell(@Nullable Double value) {
    if (value == null) {
      return "-";
    }
    return Math.abs(value) < 100 ? Figures.decimal(value) : Figures.whole(value);
  }

  private static @Nullable Double debt(
      LatencyResult result, Function<Debt, Double> part, double unit) {
    Debt debt = result.testing() == null ? null : result.testing().debt();
    return debt == null ? null : part.apply(debt) / unit;
  }

  private static @Nullable Double tested(
      LatencyResult result, Function<TestingResult, Double> part) {
    TestingResult testing = result.testing();
    return testing == null ? null : part.apply(testing);
  }

  private static @Nullable Double micros(
      @Nullable Percentiles percentiles, Function<Percentiles, Double> part) {
    return percentiles == null ? null : part.apply(percentiles);
  }

  private static @Nullable Double total(LatencyResult result, String name, double unit) {
    Double total = result.running().totals().get(name);
    return total == null ? null : total / unit;
  }

  private boolean isCompared() {
    List<String> engines = report.results().stream().map(LatencyResult::engine).toList();
    return engines.contains(Peer.LOAM.id()) && engines.contains(Peer.ROCKSDB.id());
  }

  private LatencyResult of(Peer peer) {
    return report.results().stream()
        .filter(r -> r.engine().equals(peer.id()))
        .findFirst()
        .orElseThrow();
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing())
        .append(System.lineSeparator());
  }
}
