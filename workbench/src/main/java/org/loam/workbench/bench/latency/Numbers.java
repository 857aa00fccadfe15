package org.loam.workbench.bench.latency;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.loam.cache.AccessClass;
import org.loam.workbench.peer.Sample;

/**
 * What both phases of one engine found, as numbers by name; a name ends in its unit. What is not
 * known is absent.
 */
final class Numbers {
  /** MemoryWalls §6.3.2: a write costs as much as two reads. */
  private static final int WRITE_WEIGHT = 2;

  private static final List<String> WRITTEN = List.of(Sample.FLUSHED_BYTES, Sample.MERGED_BYTES);

  /** What flushes and merges write and what the process reads (MemoryWalls §5.1, no weights). */
  private static final List<String> MOVED =
      List.of(Sample.FLUSHED_BYTES, Sample.MERGED_BYTES, "processReadBytes");

  private static final List<String> QUERY_READS =
      List.of(
          misses(AccessClass.QUERY),
          misses(AccessClass.FILTER),
          misses(AccessClass.META),
          misses(AccessClass.LARGE_VALUE));

  private static final List<String> MERGE_READS = List.of(misses(AccessClass.MERGE));

  /** Numbers of the intervals in which memory moved; the workload follows. */
  static final String MOVING = "moving.";

  /** Those of the intervals in which it stayed. */
  static final String STILL = "still.";

  private final Map<String, Double> numbers = new LinkedHashMap<>();

  private Numbers() {}

  private static String misses(AccessClass access) {
    return Sample.MISSES + access.name();
  }

  static Map<String, Double> of(LatencyResult result) {
    Numbers made = new Numbers();
    made.numbers.put("loadedPerSecond", result.loadedPerSecond());
    if (result.loadMemory() != null) {
      made.numbers.put("loadedMemoryBytes", result.loadMemory().endBytes());
      made.numbers.put("loadedMostMemoryBytes", result.loadMemory().mostBytes());
    }
    if (result.testing() != null) {
      made.addTesting(result.testing());
    }
    if (result.running() != null) {
      made.addRunning(result.running());
    }
    return made.numbers;
  }

  private void addTesting(TestingResult testing) {
    numbers.put("testedPerSecond", testing.opsPerSecond());
    TestingResult.Debt debt = testing.debt();
    if (debt != null) {
      numbers.put("owedAtStartBytes", debt.owedAtStartBytes());
      numbers.put("owedAtEndBytes", debt.owedAtEndBytes());
      numbers.put("paySeconds", debt.paySeconds());
      numbers.put("unpaidBytes", debt.unpaidBytes());
    }
    numbers.put("maxOpsPerSecond", testing.maxOpsPerSecond());
    // What is owed will be written.
    double unpaidBytes = debt == null ? 0 : debt.unpaidBytes();
    addPerOp(testing, "testedWrittenBytesPerOp", WRITTEN, unpaidBytes);
    addPerOp(testing, "testedCostBytesPerOp", MOVED, unpaidBytes);
    addPerOp(testing, "testedQueryReadPagesPerOp", QUERY_READS, 0);
    addPerOp(testing, "testedMergeReadPagesPerOp", MERGE_READS, 0);
    Double cpu = testing.totals().get("cpuSeconds");
    if (cpu != null && testing.operations() > 0) {
      numbers.put("testedCpuMicrosPerOp", 1e6 * cpu / testing.operations());
    }
    addMemory(testing);
    addLate(testing.series());
  }

  /** What write memory held while the window was open. */
  private void addMemory(TestingResult testing) {
    Series series = testing.series();
    int from = testing.firstPoint();
    double[] size = values(series, Sample.WRITE_MEMORY_TARGET_BYTES, from);
    double[] used = values(series, Sample.WRITE_MEMORY_USED_BYTES, from);
    double[] live = values(series, Sample.WRITE_MEMORY_LIVE_BYTES, from);
    double[] leaving = values(series, Sample.WRITE_MEMORY_LEAVING_BYTES, from);
    double[] keys = values(series, Sample.WRITE_MEMORY_KEYS, from);
    if (size.length > 0 && live.length > 0 && leaving.length > 0) {
      numbers.put("testedLiveMemoryRatio", mean(live) / mean(size));
      numbers.put("testedLeavingMemoryRatio", mean(leaving) / mean(size));
      numbers.put(
          "testedMostLeavingMemoryRatio", DoubleStream.of(leaving).max().orElse(0) / mean(size));
    }
    if (used.length > 0 && keys.length > 0 && mean(keys) > 0) {
      numbers.put("testedMemoryBytesPerKey", mean(used) / mean(keys));
    }
  }

  /**
   * What some counters grew by together, for an operation of the window, if it has one.
   *
   * @param more what counts beside the counters
   */
  private void addPerOp(TestingResult testing, String name, List<String> counters, double more) {
    Map<String, Double> totals = testing.totals();
    if (testing.operations() > 0 && totals.keySet().containsAll(counters)) {
      double sum = more + counters.stream().mapToDouble(totals::get).sum();
      numbers.put(name, sum / testing.operations());
    }
  }

  /** The last third of the phase: a tuner has moved the memory by then. */
  private void addLate(Series series) {
    int from = series.seconds().size() * 2 / 3;
    double[] memory = values(series, Sample.WRITE_MEMORY_TARGET_BYTES, from);
    double[] done = values(series, "donePerSecond", from);
    double[] read = values(series, "processReadBytesPerSecond", from);
    double[] flushed = values(series, Sample.FLUSHED_BYTES + "PerSecond", from);
    double[] merged = values(series, Sample.MERGED_BYTES + "PerSecond", from);
    if (memory.length > 0) {
      numbers.put("lateWriteMemoryBytes", mean(memory));
    }
    if (done.length > 0 && mean(done) > 0) {
      numbers.put("latePerSecond", mean(done));
      if (read.length > 0 && flushed.length > 0 && merged.length > 0) {
        double written = (mean(flushed) + mean(merged)) / mean(done);
        double fetched = mean(read) / mean(done);
        numbers.put("lateCostBytesPerOp", fetched + written);
        numbers.put("lateWeightedBytesPerOp", fetched + WRITE_WEIGHT * written);
      }
    }
  }

  private void addRunning(RunningResult running) {
    RunningResult.Counts counts = running.counts();
    numbers.put("offeredPerSecond", running.offeredPerSecond());
    numbers.put("donePerSecond", counts.done() / counts.seconds());
    numbers.put("unfinished", (double) counts.unfinished());
    addLatencies("", running.latencies());
    if (running.moves().isAnyMoving()) {
      addMoves(running.moves().parts());
    }
    double[] done = column(running, "donePerSecond");
    if (done.length > 0 && mean(done) > 0) {
      numbers.put("throughputVariation", deviation(done) / mean(done));
    }
    double[] depths = column(running, Sample.L0_DEPTH_MAX);
    if (depths.length > 0) {
      numbers.put("l0DepthMean", mean(depths));
    }
    double stalled = 0;
    for (Map.Entry<String, Double> total : running.totals().entrySet()) {
      numbers.put(total.getKey(), total.getValue());
      stalled += total.getKey().startsWith(Sample.STALL_MILLIS) ? total.getValue() : 0;
    }
    numbers.put("stallMillis", stalled);
  }

  /** What each part is, under {@code moving.} or {@code still.} and the workload. */
  private void addMoves(List<Moves.Part> parts) {
    for (Moves.Part part : parts) {
      String prefix = (part.moving() ? MOVING : STILL) + part.workload() + '.';
      numbers.put(prefix + "seconds", part.seconds());
      addLatencies(prefix, part.latencies());
      part.stallMillis().forEach((name, millis) -> numbers.put(prefix + name, millis));
    }
    for (Moves.Part part : parts) {
      for (String kind : List.of("write", "read")) {
        String rest = part.workload() + '.' + kind + "P999Micros";
        Double moving = numbers.get(MOVING + rest);
        Double still = numbers.get(STILL + rest);
        if (moving != null && still != null) {
          numbers.put(MOVING + part.workload() + '.' + kind + "P999Ratio", moving / still);
        }
      }
    }
  }

  private void addLatencies(String prefix, KindPercentiles found) {
    addPercentiles(prefix + "write", found.write());
    addPercentiles(prefix + "writeProcessing", found.writeProcessing());
    addPercentiles(prefix + "read", found.read());
    addPercentiles(prefix + "readProcessing", found.readProcessing());
  }

  private void addPercentiles(String name, @Nullable Percentiles found) {
    if (found != null) {
      numbers.put(name + "P50Micros", found.p50Micros());
      numbers.put(name + "P90Micros", found.p90Micros());
      numbers.put(name + "P99Micros", found.p99Micros());
      numbers.put(name + "P999Micros", found.p999Micros());
      numbers.put(name + "P9999Micros", found.p9999Micros());
      numbers.put(name + "MaxMicros", found.maxMicros());
    }
  }

  private static double[] column(RunningResult running, String name) {
    return values(running.series(), name, 0);
  }

  /** The known values of a column from a point on. */
  private static double[] values(Series series, String name, int from) {
    List<@Nullable Double> column = series.columns().get(name);
    DoubleStream.Builder values = DoubleStream.builder();
    if (column != null) {
      for (Double value : column.subList(from, column.size())) {
        if (value != null) {
          values.add(value);
        }
      }
    }
    return values.build().toArray();
  }

  private static double deviation(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / values.length);
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
