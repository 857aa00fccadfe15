package org.loam.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfianTest {
  private static final int DRAWS = 1_000_000;

  private static long[] draw(Zipfian zipfian) {
    SplittableRandom random = new SplittableRandom(11);
    long[] counts = new long[(int) zipfian.count()];
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) zipfian.next(random)]++;
    }
    return counts;
  }

  @Test
  void probabilitiesAddUpToOneAndFallWithTheRank() {
    Zipfian zipfian = new Zipfian(1000, Zipfian.THETA);
    double sum = 0;
    for (long rank = 0; rank < 1000; rank++) {
      sum += zipfian.probability(rank);
    }
    assertThat(sum).isCloseTo(1, within(1e-9));
    assertThat(zipfian.probability(0) / zipfian.probability(9))
        .isCloseTo(Math.pow(10, 0.99), within(1e-9));
  }

  @Test
  void drawsFollowTheDistribution() {
    Zipfian zipfian = new Zipfian(1000, Zipfian.THETA);
    long[] counts = draw(zipfian);
    // The two most popular ranks are exact in this method, the others an approximation.
    for (int rank = 0; rank < 2; rank++) {
      assertThat(counts[rank] / (double) DRAWS).isCloseTo(zipfian.probability(rank), within(0.002));
    }
    double expected = 0;
    double drawn = 0;
    for (int rank = 0; rank < 1000; rank++) {
      expected += zipfian.probability(rank);
      drawn += counts[rank] / (double) DRAWS;
      assertThat(drawn).as("cumulated to rank " + rank).isCloseTo(expected, within(0.03));
    }
  }

  @Test
  void everyRankIsReached() {
    for (long count : draw(new Zipfian(1000, Zipfian.THETA))) {
      assertThat(count).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 10})
  void fewRanksStayInRange(long count) {
    Zipfian zipfian = new Zipfian(count, Zipfian.THETA);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 10_000; i++) {
      assertThat(zipfian.next(random)).isBetween(0L, count - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.5, 0.8, 0.999})
  void aSmallerSkewFavoursThePopularLess(double theta) {
    Zipfian zipfian = new Zipfian(1000, theta);
    assertThat(zipfian.probability(0) / zipfian.probability(9))
        .isCloseTo(Math.pow(10, theta), within(1e-9));
    long[] counts = draw(zipfian);
    for (int rank = 0; rank < 2; rank++) {
      assertThat(counts[rank] / (double) DRAWS).isCloseTo(zipfian.probability(rank), within(0.002));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, 1.5, Double.NaN})
  void aSkewThatTheMethodHasNotIsRefused(double theta) {
    assertThatThrownBy(() -> new Zipfian(1000, theta))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("theta = " + theta + ", rule: above 0 and below 1");
  }

  @Test
  void noRanksAreRefused() {
    assertThatThrownBy(() -> new Zipfian(0, Zipfian.THETA))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 1000, 4096, 99_991, 250_000})
  void theScrambleLeavesNoRecordOut(long count) {
    Scramble scramble = new Scramble(count);
    BitSet seen = new BitSet();
    for (long rank = 0; rank < count; rank++) {
      long index = scramble.index(rank);
      assertThat(index).isBetween(0L, count - 1);
      seen.set((int) index);
    }
    assertThat(seen.cardinality()).isEqualTo((int) count);
  }

  @Test
  void theScrambleParksPopularRanksFarApart() {
    Scramble scramble = new Scramble(1_000_000);
    for (long rank = 0; rank < 100; rank++) {
      long distance = Math.abs(scramble.index(rank) - scramble.index(rank + 1));
      assertThat(distance).isGreaterThan(100_000);
    }
  }

  @Test
  void theScrambleTakesTheLargestCount() {
    Scramble scramble = new Scramble(1L << 31);
    assertThat(scramble.index((1L << 31) - 1)).isBetween(0L, (1L << 31) - 1);
    assertThatThrownBy(() -> new Scramble((1L << 31) + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
