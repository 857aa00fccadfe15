package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a phase looked like, point by point: all columns are as long as that of the seconds, and
 * null is what was not known. A value stands for the interval that ends at its second.
 *
 * @param seconds since the phase began
 * @param columns by name; a name ends in its unit
 */
public record Series(
    @JsonProperty("seconds") List<Double> seconds,
    @JsonProperty("columns") Map<String, List<@Nullable Double>> columns) {

  /** Collects points. Used by one thread. */
  static final class Builder {
    private final List<Double> seconds = new ArrayList<>();
    private final Map<String, List<@Nullable Double>> columns = new LinkedHashMap<>();

    /** Adds a point; a column that it does not have is null there. */
    void add(double second, Map<String, Double> values) {
      seconds.add(second);
      values.forEach(
          (name, value) -> {
            List<@Nullable Double> column = columns.computeIfAbsent(name, n -> new ArrayList<>());
            fill(column, seconds.size() - 1);
            column.add(value);
          });
    }

    Series build() {
      columns.values().forEach(column -> fill(column, seconds.size()));
      return new Series(seconds, columns);
    }

    private static void fill(List<@Nullable Double> column, int size) {
      while (column.size() < size) {
        column.add(null);
      }
    }
  }
}
