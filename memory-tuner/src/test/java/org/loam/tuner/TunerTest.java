package org.loam.tuner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.common.config.TunerMode;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.Curves;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.EngineLevels;
import org.loam.tuner.cost.LogSample;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.Rewrites;
import org.loam.tuner.cost.Weights;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Rule;

class TunerTest {
  private static final long TOTAL = 1 << 30;
  private static final long WRITE = 1 << 28;
  private static final int PAGE = 1 << 14;
  private static final CostModel ASSUMED = time(80_000);

  /** Requests of one time, whatever their size. */
  private static CostModel time(int nanos) {
    CostModel.Line line = new CostModel.Line(nanos, 0);
    return new CostModel(CostModel.Unit.NANOS, line, line, line, 1 << 20);
  }

  private static TunerOptions options(TunerMode mode, PolicyKind policy) {
    return options(mode, policy, CostModel.Unit.PAGES);
  }

  private static TunerOptions options(TunerMode mode, PolicyKind policy, CostModel.Unit unit) {
    TunerOptions plain = TunerOptions.defaults(TOTAL, 1 << 30);
    return new TunerOptions(mode, policy, unit, plain.bounds(), plain.weights(), plain.cycle());
  }

  private static Tuner tuner(TunerMode mode, PolicyKind policy) {
    return new Tuner(options(mode, policy), TOTAL, ASSUMED, EngineLevels::sizes);
  }

  /** Reads that would gain from a larger cache, by slope and by curve. */
  private static CycleSample reads(long count, long total) {
    return reads(count, total, WRITE);
  }

  private static CycleSample reads(long count, long total, long write) {
    return new CycleSample(
        count,
        List.of(),
        Map.of(ReadClass.QUERY, new ReadSample(count, count / 2, count / 2, count / 4)),
        new MemorySample(total, write, 1 << 26, 1 << 14),
        new LogSample(0, 1 << 30),
        new Curves(MissCurve.of(new double[] {0, TOTAL}, new double[] {1, 0.3}), Rewrites.UNKNOWN));
  }

  @Test
  void anAdaptiveTunerMoves() {
    for (PolicyKind policy : PolicyKind.values()) {
      Decision decision = tuner(TunerMode.ADAPTIVE, policy).endCycle(reads(100_000, TOTAL));
      assertThat(decision.toBytes()).as("%s", policy).isLessThan(WRITE);
      assertThat(decision.rule()).isEqualTo(Rule.DONOR);
    }
  }

  /** An engine has whole pages, which a part of its memory seldom is. */
  @Test
  void aMoveIsJudgedWhenTheEngineIsThereToThePage() {
    long odd = WRITE + PAGE;
    for (PolicyKind policy : PolicyKind.values()) {
      Tuner tuner = tuner(TunerMode.ADAPTIVE, policy);
      long to = tuner.endCycle(reads(100_000, TOTAL, odd)).toBytes();
      assertThat(to % PAGE).as("%s", policy).isNotZero();
      long there = to / PAGE * PAGE;
      assertThat(tuner.endCycle(reads(100_000, TOTAL, there)).lastMove())
          .as("%s", policy)
          .isNotNull();
    }
  }

  @Test
  void anObserverSaysWhereItWouldGoAndStays() {
    Tuner tuner = tuner(TunerMode.OBSERVE, PolicyKind.CURVE);
    for (int i = 0; i < 3; i++) {
      Decision decision = tuner.endCycle(reads(100_000, TOTAL));
      assertThat(decision.moves()).isFalse();
      assertThat(decision.wantedBytes()).isLessThan(WRITE);
      assertThat(decision.rule()).isEqualTo(Rule.OBSERVING);
      assertThat(decision.lastMove()).isNull();
    }
  }

  @Test
  void aFrozenTunerDecidesNothing() {
    Decision decision = tuner(TunerMode.FROZEN, PolicyKind.CURVE).endCycle(reads(100_000, TOTAL));
    assertThat(decision.moves()).isFalse();
    assertThat(decision.rule()).isEqualTo(Rule.FROZEN);
  }

  /** The shortest step is 1.6 MiB: 102 pages. */
  @Test
  void anEngineThatMovesLessThanAStepIsIdle() {
    Tuner tuner = tuner(TunerMode.ADAPTIVE, PolicyKind.PAPER);
    assertThat(tuner.endCycle(reads(200, TOTAL)).rule()).isEqualTo(Rule.IDLE);
    assertThat(tuner.endCycle(reads(0, TOTAL)).rule()).isEqualTo(Rule.IDLE);
    assertThat(tuner.endCycle(reads(210, TOTAL)).rule()).isEqualTo(Rule.FEW_HITS);
  }

  @Test
  void optionsChangeWhileItIsInUse() {
    Tuner tuner = tuner(TunerMode.FROZEN, PolicyKind.CURVE);
    tuner.configure(options(TunerMode.ADAPTIVE, PolicyKind.CURVE));
    assertThat(tuner.endCycle(reads(100_000, TOTAL)).moves()).isTrue();

    TunerOptions now = tuner.options();
    TunerOptions noReads =
        new TunerOptions(
            now.mode(), now.policy(), now.unit(), now.bounds(), new Weights(1, 0), now.cycle());
    tuner.configure(noReads);
    assertThat(tuner.endCycle(reads(100_000, TOTAL)).moves()).isFalse();

    TunerOptions wrong =
        new TunerOptions(
            now.mode(),
            now.policy(),
            now.unit(),
            new TunerOptions.Bounds(TOTAL, TOTAL),
            now.weights(),
            now.cycle());
    assertThatThrownBy(() -> tuner.configure(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "memory of the tuner: 1GiB, must be at least tuner.leastWriteBytes and"
                + " tuner.leastCacheBytes together, 2GiB");
    assertThat(tuner.options()).isEqualTo(noReads);
  }

  /** Half of the reads miss a page of 16 KiB: 80 µs are assumed, and 8 measured. */
  @Test
  void aDecisionHasTheCostsThatWereMeasured() {
    CostModel.Unit unit = CostModel.Unit.NANOS;
    Tuner tuner =
        new Tuner(
            options(TunerMode.FROZEN, PolicyKind.CURVE, unit), TOTAL, ASSUMED, EngineLevels::sizes);
    CycleSample reads = reads(100_000, TOTAL);
    CycleSample timed =
        new CycleSample(
            reads.operations(),
            reads.trees(),
            reads.reads(),
            reads.memory(),
            reads.log(),
            reads.curves(),
            new CycleTimes(50_000L * 8_000, 0, 0, 0));
    assertThat(tuner.endCycle(reads).evidence().numbers()).containsEntry("missScale", 1.0);
    assertThat(tuner.endCycle(timed).evidence().numbers().get("missScale"))
        .isCloseTo(0.1, within(1e-9));
    tuner.configure(options(TunerMode.ADAPTIVE, PolicyKind.CURVE, unit));
    Decision decision = tuner.endCycle(timed);
    assertThat(decision.estimate().cost()).isCloseTo(4000, within(1.0));
    assertThat(tuner.costs().misses().request()).isCloseTo(8000, within(1.0));
    tuner.configure(options(TunerMode.ADAPTIVE, PolicyKind.CURVE));
    decision = tuner.endCycle(timed);
    assertThat(decision.estimate().cost()).as("in pages").isCloseTo(0.5, within(1e-9));
    assertThat(decision.lastMove()).as("one in another unit").isNull();
  }

  /** What was learned stays: the second of two cycles of rest counts both together. */
  @Test
  void aChangeOfTheModeForgetsNothing() {
    Tuner tuner = tuner(TunerMode.ADAPTIVE, PolicyKind.PAPER);
    assertThat(tuner.endCycle(reads(3000, TOTAL)).rule()).isEqualTo(Rule.FEW_HITS);
    tuner.configure(options(TunerMode.OBSERVE, PolicyKind.PAPER));
    assertThat(tuner.endCycle(reads(3000, TOTAL)).rule()).isEqualTo(Rule.OBSERVING);
  }

  @Test
  void aSampleOfAnotherBudgetIsRefused() {
    Tuner tuner = tuner(TunerMode.ADAPTIVE, PolicyKind.CURVE);
    assertThatThrownBy(() -> tuner.endCycle(reads(100_000, 2 * TOTAL)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("totalBytes of a sample: 2147483648, must be 1073741824");
  }
}
