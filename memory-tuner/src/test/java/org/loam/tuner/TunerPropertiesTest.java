package org.loam.tuner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.TunerMode;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.EngineLevels;
import org.loam.tuner.cost.LogSample;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.MergeCosts;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.PaperEquations;
import org.loam.tuner.cost.PaperEquations.Elasticity;
import org.loam.tuner.cost.PaperEquations.Slope;
import org.loam.tuner.cost.ProcessorTimes;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.Rereads;
import org.loam.tuner.cost.Rewrites;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.cost.Weights;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Origin;

/**
 * What holds of every decision, whatever the engine counted: signs of the slopes, bounds of the
 * steps, numbers that are numbers. On random cycles that need not make sense together; examples are
 * among the scripts.
 */
class TunerPropertiesTest {
  private static final int RUNS = 1000;
  private static final int CYCLES = 8;
  private static final int PAGE_BYTES = 1 << 14;
  private static final CostModel ASSUMED =
      new CostModel(
          CostModel.Unit.NANOS,
          new CostModel.Line(76_000, 0.25),
          new CostModel.Line(100_000, 1),
          new CostModel.Line(100_000, 1),
          1 << 20);

  @ParameterizedTest
  @EnumSource
  void everyStepKeepsToItsBounds(PolicyKind policy) {
    int moves = 0;
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(run);
      long total = size(random, 1L << 26, 1L << 40);
      TunerOptions options = options(random, policy, total);
      Tuner tuner = new Tuner(options, total, ASSUMED, EngineLevels::sizes);
      long least = options.bounds().leastWriteBytes();
      long most = total - options.bounds().leastCacheBytes();
      long now = least + (long) ((most - least) * random.nextDouble());
      for (int cycle = 0; cycle < CYCLES; cycle++) {
        Decision decision = tuner.endCycle(sample(random, total, now));
        check(decision, options, total);
        assertThat(decision.fromBytes()).as("run %d", run).isEqualTo(now);
        assertThat(decision.toBytes()).as("run %d", run).isBetween(least, most);
        moves += decision.moves() ? 1 : 0;
        now = decision.toBytes();
      }
    }
    assertThat(moves).isGreaterThan(RUNS / 2);
  }

  private static void check(Decision decision, TunerOptions options, long total) {
    long step = decision.toBytes() - decision.fromBytes();
    long donor = step < 0 ? decision.fromBytes() : total - decision.fromBytes();
    boolean isUndo = decision.origin() == Origin.UNDO;
    double most = (isUndo ? 1 : options.policy().donorFraction()) * donor + 1;
    assertThat((double) Math.abs(step)).as("%s", decision).isLessThanOrEqualTo(most);
    if (decision.moves()) {
      assertThat(Math.abs(step)).isGreaterThanOrEqualTo(TunerOptions.shortestStepBytes(total));
      assertThat(isUndo || decision.estimate().predictedGain() > 0).as("%s", decision).isTrue();
    }
    assertThat(decision.estimate().cost()).as("%s", decision).isFinite().isNotNegative();
    assertThat(decision.estimate().predictedGain()).isFinite();
    assertThat(decision.evidence().numbers().values()).allMatch(Double::isFinite);
    assertThat(decision.evidence().curve())
        .allMatch(point -> Double.isFinite(point.cost()) && point.cost() >= 0);
  }

  /** A larger write memory never writes more; a larger cache never misses more. */
  @ParameterizedTest
  @EnumSource
  void slopesHaveTheirSigns(Shape shape) {
    int known = 0;
    for (int run = 0; run < RUNS; run++) {
      Random random = new Random(run);
      long total = size(random, 1L << 26, 1L << 40);
      CycleSample sample = sample(random, total, 1 + (long) ((total - 1) * random.nextDouble()));
      Slope slope =
          PaperEquations.slope(
              sample, ASSUMED, shape.of(sample), tree -> tree.flushed().memoryFraction());
      assertThat(slope.write()).as("run %d", run).isFinite().isLessThanOrEqualTo(0);
      assertThat(slope.mergeReads()).as("run %d", run).isFinite().isLessThanOrEqualTo(0);
      assertThat(slope.savedReads()).as("run %d", run).isFinite().isNotNegative();
      known += slope.write() < 0 ? 1 : 0;
    }
    assertThat(known).isGreaterThan(RUNS / 8);
  }

  /** Of the cost of merges. */
  private enum Shape {
    LOGARITHM,
    LEVELS;

    private Elasticity of(CycleSample sample) {
      return this == LOGARITHM
          ? PaperEquations::logarithm
          : MergeCosts.unknown(EngineLevels::sizes).plus(sample)::elasticity;
    }
  }

  // ---- Random cycles.

  private static TunerOptions options(Random random, PolicyKind policy, long total) {
    TunerOptions defaults = TunerOptions.defaults(total, 1 << 30);
    TunerOptions.Bounds bounds =
        random.nextBoolean()
            ? defaults.bounds()
            : new TunerOptions.Bounds(size(random, 1, total / 2), size(random, 1, total / 2));
    Weights weights = new Weights(random.nextInt(3), 1 + random.nextInt(3));
    CostModel.Unit unit = random.nextInt(4) == 0 ? CostModel.Unit.PAGES : CostModel.Unit.NANOS;
    return new TunerOptions(TunerMode.ADAPTIVE, policy, unit, bounds, weights, defaults.cycle());
  }

  /** As often near the least as near the most, by their ratio; sometimes the least itself. */
  private static long size(Random random, long least, long most) {
    double part = random.nextInt(8) == 0 ? 0 : random.nextDouble();
    return Math.min(most, Math.round(least * Math.pow((double) most / least, part)));
  }

  /** As {@link #size}, or nothing. */
  private static long count(Random random, long most) {
    return random.nextInt(5) == 0 ? 0 : size(random, 1, most);
  }

  private static CycleSample sample(Random random, long total, long writeBytes) {
    List<TreeSample> trees = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      trees.add(tree(random, i, total, 1.0 / count));
    }
    Map<ReadClass, ReadSample> reads = new EnumMap<>(ReadClass.class);
    for (ReadClass readClass : ReadClass.values()) {
      long missed = count(random, 1L << 32);
      long pins = readClass == ReadClass.MERGE ? 0 : missed + count(random, 1L << 32);
      long requests = missed == 0 ? 0 : size(random, 1, missed);
      reads.put(readClass, new ReadSample(pins, missed, requests, Math.min(missed, requests / 2)));
    }
    return new CycleSample(
        count(random, 1L << 32),
        trees,
        reads,
        new MemorySample(total, writeBytes, Math.max(PAGE_BYTES, total / 8), PAGE_BYTES),
        new LogSample(count(random, 1L << 40), size(random, 1, 1L << 40)),
        new Curves(
            curve(random, total),
            new Rewrites(curve(random, total), rereads(random, total), rereads(random, total))),
        new CycleTimes(
            count(random, 1L << 42),
            count(random, 1L << 42),
            count(random, 1L << 42),
            count(random, 1L << 42),
            new ProcessorTimes(
                count(random, 1L << 42), count(random, 1L << 42), count(random, 1L << 42)),
            new CycleTimes.Beside(count(random, 1L << 32), count(random, 1L << 42))));
  }

  private static TreeSample tree(Random random, int id, long total, double mostShare) {
    TreeSample.Growth growth =
        new TreeSample.Growth(growth(random), growth(random), growth(random));
    int minMerge = 1 + random.nextInt(8);
    return new TreeSample(
        id,
        new TreeSample.Written(count(random, 1L << 32), count(random, 1L << 42)),
        new TreeSample.Flushed(count(random, 1L << 42), count(random, 1L << 42)),
        count(random, 1L << 42),
        new TreeSample.Levels(
            count(random, 1L << 44),
            1 + random.nextInt(4),
            2 + random.nextInt(20),
            minMerge,
            minMerge * (1 + random.nextDouble()),
            random.nextInt(3) == 0 ? size(random, 1, total) : 0,
            growth),
        new TreeSample.Held(random.nextDouble() * mostShare, growth(random)));
  }

  private static long growth(Random random) {
    return random.nextBoolean() ? count(random, 1L << 36) : -count(random, 1L << 36);
  }

  private static Rereads rereads(Random random, long total) {
    return new Rereads(2 * random.nextDouble(), curve(random, total));
  }

  private static MissCurve curve(Random random, long total) {
    if (random.nextInt(4) == 0) {
      return MissCurve.UNKNOWN;
    }
    int points = 1 + random.nextInt(6);
    double[] sizes = new double[points];
    double[] ratios = new double[points];
    for (int i = 0; i < points; i++) {
      sizes[i] = i == 0 ? 0 : sizes[i - 1] + 1 + random.nextDouble() * total / 3;
      ratios[i] = (i == 0 ? 1 : ratios[i - 1]) * (random.nextInt(6) == 0 ? 0 : random.nextDouble());
    }
    return MissCurve.of(sizes, ratios);
  }
}
