package org.loam.common.metrics;

import java.util.Collections;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The metrics of an engine, by name. A name is words with dots between, the unit last: {@code
 * cache.hits}, {@code log.forceNanos}, {@code tree.orders.writeBytes}. Thread-safe. Look a metric
 * up once and keep it; recording then costs no lookup.
 */
public final class Metrics {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  private final ConcurrentSkipListMap<String, Metric> metrics = new ConcurrentSkipListMap<>();

  /** The counter of a name, made on first use. */
  public Counter counter(String name) {
    return getOrAdd(name, Counter.class, Counter::new);
  }

  /** The histogram of a name, made on first use. */
  public Histogram histogram(String name) {
    return getOrAdd(name, Histogram.class, Histogram::new);
  }

  /**
   * Registers a level to be read at every snapshot.
   *
   * @throws IllegalArgumentException if the name is taken
   */
  public void gauge(String name, LongSupplier reading) {
    if (metrics.putIfAbsent(checked(name), new Gauge(reading)) != null) {
      throw new IllegalArgumentException("metric " + name + " exists already");
    }
  }

  /** Forgets a name, such as a dropped tree's; does nothing if it is unknown. */
  public void remove(String name) {
    metrics.remove(name);
  }

  /** The names, sorted; an immutable copy. */
  public Set<String> names() {
    return Collections.unmodifiableSet(new TreeSet<>(metrics.keySet()));
  }

  /** All values; gauges are read one after the other, on this thread. */
  public MetricsSnapshot snapshot() {
    var counters = new TreeMap<String, Long>();
    var gauges = new TreeMap<String, Long>();
    var histograms = new TreeMap<String, HistogramSnapshot>();
    metrics.forEach(
        (name, metric) -> {
          if (metric instanceof Counter counter) {
            counters.put(name, counter.value());
          } else if (metric instanceof Gauge gauge) {
            gauges.put(name, gauge.value());
          } else if (metric instanceof Histogram histogram) {
            histograms.put(name, histogram.snapshot());
          }
        });
    return new MetricsSnapshot(counters, gauges, histograms);
  }

  private <M extends Metric> M getOrAdd(String name, Class<M> kind, Supplier<M> maker) {
    Metric found = metrics.get(name);
    if (found == null) {
      Metric made = maker.get();
      found = metrics.putIfAbsent(checked(name), made);
      if (found == null) {
        return kind.cast(made);
      }
    }
    if (!kind.isInstance(found)) {
      throw new IllegalArgumentException(
          "metric " + name + " is a " + found.getClass().getSimpleName());
    }
    return kind.cast(found);
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "metric name '" + name + "': words of letters, digits, _ or -, with dots between");
    }
    return name;
  }
}
