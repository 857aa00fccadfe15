package org.loam.tuner.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.tuner.PolicyKind;
import org.loam.tuner.Tuner;
import org.loam.tuner.TunerOptions;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.EngineLevels;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.cost.Weights;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Limits;
import org.loam.tuner.policy.Origin;
import org.loam.tuner.policy.PaperPolicy;
import org.loam.tuner.policy.Rule;

/**
 * What the policies make of workloads in virtual time. Each split is judged by what it costs when
 * all is steady ({@link Exhaustive}), as more than the least cost, in percent.
 *
 * <p>Goals are in the names of the tests; where one is not reached, the test says what is.
 */
class BenchTest {
  private static final long MIB = 1 << 20;
  private static final long[] BUDGETS = {12 * MIB, 32 * MIB, 64 * MIB};
  private static final double[] WRITES = {0.1, 0.3, 0.5};
  private static final long NO_LOG_LIMIT = 1L << 40;
  private static final int CYCLES = 10;

  private static final Exhaustive YCSB = exhaustive(Workload::ycsb);
  private static final Exhaustive APART = exhaustive(Workload::ycsbApart);
  private static final Exhaustive TPCC = exhaustive(Workload::tpcc);
  private static final Exhaustive UNIFORM = exhaustive(Workload::uniform);

  /** From the least write memory: each budget, and of each all parts of writes. */
  private static final List<Run> YCSB_FROM_BELOW = runs(Workload::ycsb, YCSB, true);

  private static final List<Run> TPCC_FROM_BELOW = runs(Workload::tpcc, TPCC, true);

  private static Exhaustive exhaustive(Supplier<Workload> workload) {
    return new Exhaustive(workload, 128 << 10, 64 * MIB, NO_LOG_LIMIT);
  }

  private static Tuner curve(long total) {
    return tuner(total, PolicyKind.CURVE);
  }

  private static Tuner tuner(long total, PolicyKind kind) {
    TunerOptions plain = TunerOptions.defaults(total, NO_LOG_LIMIT);
    TunerOptions options =
        new TunerOptions(
            plain.mode(), kind, plain.unit(), plain.bounds(), plain.weights(), plain.cycle());
    return new Tuner(options, total, Device.DISK.requests(), EngineLevels::sizes);
  }

  /** Cycles are short here: no cycle waits for more hits in the ghost cache. */
  private static Decider paper(long total) {
    Limits limits = new Limits(total / 64, total / 20, total / 640, 0.1, 0.001);
    PaperPolicy policy = new PaperPolicy(limits, 0);
    Objective objective = new Objective(Device.DISK.requests(), Weights.EQUAL);
    return sample -> policy.decide(sample, objective);
  }

  /** What ends a cycle. */
  private interface Decider {
    Decision endCycle(CycleSample sample);
  }

  /** One workload, one budget and one policy, cycle by cycle. */
  private static final class Run {
    private final Exhaustive exhaustive;
    private final long total;
    private final World world;
    private final Decider decider;
    private final Exhaustive.Judge judge;
    private final List<Decision> decisions = new ArrayList<>();

    /** Cost above the least one after each cycle, in percent. */
    private final List<Double> excess = new ArrayList<>();

    /** Levels of the first tree at the end of each cycle. */
    private final List<Integer> levels = new ArrayList<>();

    Run(Workload workload, Exhaustive exhaustive, long total, long start, Decider decider) {
      this(Exhaustive.Judge.of(Device.DISK), workload, exhaustive, total, start, decider);
    }

    /**
     * @param judge has the device, and the costs by which splits are judged
     */
    Run(
        Exhaustive.Judge judge,
        Workload workload,
        Exhaustive exhaustive,
        long total,
        long start,
        Decider decider) {
      this.judge = judge;
      this.exhaustive = exhaustive;
      this.total = total;
      this.world = new World(judge.device(), workload, total, start, NO_LOG_LIMIT, total ^ start);
      this.decider = decider;
    }

    /** A cycle writes half as much as the budget is. */
    private long operations(double writeFraction) {
      return (long) (total / 2 / LsmTreeModel.RECORD_BYTES / writeFraction);
    }

    /** Fills memory; the tuner does not see it. */
    Run warm(double writeFraction) {
      world.run(2 * operations(writeFraction), writeFraction);
      return this;
    }

    Run cycles(int count, double writeFraction) {
      for (int i = 0; i < count; i++) {
        cycle(operations(writeFraction), writeFraction);
      }
      return this;
    }

    void cycle(long operations, double writeFraction) {
      CycleSample sample = world.run(operations, writeFraction);
      Decision decision = decider.endCycle(sample);
      world.resize(decision.toBytes());
      decisions.add(decision);
      levels.add(sample.trees().get(0).levels().count());
      excess.add(excess(judge, writeFraction));
    }

    /** That of the split now, judged by other costs or devices than those of the run. */
    double excess(Exhaustive.Judge judge, double writeFraction) {
      double write = world.writeBytes();
      double best = best(judge, writeFraction);
      double least = exhaustive.cost(judge, total, best, writeFraction);
      return 100 * (exhaustive.cost(judge, total, write, writeFraction) / least - 1);
    }

    /** The best write memory. */
    double best(Exhaustive.Judge judge, double writeFraction) {
      return exhaustive.best(judge, total, total / 64.0, total / 20.0, writeFraction);
    }

    double last() {
      return excess.get(excess.size() - 1);
    }

    /** By how much the split moved in a cycle from the given one on, in percent of the budget. */
    double moved(int fromCycle) {
      return steps(fromCycle).average().orElseThrow();
    }

    /** As {@link #moved}, in the cycle in which it moved most. */
    double mostMoved(int fromCycle) {
      return steps(fromCycle).max().orElseThrow();
    }

    private DoubleStream steps(int fromCycle) {
      return decisions.stream()
          .skip(fromCycle)
          .mapToDouble(d -> 100.0 * Math.abs(d.toBytes() - d.fromBytes()) / total);
    }

    long moves() {
      return decisions.stream().filter(Decision::moves).count();
    }
  }

  private static List<Run> runs(
      Supplier<Workload> workload, Exhaustive exhaustive, boolean lowStart) {
    return runs(workload, exhaustive, lowStart, total -> curve(total)::endCycle);
  }

  /**
   * @param policy for a budget
   */
  private static List<Run> runs(
      Supplier<Workload> workload,
      Exhaustive exhaustive,
      boolean lowStart,
      LongFunction<Decider> policy) {
    List<Run> runs = new ArrayList<>();
    for (long total : BUDGETS) {
      for (double writes : WRITES) {
        long start = lowStart ? total / 64 : total * 9 / 10;
        Run run = new Run(workload.get(), exhaustive, total, start, policy.apply(total));
        runs.add(run.warm(writes).cycles(CYCLES, writes));
      }
    }
    return runs;
  }

  /**
   * Two workloads, 10, 30 and 50 % writes, three budgets, from both ends. The goals are 5 % after
   * five cycles, 3 % in the end, moves of less than 2 % from then on and four fifths of the gains.
   * They are missed where write memory answers many reads: the tuner tries smaller write memories
   * again and again, which it takes for cheaper than they are.
   */
  @Test
  void fromTheWorstStartFourFifthsOfTheRunsEndWithinThreePercent() {
    List<Run> runs = new ArrayList<>(YCSB_FROM_BELOW);
    runs.addAll(TPCC_FROM_BELOW);
    runs.addAll(runs(Workload::ycsb, YCSB, false));
    runs.addAll(runs(Workload::tpcc, TPCC, false));
    StringBuilder report = new StringBuilder();
    double sum = 0;
    double mostMoved = 0;
    List<Double> moved = new ArrayList<>();
    List<Decision.Outcome> all = new ArrayList<>();
    List<Decision.Outcome> large = new ArrayList<>();
    for (Run run : runs) {
      moved.add(run.moved(5));
      mostMoved = Math.max(mostMoved, run.mostMoved(5));
      sum += run.last();
      for (Decision decision : run.decisions) {
        Decision.Outcome outcome = decision.lastMove();
        if (outcome != null) {
          all.add(outcome);
        }
        if (outcome != null && outcome.predictedGain() > 0.03 * decision.estimate().cost()) {
          large.add(outcome);
        }
      }
      report.append(String.format(Locale.ROOT, "%.1f/%.1f ", run.excess.get(4), run.last()));
    }
    long soon = runs.stream().filter(run -> run.excess.get(4) < 5).count();
    long near = runs.stream().filter(run -> run.last() < 3).count();
    long rightOfAll = all.stream().filter(BenchTest::isRight).count();
    long right = large.stream().filter(BenchTest::isRight).count();
    String shown =
        String.format(
            Locale.ROOT,
            "%d of 36 runs within 5 %% after five cycles, %d within 3 %% in the end, mean %.2f; %d"
                + " of %d gains within a quarter, %d of %d large ones; moved %.2f %% a cycle, at"
                + " most %.2f in a run and %.2f in one cycle; %s",
            soon,
            near,
            sum / runs.size(),
            rightOfAll,
            all.size(),
            right,
            large.size(),
            mean(moved),
            Collections.max(moved),
            mostMoved,
            report);
    System.out.println("Tuner CURVE: " + shown);
    assertThat(soon).as(shown).isGreaterThanOrEqualTo(29);
    assertThat(near).as(shown).isGreaterThanOrEqualTo(29);
    assertThat(sum / runs.size()).as(shown).isLessThan(1.6);
    assertThat(runs).as(shown).allSatisfy(run -> assertThat(run.last()).isLessThan(8));
    assertThat(mean(moved)).as(shown).isLessThan(2);
    assertThat(Collections.max(moved)).as(shown).isLessThan(8);
    assertThat(rightOfAll).as(shown).isGreaterThanOrEqualTo(all.size() / 3);
    assertThat(right).as(shown).isGreaterThanOrEqualTo(large.size() * 2L / 5);
  }

  /** Where write memory answers few reads; the goals are 5 % soon and 3 % in the end. */
  @Test
  void whereReadersPreferOtherKeysAllRunsAreWithinFivePercentSoonAndFourInTheEnd() {
    List<Run> runs = new ArrayList<>(runs(Workload::ycsbApart, APART, true));
    runs.addAll(runs(Workload::ycsbApart, APART, false));
    List<Double> soon = runs.stream().map(run -> run.excess.get(4)).toList();
    List<Double> last = runs.stream().map(Run::last).toList();
    String shown = "readers apart: soon " + soon + ", last " + last;
    System.out.println("Tuner CURVE, " + shown);
    assertThat(soon).as(shown).allSatisfy(excess -> assertThat(excess).isLessThan(5));
    assertThat(last).as(shown).allSatisfy(excess -> assertThat(excess).isLessThan(4));
    assertThat(mean(last)).as(shown).isLessThan(1);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(value -> value).average().orElseThrow();
  }

  private static boolean isRight(Decision.Outcome outcome) {
    double predicted = outcome.predictedGain();
    return Math.abs(outcome.observedGain() - predicted) <= predicted / 4;
  }

  /** The same 36 runs with the tuner of the paper, for the table in ARCHITECTURE.md. */
  @Test
  @Tag("soak")
  void thePaperInTheSameRuns() {
    List<Run> runs = new ArrayList<>();
    for (boolean lowStart : new boolean[] {true, false}) {
      runs.addAll(runs(Workload::ycsb, YCSB, lowStart, BenchTest::paper));
      runs.addAll(runs(Workload::tpcc, TPCC, lowStart, BenchTest::paper));
    }
    List<Decision.Outcome> all = new ArrayList<>();
    List<Decision.Outcome> large = new ArrayList<>();
    StringBuilder report = new StringBuilder();
    for (Run run : runs) {
      for (Decision decision : run.decisions) {
        Decision.Outcome outcome = decision.lastMove();
        if (outcome != null) {
          all.add(outcome);
        }
        if (outcome != null && outcome.predictedGain() > 0.03 * decision.estimate().cost()) {
          large.add(outcome);
        }
      }
      report.append(String.format(Locale.ROOT, "%.1f ", run.last()));
    }
    System.out.printf(
        Locale.ROOT,
        "Tuner PAPER: %d of %d runs within 5 %% after five cycles, %d within 3 %% in the end, mean"
            + " %.2f; %d of %d gains within a quarter, %d of %d large ones; %s%n",
        runs.stream().filter(run -> run.excess.get(4) < 5).count(),
        runs.size(),
        runs.stream().filter(run -> run.last() < 3).count(),
        mean(runs.stream().map(Run::last).toList()),
        all.stream().filter(BenchTest::isRight).count(),
        all.size(),
        large.stream().filter(BenchTest::isRight).count(),
        large.size(),
        report);
    assertThat(runs).hasSize(36);
  }

  /** Two workloads, three budgets, three splits: the judge has what the world takes when steady. */
  @Test
  void whatASplitCostsIsWhatTheWorldTakes() {
    Exhaustive.Judge judge = Exhaustive.Judge.of(Device.DISK);
    List<Double> ratios = new ArrayList<>();
    for (long total : BUDGETS) {
      for (long write : new long[] {total / 32, total / 8, total / 2}) {
        ratios.add(taken(Workload.ycsb(), total, write) / YCSB.cost(judge, total, write, 0.3));
        ratios.add(taken(Workload.tpcc(), total, write) / TPCC.cost(judge, total, write, 0.3));
      }
    }
    System.out.println("Virtual bench, taken / expected: " + ratios);
    assertThat(ratios).allSatisfy(ratio -> assertThat(ratio).isBetween(0.95, 1.05));
  }

  /** Nanoseconds of an operation, with 30 % writes. */
  private static double taken(Workload workload, long total, long write) {
    World world = new World(Device.DISK, workload, total, write, NO_LOG_LIMIT, 7);
    long operations = 1_000_000;
    world.run(operations, 0.3);
    CycleTimes times = world.run(operations, 0.3).times();
    return (double) (times.missNanos() + times.writeNanos() + times.mergeReadNanos()) / operations;
  }

  /**
   * A tuner that does not know which misses write memory would spare, or how much longer misses
   * take beside merges, gives writes too little.
   */
  @Test
  void withoutReadsOfWriteMemoryOrMissesBesideMergesWritesGetTooLittle() {
    List<Run> knowing = new ArrayList<>(YCSB_FROM_BELOW);
    knowing.addAll(TPCC_FROM_BELOW);
    List<Run> rereads = blind(Noise::withoutRereads);
    List<Run> beside = blind(Noise::withoutBeside);
    List<Run> both = blind(sample -> Noise.withoutBeside(Noise.withoutRereads(sample)));
    String shown =
        String.format(
            Locale.ROOT,
            "above the best split %.2f %%, without rereads %.2f, without beside %.2f, without both"
                + " %.2f; write memory %.2f, %.2f, %.2f, %.2f; %s %s %s %s",
            excess(knowing),
            excess(rereads),
            excess(beside),
            excess(both),
            writePart(knowing),
            writePart(rereads),
            writePart(beside),
            writePart(both),
            knowing.stream().map(Run::last).toList(),
            rereads.stream().map(Run::last).toList(),
            beside.stream().map(Run::last).toList(),
            both.stream().map(Run::last).toList());
    System.out.println("Tuner CURVE, " + shown);
    assertThat(excess(rereads)).as(shown).isGreaterThan(excess(knowing));
    assertThat(excess(beside)).as(shown).isGreaterThan(excess(knowing));
    assertThat(writePart(rereads)).as(shown).isLessThan(writePart(knowing));
    assertThat(writePart(beside)).as(shown).isLessThan(writePart(knowing));
  }

  /**
   * The runs of {@link #YCSB_FROM_BELOW} and the others from below, of a tuner that is not told.
   */
  private static List<Run> blind(UnaryOperator<CycleSample> blindness) {
    LongFunction<Decider> policy =
        total -> {
          Tuner tuner = curve(total);
          return sample -> tuner.endCycle(blindness.apply(sample));
        };
    List<Run> runs = new ArrayList<>(runs(Workload::ycsb, YCSB, true, policy));
    runs.addAll(runs(Workload::tpcc, TPCC, true, policy));
    return runs;
  }

  private static double excess(List<Run> runs) {
    return mean(runs.stream().map(Run::last).toList());
  }

  /** The part of the memory that writes have in the end, in the mean. */
  private static double writePart(List<Run> runs) {
    return mean(runs.stream().map(run -> (double) run.world.writeBytes() / run.total).toList());
  }

  /**
   * Misses are copies from the page cache, 20 times as cheap as the tuner assumes, and how long
   * they take varies by a tenth. So write memory is to have more than a real disk would let it. The
   * cost of writes is nearly all of the cost then, with its steps where a level comes or goes.
   */
  @Test
  void whereMissesAreCheapWriteMemoryGetsMore() {
    SplittableRandom random = new SplittableRandom(2);
    Exhaustive.Judge judge = Exhaustive.Judge.of(Device.of(0.05));
    List<Double> excess = new ArrayList<>();
    List<Double> assumed = new ArrayList<>();
    Iterator<Run> assuming = YCSB_FROM_BELOW.iterator();
    for (long total : BUDGETS) {
      for (double writes : WRITES) {
        Tuner tuner = curve(total);
        Decider timed =
            sample -> tuner.endCycle(Noise.onTimes(sample, 0.9 + 0.2 * random.nextDouble()));
        Run run = new Run(judge, Workload.ycsb(), YCSB, total, total / 64, timed);
        run.warm(writes).cycles(14, writes);
        Run other = assuming.next();
        excess.add(run.last());
        assumed.add(other.excess(judge, writes));
        // Where the disk always has background work, all misses wait for it.
        assertThat(tuner.costs().misses().request()).isBetween(0.85 * 3800, 1.9 * 3800);
      }
    }
    String shown = "misses / 20: " + excess + ", as assumed: " + assumed;
    System.out.println("Tuner CURVE, " + shown);
    assertThat(mean(excess)).as(shown).isLessThan(mean(assumed) / 10);
  }

  /**
   * Nine tenths of the processors are busy, so that a miss keeps little from being done, and
   * flushes and merges cost the processor time that they take. A tuner that knows only the disk
   * gives write memory too little.
   */
  @Test
  void whereProcessorsAreBusyCostsAreTheirTime() {
    double busy = 0.9;
    double nanosPerByte = 10;
    CostModel costs =
        new CostModel(
            CostModel.Unit.NANOS,
            new CostModel.Line(0.1 * 76_000 + 0.9 * 20_000, 0.1 * 0.25 + 0.9 * 0.3),
            new CostModel.Line(0.1 * 76_000, 0.1),
            new CostModel.Line(0.1 * 76_000, 0.1 * 2.5 + 0.9 * nanosPerByte),
            Device.STREAM_BYTES);
    Exhaustive.Judge judge = new Exhaustive.Judge(Device.DISK, costs, 0.1);
    List<Double> excess = new ArrayList<>();
    List<Double> blindExcess = new ArrayList<>();
    Iterator<Run> blindRuns = TPCC_FROM_BELOW.iterator();
    for (long total : BUDGETS) {
      for (double writes : WRITES) {
        Tuner tuner = curve(total);
        Decider decider = sample -> tuner.endCycle(Noise.busy(sample, busy, nanosPerByte));
        Run run = new Run(judge, Workload.tpcc(), TPCC, total, total / 64, decider);
        run.warm(writes).cycles(CYCLES, writes);
        Run blind = blindRuns.next();
        excess.add(run.last());
        blindExcess.add(blind.excess(judge, writes));
      }
    }
    String shown = "processors are busy: " + excess + ", the disk alone: " + blindExcess;
    System.out.println("Tuner CURVE, " + shown);
    assertThat(mean(excess)).as(shown).isLessThan(mean(blindExcess));
  }

  /** Without the curve of rewrites, write memory is undervalued where updates are skewed. */
  @Test
  void underZipfianUpdatesTheCurveOfRewritesLeadsToTheBestSplit() {
    List<Double> excess = new ArrayList<>();
    List<Double> blindExcess = new ArrayList<>();
    double gained = 0;
    Iterator<Run> runs = YCSB_FROM_BELOW.iterator();
    for (long total : BUDGETS) {
      for (double writes : WRITES) {
        Run run = runs.next();
        Tuner tuner = curve(total);
        Decider blind = sample -> tuner.endCycle(Noise.withoutRewrites(sample));
        Run other =
            new Run(Workload.ycsb(), YCSB, total, total / 64, blind)
                .warm(writes)
                .cycles(CYCLES, writes);
        excess.add(run.last());
        blindExcess.add(other.last());
        gained += (double) run.world.writeBytes() / other.world.writeBytes() / 9;
      }
    }
    String shown =
        String.format(
            Locale.ROOT,
            "zipfian updates: %s, without the curve %s, write memory x %.2f",
            excess,
            blindExcess,
            gained);
    System.out.println("Tuner CURVE, " + shown);
    assertThat(excess.stream().filter(percent -> percent < 3).count())
        .as(shown)
        .isGreaterThanOrEqualTo(6);
    assertThat(mean(excess)).as(shown).isLessThan(mean(blindExcess));
    assertThat(gained).as(shown).isGreaterThan(1.05);
  }

  /** From half writes to one in ten, and back. The goal is 5 %. */
  @Test
  void afterAChangeOfTheMixCostsAreNearTheLeastAfterFiveCycles() {
    List<Double> fewer = new ArrayList<>();
    List<Double> more = new ArrayList<>();
    for (long total : BUDGETS) {
      for (Run run :
          List.of(
              new Run(Workload.ycsb(), YCSB, total, total / 4, curve(total)::endCycle),
              new Run(Workload.tpcc(), TPCC, total, total / 4, curve(total)::endCycle))) {
        fewer.add(run.warm(0.5).cycles(6, 0.5).cycles(5, 0.1).last());
        more.add(run.cycles(5, 0.5).last());
      }
    }
    String shown = "fewer writes: " + fewer + ", more writes: " + more;
    System.out.println("Tuner CURVE, " + shown);
    assertThat(mean(fewer)).as(shown).isLessThan(5);
    assertThat(mean(more)).as(shown).isLessThan(10);
  }

  /** An idle phase has cycles by the clock: a few operations each, and then work goes on. */
  @Test
  void anIdleEngineMovesNothingAndForgetsNothing() {
    long total = BUDGETS[1];
    Run run = new Run(Workload.ycsb(), YCSB, total, total / 4, curve(total)::endCycle).warm(0.3);
    run.cycles(6, 0.3);
    long moves = run.moves();
    for (int i = 0; i < 100; i++) {
      run.cycle(1, 0.3);
    }
    assertThat(run.moves()).isEqualTo(moves);
    assertThat(run.decisions.get(50).rule()).isEqualTo(Rule.IDLE);
    run.cycles(4, 0.3);
    assertThat(run.moves() - moves).isLessThanOrEqualTo(1);
    assertThat(run.last()).as("%s", run.excess).isLessThan(5);
  }

  /** Counts that are off by a tenth, in another direction each cycle, move the split little. */
  @Test
  void noiseMovesLittle() {
    long total = BUDGETS[0];
    SplittableRandom random = new SplittableRandom(1);
    Tuner tuner = curve(total);
    Decider noisy = sample -> tuner.endCycle(Noise.on(sample, 0.9 + 0.2 * random.nextDouble()));
    Run run = new Run(Workload.tpcc(), TPCC, total, total / 4, noisy).warm(0.5);
    run.cycles(40, 0.5);
    assertThat(run.moved(5)).as("moved in a cycle, percent").isLessThan(2);
    assertThat(run.excess.stream().mapToDouble(e -> e).skip(5).average().orElseThrow())
        .as("%s", run.excess)
        .isLessThan(5);
  }

  /**
   * The least cost is at a step: with a tenth of the tree in memory it has one level, and merges
   * cost 38 % more with a little less. Counts are off by a tenth, in another direction each cycle.
   * The split goes near the step and keeps still there; the level never comes.
   */
  @Test
  void theSplitKeepsStillBesideAStepOfTheCost() {
    long total = BUDGETS[2];
    long step = (long) Workload.KEYS * LsmTreeModel.RECORD_BYTES / 10;
    SplittableRandom random = new SplittableRandom(3);
    Tuner tuner = curve(total);
    Decider noisy = sample -> tuner.endCycle(Noise.on(sample, 0.9 + 0.2 * random.nextDouble()));
    Run run = new Run(Workload.uniform(), UNIFORM, total, total * 9 / 10, noisy).warm(0.5);
    run.cycles(40, 0.5);
    assertThat(run.levels).containsOnly(1);
    assertThat((double) run.world.writeBytes()).isBetween(1.15 * step, 1.3 * step);
    assertThat(run.moved(5)).as("moved in a cycle, percent").isLessThan(0.5);
    assertThat(run.last()).as("%s", run.excess).isLessThan(3);
  }

  /** From two levels the same tree would get one again at half as much more than the step. */
  @Test
  void aLevelThatIsThereStaysWhereItsEndIsNotWorthTheWay() {
    long total = BUDGETS[2];
    Run run =
        new Run(Workload.uniform(), UNIFORM, total, total / 4, curve(total)::endCycle).warm(0.9);
    run.cycles(20, 0.9);
    assertThat(run.levels).containsOnly(2);
    assertThat(run.moves()).as("%s", run.decisions).isLessThan(8);
    assertThat(run.last()).as("%s", run.excess).isLessThan(5);
  }

  /**
   * The paper's tuner takes a tenth of the giving side at a time: from a large write memory it
   * needs nine cycles to be within 5 % of the best split, and goes on beyond it.
   */
  @Test
  void thePaperNeedsNineCyclesToTakeWriteMemoryAway() {
    long total = BUDGETS[2];
    Run paper = new Run(Workload.uniform(), UNIFORM, total, total * 9 / 10, paper(total)).warm(0.1);
    paper.cycles(25, 0.1);
    assertThat(paper.excess.get(4)).as("%s", paper.excess).isGreaterThan(10);
    assertThat(paper.excess.get(7)).as("%s", paper.excess).isGreaterThan(5);
    assertThat(paper.excess.stream().mapToDouble(e -> e).min().orElseThrow()).isLessThan(1);
    assertThat(paper.last()).as("%s", paper.excess).isLessThan(5);
    assertThat(paper.decisions).extracting(Decision::origin).contains(Origin.FIXED, Origin.NEWTON);
    Run curve =
        new Run(Workload.uniform(), UNIFORM, total, total * 9 / 10, curve(total)::endCycle)
            .warm(0.1);
    curve.cycles(3, 0.1);
    assertThat(curve.last()).as("%s", curve.excess).isLessThan(5);
  }

  /**
   * From the least write memory its first steps are fast; then the gains of steps are too small.
   */
  @Test
  void thePaperFindsNearlyTheBestFromASmallWriteMemory() {
    long total = BUDGETS[1];
    Run paper = new Run(Workload.uniform(), UNIFORM, total, total / 64, paper(total)).warm(0.1);
    paper.cycles(10, 0.1);
    assertThat(paper.last()).as("%s", paper.excess).isLessThan(5);
  }

  /**
   * Readers go around in a circle that needs 4 MiB more than the cache has. The ghost cache has 1
   * MiB, so a little more cache saves nothing: the paper's tuner sees no slope, or one that leads
   * away. The curve has the cliff.
   */
  @Test
  void thePaperDoesNotSeeACliffThatTheCurveHas() {
    long total = BUDGETS[1];
    Workload circle = Workload.circle(28 << 10);
    Run paper = new Run(circle, YCSB, total, total / 4, paper(total)).warm(0.05);
    paper.cycles(10, 0.05);
    assertThat(paper.world.writeBytes()).isGreaterThanOrEqualTo(total / 4);
    Run curve = new Run(circle, YCSB, total, total / 4, curve(total)::endCycle).warm(0.05);
    curve.cycles(4, 0.05);
    assertThat(curve.world.writeBytes()).isLessThanOrEqualTo(4 * MIB);
  }

  /** The log fills less than the write memory has: more of it gains nothing, and reads get it. */
  @Test
  void writeMemoryThatTheLogCannotFillGoesToReads() {
    long total = BUDGETS[1];
    long log = 4 * MIB;
    Tuner tuner = curve(total);
    World world = new World(Device.DISK, Workload.tpcc(), total, total / 2, log, 3);
    for (int i = 0; i < 20; i++) {
      world.resize(tuner.endCycle(world.run(60_000, 0.5)).toBytes());
    }
    assertThat(world.writeBytes()).isLessThanOrEqualTo(6 * MIB);
  }
}
