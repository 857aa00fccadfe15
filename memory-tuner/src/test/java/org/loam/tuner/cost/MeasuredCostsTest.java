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

  // ---- What merges delay.

  private static final int MISSES = 2000;
  private static final long BYTES = 12 << 20;
  private static final ProcessorTimes NOT_KNOWN = ProcessorTimes.NONE;

  /** 2000 misses, of 100 µs where nothing else goes on; 12 MiB were written and read. */
  private static CycleSample besideMerges(long beside, double besideNanos) {
    return besideMerges(beside, besideNanos, BYTES, NOT_KNOWN);
  }

  /**
   * Misses beside flushes and merges, and those apart, which take 100 µs.
   *
   * @param besideNanos of each miss beside
   * @param bytes that flushes and merges moved: a third was read, three twelfths flushed
   */
  private static CycleSample besideMerges(
      long beside, double besideNanos, long bytes, ProcessorTimes processors) {
    long allBesideNanos = Math.round(beside * besideNanos);
    long written = bytes * 2 / 3;
    CycleSample reads =
        sample(
            Map.of(
                ReadClass.QUERY,
                new ReadSample(4000, MISSES, MISSES - 500, 0),
                ReadClass.FILTER,
                new ReadSample(600, 500, 500, 0),
                ReadClass.MERGE,
                new ReadSample(0, (bytes - written) / PAGE_BYTES, (bytes - written) >> 20, 0)),
            new CycleTimes(
                (MISSES - beside) * 100_000 + allBesideNanos,
                5_000_000,
                written,
                30_000_000,
                processors,
                new CycleTimes.Beside(beside, allBesideNanos)));
    return new CycleSample(
        reads.operations(),
        List.of(
            new TreeSample(
                1,
                new TreeSample.Written(1000, bytes / 4),
                new TreeSample.Flushed(bytes / 4, 0),
                written - bytes / 4,
                new TreeSample.Levels(1 << 30, 2, 10, 4, 4, 0, TreeSample.Growth.NONE),
                new TreeSample.Held(1, 0))),
        reads.reads(),
        reads.memory(),
        reads.log(),
        reads.curves(),
        reads.times());
  }

  private static MeasuredCosts after(CycleSample... cycles) {
    MeasuredCosts costs = MeasuredCosts.of(ASSUMED);
    for (CycleSample cycle : cycles) {
      costs = costs.plus(cycle);
    }
    return costs;
  }

  private static double delay(CycleSample... cycles) {
    return after(cycles).numbers().get("missDelayNanosPerByte");
  }

  private static double missScale(CycleSample... cycles) {
    return after(cycles).scales().get("missScale");
  }

  /** 800 misses take 60 µs longer beside merges. */
  @Test
  void whatMergesDelayIsACostOfTheirBytes() {
    CycleSample sample = besideMerges(800, 160_000);
    CycleCost cost = CycleCost.of(sample, after(sample).model());
    CycleTimes times = sample.times();
    CycleSample unknown =
        sample(
            sample.reads(),
            new CycleTimes(
                times.missNanos(),
                times.mergeReadNanos(),
                times.writtenBytes(),
                times.writeNanos()));
    CycleCost before = CycleCost.of(sample, after(unknown).model());
    double moved = 800 * 60_000 / 1000.0;
    Weights weights = new Weights(1, 1);
    assertThat(cost.weighted(weights))
        .isCloseTo(before.weighted(weights), within(1e-9 * before.weighted(weights)));
    assertThat(before.misses() - cost.misses()).isCloseTo(moved, within(1e-6 * moved));
    assertThat(cost.flushes() - before.flushes()).isCloseTo(moved / 4, within(1e-6 * moved));
    assertThat(cost.mergeWrites() - before.mergeWrites())
        .isCloseTo(moved * 5 / 12, within(1e-6 * moved));
    assertThat(cost.mergeReads() - before.mergeReads()).isCloseTo(moved / 3, within(1e-6 * moved));
    assertThat(cost.misses()).isCloseTo(MISSES * 100_000 / 1000.0, within(1e-3));
  }

  @Test
  void olderCyclesCountHalf() {
    double two = 100_000 + 2.0 * BYTES / 1000;
    double eight = 100_000 + 8.0 * BYTES / 1000;
    assertThat(delay(besideMerges(1000, two))).isCloseTo(2, within(1e-6));
    assertThat(delay(besideMerges(1000, two), besideMerges(1000, eight)))
        .isCloseTo((2 * 0.5 + 8) / 1.5, within(1e-6));
    CycleSample large = besideMerges(1000, 100_000 + 8.0 * BYTES / 250, 4 * BYTES, NOT_KNOWN);
    assertThat(delay(besideMerges(1000, two), large))
        .as("a cycle of four times the bytes")
        .isCloseTo((2 * 0.5 + 8 * 4) / 4.5, within(1e-6));
  }

  /** Where those beside merges are shorter, it is chance. */
  @Test
  void whatIsShorterBesideMergesIsNoGain() {
    CycleSample sample = besideMerges(1000, 60_000);
    assertThat(delay(sample)).isZero();
    double nanos = 1000 * 60_000 + 1000 * 100_000;
    double expected = ASSUMED.misses().of(MISSES, (double) (MISSES + 500) * PAGE_BYTES);
    assertThat(missScale(sample)).isCloseTo(nanos / expected, within(1e-9));
  }

  @Test
  void aCycleThatCannotTellTakesWhatIsKnown() {
    double four = 100_000 + 4.0 * BYTES / 1000;
    CycleSample known = besideMerges(1000, four);
    double scale = missScale(known);
    // All of them are beside, and are as long as if 4 ns a byte were added to 100 µs each.
    CycleSample all = besideMerges(MISSES, 100_000 + 4.0 * BYTES / MISSES);
    assertThat(delay(all)).as("nothing is known").isZero();
    assertThat(missScale(all)).as("nothing is known").isGreaterThan(1.2 * scale);
    assertThat(delay(known, all)).isCloseTo(4, within(1e-6));
    assertThat(missScale(known, all)).isCloseTo(scale, within(1e-6));
    // None is beside: nothing was delayed.
    CycleSample none = besideMerges(0, 0);
    assertThat(delay(known, none)).isCloseTo(4 / 3.0, within(1e-6));
    assertThat(missScale(known, none)).isCloseTo(scale, within(1e-6));
    // Few are, and took less than what is known: no more than that.
    CycleSample few = besideMerges(63, 200_000);
    assertThat(delay(known, few))
        .isCloseTo((4.0 * BYTES / 2 + 63 * 200_000) / (1.5 * BYTES), within(1e-6));
    // Few are, and one of them hung.
    assertThat(delay(known, besideMerges(63, 1e9))).isCloseTo(4, within(1e-6));
  }

  @Test
  void sixtyFourOfEachTell() {
    assertThat(delay(besideMerges(63, 1_000_000))).isZero();
    assertThat(delay(besideMerges(64, 1_000_000))).isCloseTo(64 * 900_000.0 / BYTES, within(1e-6));
    assertThat(delay(besideMerges(MISSES - 64, 1_000_000))).isPositive();
    assertThat(delay(besideMerges(MISSES - 63, 1_000_000))).isZero();
  }

  /** A merge may force what it wrote before, and write nothing. */
  @Test
  void withoutBytesNothingIsDelayed() {
    double four = 100_000 + 4.0 * BYTES / 1000;
    CycleSample known = besideMerges(1000, four);
    CycleSample forced = besideMerges(1000, 200_000, 0, NOT_KNOWN);
    assertThat(delay(forced)).isZero();
    assertThat(delay(known, forced)).isCloseTo(4, within(1e-6));
    assertThat(missScale(forced)).isCloseTo(1.5 * missScale(besideMerges(0, 0)), within(1e-6));
  }

  /** A request at the end of a cycle may be counted in it, and as one beside others in the next. */
  @Test
  void noMoreIsDelayedThanMissesTook() {
    CycleSample sample = besideMerges(1000, 160_000);
    CycleTimes times =
        new CycleTimes(
            100_000_000,
            0,
            sample.times().writtenBytes(),
            0,
            NOT_KNOWN,
            new CycleTimes.Beside(1000, 160_000_000));
    assertThat(delay(sample(sample.reads(), times))).isCloseTo(100_000_000.0 / BYTES, within(1e-6));
  }

  @Test
  void aDelayBeyondAllMeasureIsAnAccident() {
    assertThat(delay(besideMerges(1000, 1e9))).isEqualTo(1000);
  }

  /** The delay is time at the disk: it counts by the part of the processors that is idle. */
  @Test
  void busyProcessorsRunOthersInTheDelay() {
    ProcessorTimes busy = new ProcessorTimes(1000, 750, BYTES * 3);
    double four = 100_000 + 4.0 * BYTES / 1000;
    CycleSample beside = besideMerges(1000, four, BYTES, busy);
    CycleSample apart = besideMerges(0, 0, BYTES, busy);
    CostModel with = after(beside).model();
    CostModel without = after(apart).model();
    assertThat(with.streamReads().perByte() - without.streamReads().perByte())
        .isCloseTo(4 / 4.0, within(1e-6));
    assertThat(with.streamWrites().perByte() - without.streamWrites().perByte())
        .isCloseTo(4 / 4.0, within(1e-6));
    assertThat(with.streamReads().request())
        .isCloseTo(without.streamReads().request(), within(1e-6));
    assertThat(with.streamWrites().request())
        .isCloseTo(without.streamWrites().request(), within(1e-6));
    assertThat(with.misses().request()).isCloseTo(without.misses().request(), within(1e-3));
  }
}
