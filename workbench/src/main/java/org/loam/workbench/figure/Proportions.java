package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.peer.Peer;

/**
 * How sizes of a figure stand to each other. A scaled figure is like the paper's in so far as these
 * are the same. Pure functions of the settings of the series, so that no text differs from them.
 */
final class Proportions {
  /**
   * The paper's, of 128 MB to 8 GB of write memory out of 20 GB, a log of 10 GB, 110 GB of data.
   */
  static final String PAPER =
      "data 14 to 860 times write memory and 5.5 times all memory, the log 1.2 to 80 times write"
          + " memory, write memory 4 to 256 times an active SSTable";

  private static final double WHOLE_FROM = 10;

  private Proportions() {}

  /**
   * Those of series of Loam.
   *
   * @param dataBytes of all records
   */
  static String of(Collection<Series> all, long dataBytes) {
    TreeSet<Double> data = new TreeSet<>();
    TreeSet<Double> memory = new TreeSet<>();
    TreeSet<Double> log = new TreeSet<>();
    TreeSet<Double> tables = new TreeSet<>();
    for (Series series : all) {
      if (series.spec().subject().peer() != Peer.LOAM) {
        continue;
      }
      Map<String, String> settings = series.spec().subject().settings();
      memory.add((double) dataBytes / series.spec().data().memoryBytes());
      for (double writeBytes : writeBytes(series)) {
        data.add(dataBytes / writeBytes);
        log.add(bytes(settings, "log.maxBytes") / writeBytes);
        tables.add(writeBytes / bytes(settings, "sstable.bytes"));
      }
    }
    return String.format(
        Locale.ROOT,
        "data %s times write memory and %s times all memory, the log %s times write memory, write"
            + " memory %s times an SSTable",
        text(data),
        text(memory),
        text(log),
        text(tables));
  }

  /** The sizes of the write memory of a series, which has one for each of its stages. */
  private static List<Double> writeBytes(Series series) {
    List<Double> sizes = new ArrayList<>();
    sizes.add((double) bytes(series.spec().subject().settings(), "write.initialBytes"));
    for (Map<String, String> stage : series.spec().phases().stages()) {
      sizes.add((double) bytes(stage, "write.targetBytes"));
    }
    return sizes;
  }

  /** A setting of bytes as {@link SchemeSeries} writes it. */
  private static long bytes(Map<String, String> settings, String name) {
    String value = settings.get(name);
    if (value == null) {
      throw new AssertionError("a series has no " + name);
    }
    return Long.parseLong(value.substring(0, value.length() - 1));
  }

  private static String text(Collection<Double> ratios) {
    return ratios.stream()
        .map(ratio -> String.format(Locale.ROOT, ratio < WHOLE_FROM ? "%.1f" : "%,.0f", ratio))
        .distinct()
        .collect(Collectors.joining(" and "));
  }
}
