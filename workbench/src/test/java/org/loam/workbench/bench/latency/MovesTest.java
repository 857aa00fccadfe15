package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.workload.Workload;

/** Intervals in which memory moved, apart from those in which it stayed. */
class MovesTest {
  private static final String STOP = Sample.STALL_MILLIS + "L0_STOP";
  private static final long SECOND = 1_000_000_000;

  private final Moves.Builder moves = new Moves.Builder();

  private static Observation seen(long second, double own, double goal, double stopMillis) {
    return new Observation(
        second * SECOND,
        Map.of(Sample.WRITE_MEMORY_OWN_BYTES, own, Sample.WRITE_MEMORY_GOAL_BYTES, goal),
        Map.of(STOP, stopMillis, "flushedBytes", 7.0 * second),
        List.of());
  }

  /** Writes that took so many microseconds. */
  private static Latencies.Histograms writes(int count, long micros) {
    Latencies latencies = new Latencies(1);
    for (int i = 0; i < count; i++) {
      latencies.recorder(0).record(true, micros * 1000, micros * 500);
    }
    return latencies.takeInterval();
  }

  @Test
  void memoryMovesFromTheNewGoalUntilItIsReached() {
    Observation[] looks = {
      seen(0, 10, 10, 0),
      seen(1, 10, 10, 1),
      seen(2, 10, 20, 3), // a new goal, not one step yet
      seen(3, 15, 20, 3),
      seen(4, 20, 20, 13), // there
      seen(5, 20, 20, 14),
    };
    for (int i = 1; i < looks.length; i++) {
      moves.add(Workload.OVERWRITE, looks[i - 1], looks[i], writes(10, i));
    }
    List<Moves.Part> parts = moves.build().parts();
    assertThat(parts).extracting(Moves.Part::moving).containsExactly(false, true);
    Moves.Part still = parts.get(0);
    assertThat(still.seconds()).isEqualTo(2);
    assertThat(still.stallMillis()).isEqualTo(Map.of(STOP, 2.0));
    assertThat(longestMicros(still)).isBetween(5.0, 5.1);
    Moves.Part moving = parts.get(1);
    assertThat(moving.seconds()).isEqualTo(3);
    assertThat(moving.stallMillis()).isEqualTo(Map.of(STOP, 12.0));
    assertThat(longestMicros(moving)).isBetween(4.0, 4.1);
  }

  private static double longestMicros(Moves.Part part) {
    return Objects.requireNonNull(part.latencies().write()).maxMicros();
  }

  /** A move that is over between two looks: only the size has changed. */
  @Test
  void aMoveWithinAnIntervalCounts() {
    moves.add(Workload.OVERWRITE, seen(0, 10, 10, 0), seen(1, 11, 11, 0), writes(1, 1));
    assertThat(moves.build().isAnyMoving()).isTrue();
  }

  @Test
  void workloadsAreApartAndWhatIsNotSaidDoesNotMove() {
    Observation from = new Observation(0, Map.of(), Map.of(), List.of());
    Observation to = new Observation(SECOND, Map.of(), Map.of(), List.of());
    moves.add(Workload.OVERWRITE, from, to, writes(1, 1));
    moves.add(Workload.YCSB_B, from, to, writes(1, 1));
    assertThat(moves.build().parts())
        .extracting(Moves.Part::workload)
        .containsExactly("overwrite", "ycsb-b");
    assertThat(moves.build().isAnyMoving()).isFalse();
  }
}
