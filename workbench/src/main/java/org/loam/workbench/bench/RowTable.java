package org.loam.workbench.bench;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The report as text: one line per row, a blank line where the data changes. */
final class RowTable {
  private static final String FORMAT = "%-13s %7s  %-16s %11s %9s %9s %9s %10s %10s %9s %7s%n";

  private RowTable() {}

  static String of(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    Row.@Nullable Given given = null;
    for (Row row : rows) {
      if (!row.given().equals(given)) {
        given = row.given();
        text.append(text.isEmpty() ? "" : System.lineSeparator()).append(title(row));
        text.append(
            String.format(
                Locale.ROOT,
                FORMAT,
                "workload",
                "threads",
                "engine",
                "ops/s",
                "CPU µs/op",
                "write amp",
                "p50 µs",
                "p99 µs",
                "p99.9 µs",
                "max ms",
                "ratio"));
      }
      text.append(line(row));
    }
    return text.toString();
  }

  private static String title(Row row) {
    return String.format(
        Locale.ROOT,
        "%,d records of %d bytes, %d MiB of memory for each engine%n",
        row.given().records(),
        row.given().recordBytes(),
        row.given().memoryBytes() >> 20);
  }

  private static String line(Row row) {
    return String.format(
        Locale.ROOT,
        FORMAT,
        row.workload(),
        row.threads(),
        row.engine(),
        Figures.whole(row.opsPerSecond()),
        Figures.decimal(row.cost().cpuMicrosPerOp()),
        Figures.decimal(row.cost().writeAmplification()),
        Figures.decimal(row.latency().p50Micros()),
        Figures.decimal(row.latency().p99Micros()),
        Figures.decimal(row.latency().p999Micros()),
        Figures.decimal(row.latency().maxMicros() / 1e3),
        Figures.decimal(row.ratio()));
  }
}
