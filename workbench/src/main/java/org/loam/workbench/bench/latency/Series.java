package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.peer.Sample;

/**
 * What a phase looked like, point by point: all columns are as long as that of the seconds, and
 * null is what was not known. A value stands for the interval that ends at its second.
 *
 * @param seconds since the phase began
 * @param columns by name; a name ends in its unit
 * @param l0Changes L0 of each of several trees, the first one first: three numbers for each point
 *     at which it is another than at the point before, which are the index of the point, the depth
 *     and the bytes. From one point to the next L0 of most trees stays, so this is much smaller
 *     than columns of a thousand trees would be. At most {@link Sample#MOST_LISTED_TREES} trees
 */
public record Series(
    @JsonProperty("seconds") List<Double> seconds,
    @JsonProperty("columns") Map<String, List<@Nullable Double>> columns,
    @JsonProperty("l0Changes") List<List<Long>> l0Changes) {

  /** Collects points. Used by one thread. */
  static final class Builder {
    private final List<Double> seconds = new ArrayList<>();
    private final Map<String, List<@Nullable Double>> columns = new LinkedHashMap<>();
    private final List<List<Long>> l0Changes = new ArrayList<>();

    /** Adds a point without trees. */
    void add(double second, Map<String, Double> values) {
      add(second, values, List.of());
    }

    /** Adds a point; a column that it does not have is null there. */
    void add(double second, Map<String, Double> values, List<Sample.L0> l0ByTree) {
      addChanges(l0ByTree);
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
      return new Series(seconds, columns, l0Changes);
    }

    /** Of the point that comes. */
    private void addChanges(List<Sample.L0> l0ByTree) {
      while (l0Changes.size() < l0ByTree.size()) {
        l0Changes.add(new ArrayList<>());
      }
      for (int tree = 0; tree < l0ByTree.size(); tree++) {
        List<Long> changes = l0Changes.get(tree);
        List<Long> now =
            List.of(Math.round(l0ByTree.get(tree).depth()), Math.round(l0ByTree.get(tree).bytes()));
        int count = changes.size();
        if (count == 0 || !changes.subList(count - 2, count).equals(now)) {
          changes.add((long) seconds.size());
          changes.addAll(now);
        }
      }
    }

    private static void fill(List<@Nullable Double> column, int size) {
      while (column.size() < size) {
        column.add(null);
      }
    }
  }
}
