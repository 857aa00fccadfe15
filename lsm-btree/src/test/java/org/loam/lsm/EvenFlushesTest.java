package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.lsm.FlushPolicy.ActiveMemory;

/** Components that began together leave one after the other, each in time. */
class EvenFlushesTest {
  private static final long LONG_BYTES = 64_000;
  private static final long STEP_BYTES = 1000;
  private static final int STEPS = 2000;

  /** Components of one size; each begins again when it leaves. */
  private static final class World {
    private final EvenFlushes flushes = new EvenFlushes();
    private final long[] sizes;
    private final long[] begun;
    private long endLsn;

    World(long... sizes) {
      this.sizes = sizes;
      this.begun = new long[sizes.length];
    }

    /** The log grows by a step; which components leave. */
    List<Integer> step() {
      endLsn += STEP_BYTES;
      List<ActiveMemory<Integer>> actives = new ArrayList<>();
      for (int i = 0; i < sizes.length; i++) {
        actives.add(new ActiveMemory<>(i, sizes[i], begun[i]));
      }
      List<Integer> leaving = flushes.choose(actives, endLsn, LONG_BYTES, STEP_BYTES);
      leaving.forEach(i -> begun[i] = endLsn);
      return leaving;
    }

    long oldestBytes() {
      return endLsn - Arrays.stream(begun).min().orElseThrow();
    }
  }

  @Test
  void whatBeganTogetherSpreads() {
    for (int count : new int[] {1, 3, 16, 200}) {
      long[] sizes = new long[count];
      Arrays.fill(sizes, 100);
      World world = new World(sizes);
      List<Integer> most = new ArrayList<>();
      int left = 0;
      for (int step = 1; step <= STEPS; step++) {
        int leaving = world.step().size();
        assertThat(world.oldestBytes()).isLessThanOrEqualTo(LONG_BYTES);
        if (step > STEPS / 2) {
          most.add(leaving);
          left += leaving;
        }
      }
      // Later each component leaves about once while the log grows to be long.
      double cycles = STEPS / 2.0 * STEP_BYTES / LONG_BYTES;
      assertThat(left / cycles).as("%s components", count).isBetween(count * 0.95, count * 1.25);
      assertThat(Collections.max(most)).isLessThanOrEqualTo((int) (2.5 * count / 64) + 1);
    }
  }

  @Test
  void theFirstTimeTheyLeaveDuringHalfOfTheLog() {
    World world = new World(100, 100, 100, 100, 100, 100, 100, 100);
    List<Long> ends = new ArrayList<>();
    while (ends.size() < 8) {
      world.step().forEach(i -> ends.add(world.endLsn));
    }
    assertThat(ends)
        .containsExactly(35_000L, 39_000L, 43_000L, 47_000L, 50_000L, 54_000L, 58_000L, 62_000L);
  }

  @Test
  void aLargeComponentAmongSmallOnesLeavesInTime() {
    World world = new World(10, 10, 10_000, 10, 10, 10);
    for (int step = 0; step < STEPS; step++) {
      world.step();
      assertThat(world.oldestBytes()).isLessThanOrEqualTo(LONG_BYTES);
    }
  }

  @Test
  void whatIsYoungOrEmptyStays() {
    EvenFlushes flushes = new EvenFlushes();
    List<ActiveMemory<String>> actives =
        List.of(
            new ActiveMemory<>("young", 100, 80_000),
            new ActiveMemory<>("empty", 0, Long.MAX_VALUE));
    assertThat(flushes.choose(actives, 100_000, LONG_BYTES, STEP_BYTES)).isEmpty();
  }

  @Test
  void whatIsTooOldLeavesAtOnce() {
    EvenFlushes flushes = new EvenFlushes();
    List<ActiveMemory<String>> actives =
        List.of(
            new ActiveMemory<>("young", 100, 90_000),
            new ActiveMemory<>("old", 100, 30_000),
            new ActiveMemory<>("oldest", 100, 20_000));
    assertThat(flushes.choose(actives, 100_000, LONG_BYTES, STEP_BYTES))
        .containsExactly("oldest", "old");
  }
}
