package org.loam.tuner.ghost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.tuner.cost.ReadClass;

class GhostCacheTest {
  private static long pageOf(SplittableRandom random, int pattern, int step) {
    double u = random.nextDouble();
    return switch (pattern) {
      case 0 -> random.nextInt(400);
      case 1 -> (long) (400 * u * u * u);
      case 2 -> step % 150;
      default -> random.nextInt(3) == 0 ? step / 3 % 300 : (long) (200 * u * u);
    };
  }

  /** The larger cache hits exactly where the smaller one, or the ghost cache, does. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aSavedReadIsAHitOfACacheThatIsLargerByTheGhost(int pattern) {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int pages = 1 + random.nextInt(100);
      int ghostPages = 1 + random.nextInt(100);
      LruCache small = new LruCache(pages);
      LruCache large = new LruCache(pages + ghostPages);
      GhostCache ghost = new GhostCache(ghostPages);
      long saved = 0;
      for (int step = 0; step < 3000; step++) {
        long page = pageOf(random, pattern, step);
        boolean hit = small.use(page);
        boolean found = !hit && ghost.missed(page, ReadClass.QUERY, true);
        Long evicted = small.evict();
        if (evicted != null) {
          ghost.left(evicted);
        }
        assertThat(hit || found).as("seed %d, step %d", seed, step).isEqualTo(large.use(page));
        large.evict();
        saved += found ? 1 : 0;
      }
      assertThat(ghost.saved()).containsEntry(ReadClass.QUERY, saved);
      assertThat(ghost.pages()).isLessThanOrEqualTo(ghostPages);
    }
  }

  /** CLOCK with one bit, the cache of MemoryWalls: what growth saves is near what was predicted. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void whatGrowthSavesIsNearThePredictionForAClock(int pattern) {
    GhostCache ghost = new GhostCache(20);
    long before = clockMisses(pattern, 60, ghost);
    long after = clockMisses(pattern, 80, new GhostCache(20));
    double predicted = ghost.saved().get(ReadClass.QUERY);
    assertThat(before - after).isCloseTo((long) predicted, percentage(20));
    assertThat(predicted).isGreaterThan(0.03 * before);
  }

  private static org.assertj.core.data.Percentage percentage(double value) {
    return org.assertj.core.data.Percentage.withPercentage(value);
  }

  private static long clockMisses(int pattern, int pages, GhostCache ghost) {
    SplittableRandom random = new SplittableRandom(7);
    long[] frames = new long[pages];
    java.util.Arrays.fill(frames, -1);
    boolean[] used = new boolean[pages];
    int[] frameOf = new int[400];
    java.util.Arrays.fill(frameOf, -1);
    int hand = 0;
    long misses = 0;
    for (int step = 0; step < 100_000; step++) {
      int page = (int) pageOf(random, pattern, step);
      if (frameOf[page] >= 0) {
        used[frameOf[page]] = true;
        continue;
      }
      misses++;
      ghost.missed(page, ReadClass.QUERY, true);
      while (used[hand]) {
        used[hand] = false;
        hand = (hand + 1) % pages;
      }
      if (frames[hand] >= 0) {
        frameOf[(int) frames[hand]] = -1;
        ghost.left(frames[hand]);
      }
      frames[hand] = page;
      frameOf[page] = hand;
      hand = (hand + 1) % pages;
    }
    return misses;
  }

  @Test
  void classesAreCountedApart() {
    GhostCache ghost = new GhostCache(2);
    ghost.left(1);
    ghost.left(2);
    assertThat(ghost.missed(1, ReadClass.FILTER, true)).isTrue();
    assertThat(ghost.missed(1, ReadClass.FILTER, true)).as("it is in the cache now").isFalse();
    assertThat(ghost.missed(2, ReadClass.QUERY, false)).isTrue();
    assertThat(ghost.missed(2, ReadClass.META, false)).as("it did not stay").isTrue();
    assertThat(ghost.saved())
        .containsEntry(ReadClass.FILTER, 1L)
        .containsEntry(ReadClass.QUERY, 1L)
        .containsEntry(ReadClass.META, 1L)
        .containsEntry(ReadClass.MERGE, 0L);
  }

  @Test
  void theOldestMakesRoom() {
    GhostCache ghost = new GhostCache(2);
    ghost.left(1);
    ghost.left(2);
    ghost.left(1);
    ghost.left(3);
    assertThat(ghost.pages()).isEqualTo(2);
    assertThat(ghost.missed(2, ReadClass.QUERY, true)).isFalse();
    assertThat(ghost.missed(1, ReadClass.QUERY, true)).isTrue();
    assertThat(ghost.missed(3, ReadClass.QUERY, true)).isTrue();
    assertThat(ghost.pages()).isZero();
  }

  @Test
  void pagesOfADeletedFileLeave() {
    GhostCache ghost = new GhostCache(10);
    for (long file = 1; file <= 3; file++) {
      ghost.left(file << 32);
      ghost.left(file << 32 | 0xffffffffL);
    }
    ghost.deleted(2L << 32, 2L << 32 | 0xffffffffL);
    assertThat(ghost.pages()).isEqualTo(4);
    assertThat(ghost.missed(2L << 32, ReadClass.QUERY, true)).isFalse();
    assertThat(ghost.missed(3L << 32, ReadClass.QUERY, true)).isTrue();
    assertThat(ghost.missed(1L << 32 | 0xffffffffL, ReadClass.QUERY, true)).isTrue();
  }

  @Test
  void aCapacityOfZeroIsRefused() {
    assertThatThrownBy(() -> new GhostCache(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacityPages: 0, must be at least 1");
  }
}
