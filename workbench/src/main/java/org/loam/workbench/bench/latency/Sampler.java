package org.loam.workbench.bench.latency;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.latency.Latencies.Kind;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.workload.Workload;

/** Makes the series of a phase: one point for each call. Used by one thread. */
final class Sampler {
  private final Measured engine;
  private final Path directory;
  private final Latencies latencies;
  private final Series.Builder series = new Series.Builder();
  private final Moves.Builder moves = new Moves.Builder();
  private final Observation first;
  private Observation last;

  /** Begins now. */
  Sampler(Measured engine, Path directory, Latencies latencies) {
    this.engine = engine;
    this.directory = directory;
    this.latencies = latencies;
    this.first = Observation.now(engine, directory);
    this.last = first;
  }

  /**
   * Whether an interval is long enough to be one. After a late end the next one would be due at
   * once; it goes on to the end of the one after it, since the rates of an instant mean nothing.
   *
   * @param leastNanos that an interval must have
   */
  boolean isDue(long leastNanos) {
    return System.nanoTime() - last.nanoTime() >= leastNanos;
  }

  /**
   * Ends an interval.
   *
   * @param workload of operations that were due when it began
   * @param offered arrivals that were due in it; negative if none has a time
   */
  void sample(Workload workload, long offered) {
    add(latencies.takeInterval(), Observation.now(engine, directory), workload, offered);
  }

  /**
   * Ends the last interval; rates of one that is too short to have any are left out.
   *
   * @param workload as of {@link #sample}
   * @param offered as of {@link #sample}
   * @param leastNanos that an interval must have
   */
  void end(Workload workload, long offered, long leastNanos) {
    Latencies.Histograms interval = latencies.takeInterval();
    Observation now = Observation.now(engine, directory);
    if (now.nanoTime() - last.nanoTime() >= leastNanos) {
      add(interval, now, workload, offered);
    }
    last = now;
  }

  private void add(
      Latencies.Histograms interval, Observation now, Workload workload, long offered) {
    double seconds = Math.max(1e-9, (now.nanoTime() - last.nanoTime()) / 1e9);
    Map<String, Double> point = new LinkedHashMap<>();
    if (offered >= 0) {
      point.put("offeredPerSecond", Figures.rounded(offered / seconds));
    }
    long done =
        interval.of(Kind.WRITE_PROCESSING).getTotalCount()
            + interval.of(Kind.READ_PROCESSING).getTotalCount();
    point.put("donePerSecond", Figures.rounded(done / seconds));
    addLatency(point, "write", interval.of(Kind.WRITE));
    addLatency(point, "writeProcessing", interval.of(Kind.WRITE_PROCESSING));
    addLatency(point, "read", interval.of(Kind.READ));
    addLatency(point, "readProcessing", interval.of(Kind.READ_PROCESSING));
    point.putAll(now.gauges());
    point.putAll(now.ratesSince(last));
    series.add(Math.round((now.nanoTime() - first.nanoTime()) / 1e6) / 1e3, point, now.l0ByTree());
    moves.add(workload, last, now, interval);
    last = now;
  }

  /** Operations that were done up to the last point. */
  long done() {
    return latencies.total(Kind.WRITE_PROCESSING).getTotalCount()
        + latencies.total(Kind.READ_PROCESSING).getTotalCount();
  }

  /** What the intervals so far were while memory moved, and while it stayed. */
  Moves moves() {
    return moves.build();
  }

  /** The points so far. */
  Series series() {
    return series.build();
  }

  Observation first() {
    return first;
  }

  Observation last() {
    return last;
  }

  private static void addLatency(Map<String, Double> point, String name, Histogram nanos) {
    Percentiles percentiles = Percentiles.of(nanos);
    if (percentiles != null) {
      point.put(name + "P50Micros", Figures.rounded(percentiles.p50Micros()));
      point.put(name + "P90Micros", Figures.rounded(percentiles.p90Micros()));
      point.put(name + "P99Micros", Figures.rounded(percentiles.p99Micros()));
      point.put(name + "P999Micros", Figures.rounded(percentiles.p999Micros()));
      point.put(name + "MaxMicros", Figures.rounded(percentiles.maxMicros()));
    }
  }
}
