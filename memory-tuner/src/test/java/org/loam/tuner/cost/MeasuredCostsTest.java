package org.loam.tuner.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Properties of measured costs, on random cycles; examples are among the scripts. */
class MeasuredCostsTest {
  private static final int PAGE_BYTES = 1 << 14;
  private static final CostModel ASSUMED =
      new CostModel(
          CostModel.Unit.NANOS,
          new CostModel.Line(76_000, 0.25),
          new CostModel.Line(100_000, 1),
          new CostModel.Line(100_000, 2),
          1 << 20);

  private static CycleSample sample(Map<ReadClass, ReadSample> reads, CycleTimes times) {
    return new CycleSample(
        1000,
        List.of(),
        reads,
        new MemorySample(1 << 30, 1 << 28, 1 << 26, PAGE_BYTES),
        new LogSample(0, 1 << 30),
        Curves.NONE,
        times);
  }

  private static ReadSample someReads(Random random) {
    int missed = random.nextInt(10_000);
    return new ReadSample(2L * missed, missed, random.nextInt(missed + 1), 0);
  }

  /** A cycle on a device that takes so many times as long as assumed. */
  private static CycleSample cycle(Random random, double misses, double reads, double writes) {
    Map<ReadClass, ReadSample> samples =
        Map.of(
            ReadClass.QUERY, someReads(random),
            ReadClass.META, someReads(random),
            ReadClass.MERGE, someReads(random));
    CycleCost cost = CycleCost.of(sample(samples, CycleTimes.NONE), ASSUMED);
    long written = random.nextInt(1 << 30);
    return sample(
        samples,
        new CycleTimes(
            Math.round(cost.misses() * 1000 * misses),
            Math.round(cost.mergeReads() * 1000 * reads),
            written,
            Math.round(ASSUMED.writeCost((double) written) * writes)));
  }

  @Test
  void aSteadyDeviceIsKnownFromTheFirstCycleOn() {
    Random random = new Random(1);
    for (int run = 0; run < 100; run++) {
      double misses = Math.pow(10, 4 * random.nextDouble() - 2);
      double writes = Math.pow(10, 4 * random.nextDouble() - 2);
      MeasuredCosts costs = MeasuredCosts.of(ASSUMED);
      for (int i = 0; i < 5; i++) {
        costs = costs.plus(cycle(random, misses, 2, writes));
        assertThat(costs.model().misses().request() / 76_000).isCloseTo(misses, percent(misses));
        assertThat(costs.model().misses().perByte() / 0.25).isCloseTo(misses, percent(misses));
        assertThat(costs.model().streamReads().perByte()).isCloseTo(2, percent(2));
        assertThat(costs.model().streamWrites().perByte() / 2).isCloseTo(writes, percent(writes));
      }
    }
  }

  private static org.assertj.core.data.Offset<Double> percent(double of) {
    return within(of / 100);
  }

  /** Whatever a device does, what is known lies between the least and the most that it took. */
  @Test
  void aScaleIsBetweenThoseOfItsCycles() {
    Random random = new Random(2);
    for (int run = 0; run < 100; run++) {
      MeasuredCosts costs = MeasuredCosts.of(ASSUMED);
      double least = Double.POSITIVE_INFINITY;
      double most = 0;
      for (int i = 0; i < 10; i++) {
        double scale = Math.pow(10, 4 * random.nextDouble() - 2);
        least = Math.min(least, scale);
        most = Math.max(most, scale);
        costs = costs.plus(cycle(random, scale, scale, scale));
        for (double known : costs.scales().values()) {
          assertThat(known).isBetween(0.99 * least, 1.01 * most);
        }
      }
    }
  }

  /** A device that becomes 20 times as fast, or as slow again, is known after five cycles. */
  @Test
  void aChangedDeviceIsKnownInAFewCycles() {
    Map<ReadClass, ReadSample> reads = Map.of(ReadClass.QUERY, new ReadSample(9000, 1000, 1000, 0));
    long nanos = Math.round(ASSUMED.readCost(ReadClass.QUERY, reads.get(ReadClass.QUERY), 1 << 14));
    MeasuredCosts costs = MeasuredCosts.of(ASSUMED);
    for (double scale : new double[] {1, 0.05, 1}) {
      for (int i = 0; i < 5; i++) {
        costs = costs.plus(sample(reads, new CycleTimes(Math.round(nanos * scale), 0, 0, 0)));
      }
      assertThat(costs.scales().get("missScale")).isBetween(scale / 1.15, scale * 1.15);
    }
  }

  @Test
  void oneRequestThatHungIsNoSlowDevice() {
    Random random = new Random(3);
    MeasuredCosts costs = MeasuredCosts.of(ASSUMED);
    for (int i = 0; i < 5; i++) {
      costs = costs.plus(cycle(random, 1, 1, 1));
    }
    ReadSample one = new ReadSample(1, 1, 1, 0);
    costs =
        costs.plus(sample(Map.of(ReadClass.QUERY, one), new CycleTimes(30_000_000_000L, 0, 0, 0)));
    assertThat(costs.scales().get("missScale")).isBetween(1.0, 1.1);
  }
}
