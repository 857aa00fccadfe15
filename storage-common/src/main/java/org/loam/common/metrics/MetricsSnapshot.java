package org.loam.common.metrics;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values of all metrics at about one moment, by name, sorted. Immutable.
 *
 * @param counters sums since the engine was opened
 * @param gauges levels
 * @param histograms distributions since the engine was opened
 */
public record MetricsSnapshot(
    SortedMap<String, Long> counters,
    SortedMap<String, Long> gauges,
    SortedMap<String, HistogramSnapshot> histograms) {
  public MetricsSnapshot {
    counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
    gauges = Collections.unmodifiableSortedMap(new TreeMap<>(gauges));
    histograms = Collections.unmodifiableSortedMap(new TreeMap<>(histograms));
  }

  /** One metric per line: counters, gauges, histograms. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counters.forEach((name, value) -> line(text, name, value));
    gauges.forEach((name, value) -> line(text, name, value));
    histograms.forEach((name, value) -> line(text, name, value));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, Object value) {
    text.append(name).append(": ").append(value).append('\n');
  }
}
