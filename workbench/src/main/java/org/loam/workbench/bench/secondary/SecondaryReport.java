package org.loam.workbench.bench.secondary;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.secondary.SecondaryRow.Subject;
import org.loam.workbench.console.Machine;

/**
 * What {@code loam bench secondary} prints.
 *
 * @param rows one per data set, number of indexes and workload: the median round, whole
 * @param notes what a reader should know
 * @param rounds how many there were
 * @param seed of all randomness
 * @param quick whether the short form ran; its figures prove nothing
 * @param machine that it ran on
 */
record SecondaryReport(
    @JsonProperty("rows") List<SecondaryRow> rows,
    @JsonProperty("notes") List<String> notes,
    @JsonProperty("rounds") int rounds,
    @JsonProperty("seed") long seed,
    @JsonProperty("quick") boolean quick,
    @JsonProperty("machine") Machine machine) {
  private static final String FORMAT = "%-14s %7s %11s %11s %10s %9s %9s %9s %9s %6s%n";
  private static final int MAX_STEPS = 10;

  /** The median of each subject, in order of first appearance, with ratios. */
  static List<SecondaryRow> medians(List<SecondaryRow> all) {
    Map<Subject, List<SecondaryRow>> groups = new LinkedHashMap<>();
    all.forEach(row -> groups.computeIfAbsent(row.subject(), s -> new ArrayList<>()).add(row));
    Map<Subject, SecondaryRow> medians = new LinkedHashMap<>();
    groups.forEach(
        (subject, rows) -> {
          rows.sort(Comparator.comparingDouble(row -> row.throughput().opsPerSecond()));
          medians.put(subject, rows.get((rows.size() - 1) / 2));
        });
    List<SecondaryRow> result = new ArrayList<>();
    medians.forEach(
        (subject, row) -> {
          SecondaryRow base = medians.get(baseOf(row));
          result.add(base == null || base.equals(row) ? row : row.against(base));
        });
    return result;
  }

  private static Subject baseOf(SecondaryRow row) {
    return row.cost().writeAmplification() == null
        ? row.subject().of(Work.GETS)
        : row.subject().withoutIndexes();
  }

  /** The report as text: for each data set a title, one line per row, and the rows over time. */
  String text() {
    Map<DataSize, List<SecondaryRow>> byData = new LinkedHashMap<>();
    rows.forEach(
        row -> byData.computeIfAbsent(row.subject().data(), d -> new ArrayList<>()).add(row));
    return byData.entrySet().stream()
        .map(entry -> table(entry.getKey(), entry.getValue()) + overTime(entry.getValue()))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String table(DataSize data, List<SecondaryRow> rows) {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%,d records of %d bytes, %d MiB of memory, clients: %d%n",
                data.records(),
                data.recordBytes(),
                data.memoryBytes() >> 20,
                rows.get(0).subject().threads()));
    text.append(
        String.format(
            Locale.ROOT,
            FORMAT,
            "workload",
            "indexes",
            "ops/s",
            "records/s",
            "CPU µs/op",
            "write amp",
            "p50 µs",
            "p99 µs",
            "p99.9 µs",
            "ratio"));
    rows.forEach(row -> text.append(line(row)));
    return text.toString();
  }

  private static String overTime(List<SecondaryRow> rows) {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%nops/s over time, in %d steps at most; the last second may not be whole%n",
                MAX_STEPS));
    for (SecondaryRow row : rows) {
      text.append(
          String.format(
              Locale.ROOT, "%-14s %7s", row.subject().workload(), row.subject().indexes()));
      steps(row.perSecond())
          .forEach(mean -> text.append(String.format(Locale.ROOT, " %9s", Figures.whole(mean))));
      text.append(System.lineSeparator());
    }
    return text.toString();
  }

  /** The means of at most {@link #MAX_STEPS} parts, whose lengths differ by a second at most. */
  static List<Double> steps(List<Long> perSecond) {
    int steps = Math.min(MAX_STEPS, perSecond.size());
    List<Double> means = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      List<Long> step =
          perSecond.subList(i * perSecond.size() / steps, (i + 1) * perSecond.size() / steps);
      means.add(step.stream().mapToLong(Long::longValue).average().orElseThrow());
    }
    return means;
  }

  private static String line(SecondaryRow row) {
    return String.format(
        Locale.ROOT,
        FORMAT,
        row.subject().workload(),
        row.subject().indexes(),
        Figures.whole(row.throughput().opsPerSecond()),
        Figures.whole(row.throughput().recordsPerSecond()),
        Figures.decimal(row.cost().cpuMicrosPerOp()),
        Figures.decimal(row.cost().writeAmplification()),
        Figures.decimal(row.latency().p50Micros()),
        Figures.decimal(row.latency().p99Micros()),
        Figures.decimal(row.latency().p999Micros()),
        Figures.decimal(row.ratio()));
  }
}
