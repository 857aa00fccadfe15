package org.loam.workbench.bench.latency;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.workload.Workload;

/**
 * A phase taken apart: the intervals in which memory moved between write memory and buffer cache,
 * and those in which it stayed, for each workload.
 *
 * @param parts in order of first appearance
 */
public record Moves(@JsonProperty("parts") List<Part> parts) {

  /**
   * The intervals of one workload.
   *
   * @param workload its name
   * @param moving whether memory moved in them
   * @param seconds of all together
   * @param latencies of operations that ended in them
   * @param stallMillis that writers waited in them, by the counter of the cause
   */
  public record Part(
      @JsonProperty("workload") String workload,
      @JsonProperty("moving") boolean moving,
      @JsonProperty("seconds") double seconds,
      @JsonUnwrapped KindPercentiles latencies,
      @JsonProperty("stallMillis") Map<String, Double> stallMillis) {}

  /** Whether there is something to compare. */
  boolean isAnyMoving() {
    return parts.stream().anyMatch(Part::moving);
  }

  /** Adds intervals up. Used by one thread. */
  static final class Builder {
    private final Map<Group, Sum> sums = new LinkedHashMap<>();

    private record Group(Workload workload, boolean moving) {}

    private static final class Sum {
      private final Latencies.Histograms latencies = new Latencies.Histograms();
      private final Map<String, Double> stallMillis = new LinkedHashMap<>();
      private double seconds;
    }

    /**
     * Adds an interval.
     *
     * @param workload of operations that were due when it began
     * @param from what was seen at its beginning
     * @param to what was seen at its end
     */
    void add(Workload workload, Observation from, Observation to, Latencies.Histograms interval) {
      Sum sum = sums.computeIfAbsent(new Group(workload, isMoving(from, to)), group -> new Sum());
      sum.latencies.add(interval);
      sum.seconds += (to.nanoTime() - from.nanoTime()) / 1e9;
      to.growthSince(from)
          .forEach(
              (name, grown) -> {
                if (name.startsWith(Sample.STALL_MILLIS)) {
                  sum.stallMillis.merge(name, grown, Double::sum);
                }
              });
    }

    private static boolean isMoving(Observation from, Observation to) {
      Double before = from.gauges().get(Sample.WRITE_MEMORY_OWN_BYTES);
      Double after = to.gauges().get(Sample.WRITE_MEMORY_OWN_BYTES);
      return !Objects.equals(before, after) || isOnTheWay(from) || isOnTheWay(to);
    }

    private static boolean isOnTheWay(Observation seen) {
      Double goal = seen.gauges().get(Sample.WRITE_MEMORY_GOAL_BYTES);
      return !Objects.equals(seen.gauges().get(Sample.WRITE_MEMORY_OWN_BYTES), goal);
    }

    Moves build() {
      return new Moves(
          sums.entrySet().stream().map(entry -> part(entry.getKey(), entry.getValue())).toList());
    }

    private static Part part(Group group, Sum sum) {
      return new Part(
          group.workload().id(),
          group.moving(),
          sum.seconds,
          KindPercentiles.of(sum.latencies::of),
          sum.stallMillis);
    }
  }
}
