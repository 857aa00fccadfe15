package org.loam.workbench.figure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.Percentiles;
import org.loam.workbench.bench.latency.RunningResult;

/** The numbers of a running phase that checks compare, by name. */
final class Numbers {
  private Numbers() {}

  static Map<String, Map<String, Double>> of(List<LatencyResult> results) {
    Map<String, Map<String, Double>> numbers = new LinkedHashMap<>();
    results.forEach(result -> numbers.put(result.engine(), of(result.running())));
    return numbers;
  }

  private static Map<String, Double> of(RunningResult running) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    Percentiles write = running.write();
    if (write != null) {
      numbers.put("writeP50Micros", write.p50Micros());
      numbers.put("writeP99Micros", write.p99Micros());
      numbers.put("writeP999Micros", write.p999Micros());
      numbers.put("writeMaxMicros", write.maxMicros());
    }
    double[] done = column(running, "donePerSecond");
    if (done.length > 0) {
      double mean = mean(done);
      double squares = 0;
      for (double value : done) {
        squares += (value - mean) * (value - mean);
      }
      numbers.put("throughputVariation", Math.sqrt(squares / done.length) / mean);
    }
    double[] groups = column(running, "l0GroupsMax");
    if (groups.length > 0) {
      numbers.put("l0GroupsMean", mean(groups));
    }
    numbers.put(
        "stallMillis",
        running.totals().entrySet().stream()
            .filter(total -> total.getKey().startsWith("stallMillis."))
            .mapToDouble(Map.Entry::getValue)
            .sum());
    return numbers;
  }

  private static double[] column(RunningResult running, String name) {
    List<@Nullable Double> column = running.series().columns().get(name);
    DoubleStream.Builder values = DoubleStream.builder();
    if (column != null) {
      for (Double value : column) {
        if (value != null) {
          values.add(value);
        }
      }
    }
    return values.build().toArray();
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }
}
