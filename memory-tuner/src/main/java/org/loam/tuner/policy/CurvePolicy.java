package org.loam.tuner.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.tuner.cost.CostCurve;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.LevelRule;
import org.loam.tuner.cost.MergeCosts;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.policy.Decision.Evidence;
import org.loam.tuner.policy.Decision.Outcome;
import org.loam.tuner.policy.Decision.Point;

/**
 * Goes to the least cost of all splits at once: the costs of a cycle are a curve ({@link
 * CostCurve}), of which it tries many candidates. So it crosses flat parts and sees cliffs, where a
 * derivative says nothing.
 *
 * <p>The cost has a step where a level of a tree comes or goes. A level that has come stays until
 * memory is clearly larger, so that the curve depends on the levels that are there. It counts a
 * step of the cost a little before memory is there ({@link MergeCosts}): no move ends at the edge
 * of one, where noise would add the level.
 *
 * <p>It takes the nearest split that is nearly the best. Cycles at the same split, with the same
 * mix of reads and writes, are taken together; the fewer they are, the larger the gain has to be,
 * so that noise moves little. A move that cost more than it gained is undone in the next cycle;
 * steps are shorter then, until one gains what it should or the mix changes. A move is not judged
 * where trees have grown since: an operation costs more in a larger tree, whatever the split.
 */
public final class CurvePolicy implements SplitPolicy {
  private static final int CANDIDATES = 256;

  /** Points of the curve in the evidence. */
  private static final int SHOWN_POINTS = 24;

  /** A split is nearly the best if it costs at most this part more. */
  private static final double NEARLY = 0.002;

  /** A move is undone if it made operations dearer by this part: more than noise does. */
  private static final double LOSS = 0.01;

  /** Write memory is filling if it grew by this part of its size in a cycle. */
  private static final double FILLING = 0.1;

  /** A gain that one cycle alone shows has to be so many times the least one; two halve that. */
  private static final double ONE_CYCLE = 2.4;

  private static final int MOST_SETTLING_CYCLES = 2;
  private static final double LEAST_TRUST = 1.0 / 16;

  private final Limits limits;
  private final RecentCycles recent = new RecentCycles();
  private MergeCosts merges;
  private @Nullable Move last;
  private double trust = 1;

  /** A move that was not judged yet, and the curve by which it was made. */
  private static final class Move {
    private final Decision decision;
    private CostCurve curve;
    private int settlingCycles;

    Move(Decision decision, CostCurve curve) {
      this.decision = decision;
      this.curve = curve;
    }

    /** What costs less by now was no gain of the move. */
    Move pricedBy(Objective objective) {
      curve = curve.with(objective);
      return this;
    }

    double predictedGain() {
      return curve.at((double) decision.fromBytes()) - curve.at((double) decision.toBytes());
    }

    boolean isFilling(CycleSample sample) {
      double grown = 0;
      for (TreeSample tree : sample.trees()) {
        grown += tree.held().grownBytes();
      }
      return decision.toBytes() > decision.fromBytes()
          && grown > FILLING * decision.toBytes()
          && settlingCycles++ < MOST_SETTLING_CYCLES;
    }
  }

  /**
   * A policy that has seen nothing yet.
   *
   * @param rule how many levels trees would have
   */
  public CurvePolicy(Limits limits, LevelRule rule) {
    this.limits = limits;
    this.merges = MergeCosts.unknown(rule);
  }

  @Override
  public Decision decide(CycleSample sample, Objective objective) {
    merges = merges.plus(sample);
    CostCurve latest = new CostCurve(sample, objective, merges);
    long from = sample.memory().writeBytes();
    Move move = last == null ? null : last.pricedBy(objective);
    boolean isReached = move != null && move.decision.isReached(sample.memory());
    if (move != null && !(isReached && move.curve.hasRatesOf(latest))) {
      move = null;
      trust = 1;
    }
    if (move != null && move.isFilling(sample)) {
      return Decision.rest(from, Rule.SETTLING, latest.at((double) from), Evidence.of(Map.of()));
    }
    last = null;
    CycleSample together = recent.with(sample);
    CostCurve curve = new CostCurve(together, objective, merges);
    boolean isKnown = move != null && latest.hasSizeOf(move.curve);
    Outcome outcome = move != null && isKnown ? outcome(move, latest, from) : null;
    Decision decision =
        move != null && outcome != null && isLoss(outcome, latest.at((double) from))
            ? undo(move, sample, latest.at((double) from))
            : step(sample, curve);
    if (decision.moves() && decision.origin() == Origin.CURVE) {
      last = new Move(decision, curve);
    }
    return decision.with(outcome);
  }

  private static Outcome outcome(Move move, CostCurve now, long from) {
    double before = move.curve.atRatesOf(now, (double) move.decision.fromBytes());
    return new Outcome(move.predictedGain(), before - now.at((double) from));
  }

  private boolean isLoss(Outcome outcome, double cost) {
    double gain = outcome.observedGain();
    if (gain >= outcome.predictedGain() / 2) {
      trust = Math.min(1, 2 * trust);
    }
    return gain < -LOSS * cost;
  }

  private Decision undo(Move move, CycleSample sample, double cost) {
    trust = Math.max(LEAST_TRUST, trust / 2);
    long from = sample.memory().writeBytes();
    long back = move.decision.fromBytes();
    Limits.Step step = limits.withDonor(1).bound(sample.memory().totalBytes(), from, (double) back);
    double before = move.curve.at((double) back);
    return new Decision(
        from,
        back,
        step.toBytes(),
        Origin.UNDO,
        step.rule(),
        new Decision.Estimate(cost, cost - before),
        Evidence.of(Map.of("costBefore", before, "trust", trust)),
        null);
  }

  private Decision step(CycleSample sample, CostCurve curve) {
    long from = sample.memory().writeBytes();
    long total = sample.memory().totalBytes();
    double cost = curve.at((double) from);
    double wanted = nearestOfTheBest(curve, from, total);
    Limits.Step step = limits.withDonor(limits.donorFraction() * trust).bound(total, from, wanted);
    double gain = cost - curve.at((double) step.toBytes());
    Decision decision =
        new Decision(
            from,
            Math.round(wanted),
            step.toBytes(),
            wanted == from ? Origin.NONE : Origin.CURVE,
            trust < 1 && step.rule() == Rule.DONOR ? Rule.TRUST : step.rule(),
            new Decision.Estimate(cost, gain),
            evidence(curve, wanted, total),
            null);
    double required = limits.leastGain() * Math.max(1, ONE_CYCLE / recent.count()) * cost;
    boolean small = wanted == from || (decision.moves() && gain < required);
    return small && !limits.refuse(total, from) ? decision.resting(Rule.SMALL_GAIN) : decision;
  }

  private double nearestOfTheBest(CostCurve curve, long from, long total) {
    double[] candidates = candidates(total);
    double best = curve.at((double) from);
    for (double candidate : candidates) {
      best = Math.min(best, curve.at(candidate));
    }
    double enough = best * (1 + NEARLY);
    if (curve.at((double) from) <= enough) {
      return from;
    }
    double nearest = Double.POSITIVE_INFINITY;
    for (double candidate : candidates) {
      if (Math.abs(candidate - from) < Math.abs(nearest - from) && curve.at(candidate) <= enough) {
        nearest = candidate;
      }
    }
    return nearest;
  }

  /** Half of them at even distances, the others at even ratios: close together where x is small. */
  private double[] candidates(long total) {
    double least = limits.leastWriteBytes();
    double most = limits.mostWriteBytes(total);
    double[] candidates = new double[CANDIDATES];
    for (int i = 0; i < CANDIDATES; i += 2) {
      double part = i / (CANDIDATES - 2.0);
      candidates[i] = least + (most - least) * part;
      candidates[i + 1] = least * Math.pow(most / least, part);
    }
    return candidates;
  }

  private Evidence evidence(CostCurve curve, double wanted, long total) {
    List<Point> points = new ArrayList<>();
    double least = limits.leastWriteBytes();
    double most = limits.mostWriteBytes(total);
    for (int i = 0; i <= SHOWN_POINTS; i++) {
      double x = least * Math.pow(most / least, (double) i / SHOWN_POINTS);
      points.add(new Point(Math.round(x), curve.at(x)));
    }
    Map<String, Double> numbers =
        Map.of(
            "costWanted",
            curve.at(wanted),
            "trust",
            trust,
            "cycles",
            (double) recent.count(),
            "rereadPart",
            curve.rereadPart());
    return new Evidence(numbers, points);
  }
}
