package org.loam.tuner.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.CycleCost;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.LevelRule;
import org.loam.tuner.cost.MergeCosts;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.cost.PaperEquations;
import org.loam.tuner.cost.PaperEquations.Elasticity;
import org.loam.tuner.cost.PaperEquations.Slope;
import org.loam.tuner.cost.Rates;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.policy.Decision.Evidence;
import org.loam.tuner.policy.Decision.Outcome;

/**
 * The tuner of MemoryWalls §5.4. It looks for the root of cost′(x) with the Newton-Raphson method,
 * on the line through the last three derivatives. Where there is no line yet, or one on which cost
 * has no least value, it takes a step of fixed size down the slope.
 *
 * <p>Beyond the paper: of two samples at the same split the later one counts, so that rest does not
 * take the line away; a tree without flushes keeps the scale factor that it had; and a cycle with
 * few hits in the ghost cache goes on for up to three more. Samples of another mix of reads and
 * writes say nothing of this one, and are forgotten; those of other prices are priced anew.
 */
public final class PaperPolicy implements SplitPolicy {
  /** The fixed step, as a part of the budget. */
  private static final double FIXED_STEP = 0.05;

  /** A cycle goes on at most so often. */
  private static final int MOST_EXTENSIONS = 3;

  private final Limits limits;
  private final long fewHits;

  /** What trees merge by the engine's levels; null for the logarithm of the paper. */
  private @Nullable MergeCosts merges;

  private final SlopeLine line = new SlopeLine();

  /** The scale factor of each tree at its last flush. */
  private Map<Integer, Double> memoryFractions = Map.of();

  private @Nullable CycleSample unfinished;
  private @Nullable Past last;
  private int extensions;

  /** A decision, and what it was derived from. */
  private record Past(Decision decision, CycleSample sample, Objective objective) {}

  /**
   * The tuner as it was published, with levels that are T times as large as the one above.
   *
   * @param fewHits a cycle with fewer hits in the ghost cache, but some, goes on; 0 never
   */
  public PaperPolicy(Limits limits, long fewHits) {
    this.limits = limits;
    this.fewHits = fewHits;
  }

  /**
   * The same with the engine's levels.
   *
   * @param rule how many levels trees would have
   */
  public PaperPolicy(Limits limits, long fewHits, LevelRule rule) {
    this(limits, fewHits);
    this.merges = MergeCosts.unknown(rule);
  }

  @Override
  public Decision decide(CycleSample latest, Objective objective) {
    CycleSample begun = unfinished;
    CycleSample sample = latest;
    if (begun != null && RecentCycles.belongsTo(begun, latest)) {
      sample = begun.plus(latest);
    } else {
      extensions = 0;
    }
    boolean fewSaved = sample.savedPages() > 0 && sample.savedPages() < fewHits;
    boolean isRefused = limits.refuse(sample.memory().totalBytes(), sample.memory().writeBytes());
    if (fewSaved && extensions < MOST_EXTENSIONS && !isRefused) {
      unfinished = sample;
      extensions++;
      double cost = cost(sample, objective);
      return Decision.rest(
          sample.memory().writeBytes(),
          Rule.FEW_HITS,
          cost,
          Evidence.of(Map.of("savedPages", (double) sample.savedPages())));
    }
    unfinished = null;
    extensions = 0;
    Past before = last;
    if (before != null && !Rates.of(before.sample).haveMixOf(Rates.of(sample))) {
      line.clear();
    }
    Outcome outcome = before == null ? null : outcome(before, sample);
    Decision decision = step(sample, objective).with(outcome);
    last = new Past(decision, sample, objective);
    return decision;
  }

  private static @Nullable Outcome outcome(Past before, CycleSample now) {
    Decision move = before.decision;
    boolean isKnown =
        move.moves()
            && move.isReached(now.memory())
            && Rates.of(before.sample).areNear(Rates.of(now));
    if (!isKnown) {
      return null;
    }
    // At the prices by which the move was predicted: what costs less by now was no gain of it.
    double then = cost(before.sample, before.objective);
    return new Outcome(move.estimate().predictedGain(), then - cost(now, before.objective));
  }

  private Decision step(CycleSample sample, Objective objective) {
    Elasticity elasticity = elasticity(sample);
    Map<Integer, Double> fractions = memoryFractions(sample);
    Function<CostModel, Slope> slopes =
        model ->
            PaperEquations.slope(
                sample, model, elasticity, tree -> fractions.getOrDefault(tree.treeId(), 1.0));
    Slope slope = slopes.apply(objective.model());
    double derivative = slope.weighted(objective.weights());
    double cost = cost(sample, objective);
    long from = sample.memory().writeBytes();
    long total = sample.memory().totalBytes();
    line.add((double) from, by -> slopes.apply(by.model()).weighted(by.weights()));
    double a = line.slope(objective);
    Evidence evidence = evidence(slope, derivative, a);
    boolean isRefused = limits.refuse(total, from);
    if (derivative == 0 && !isRefused) {
      return Decision.rest(from, Rule.NO_SLOPE, cost, evidence);
    }
    boolean newton = a > 0;
    double wanted =
        newton ? from - derivative / a : from - Math.signum(derivative) * FIXED_STEP * total;
    Origin origin = newton ? Origin.NEWTON : Origin.FIXED;
    Limits.Step step = limits.bound(total, from, wanted);
    double moved = step.toBytes() - from;
    double gain = 0.0 - derivative * moved - (newton ? a * moved * moved / 2 : 0);
    Decision decision =
        new Decision(
            from,
            Math.round(Math.max(0, Math.min((double) total, wanted))),
            step.toBytes(),
            origin,
            step.rule(),
            new Decision.Estimate(cost, gain),
            evidence,
            null);
    boolean small = decision.moves() && gain < limits.leastGain() * cost;
    return small && !isRefused ? decision.resting(Rule.SMALL_GAIN) : decision;
  }

  private Elasticity elasticity(CycleSample sample) {
    MergeCosts known = merges;
    if (known == null) {
      return PaperEquations::logarithm;
    }
    MergeCosts next = known.plus(sample);
    merges = next;
    return next::elasticity;
  }

  private Map<Integer, Double> memoryFractions(CycleSample sample) {
    Map<Integer, Double> now = new HashMap<>();
    for (TreeSample tree : sample.trees()) {
      double before = memoryFractions.getOrDefault(tree.treeId(), 1.0);
      now.put(tree.treeId(), tree.flushed().isKnown() ? tree.flushed().memoryFraction() : before);
    }
    memoryFractions = now;
    return now;
  }

  private static double cost(CycleSample sample, Objective objective) {
    return CycleCost.of(sample, objective.model()).weighted(objective.weights());
  }

  private Evidence evidence(Slope slope, double derivative, double lineSlope) {
    return Evidence.of(
        Map.of(
            "writeSlope",
            slope.write(),
            "readSlope",
            slope.read(),
            "costSlope",
            derivative,
            "lineSlope",
            lineSlope,
            "linePoints",
            (double) line.points()));
  }
}
