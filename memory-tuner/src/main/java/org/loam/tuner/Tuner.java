package org.loam.tuner;

import java.util.Map;
import org.loam.common.config.TunerMode;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.LevelRule;
import org.loam.tuner.cost.MeasuredCosts;
import org.loam.tuner.cost.Objective;
import org.loam.tuner.policy.CurvePolicy;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Limits;
import org.loam.tuner.policy.PaperPolicy;
import org.loam.tuner.policy.Rule;
import org.loam.tuner.policy.SplitPolicy;

/**
 * Divides a budget of memory: it is given the sample of each cycle and says what the write memory
 * is from then on. The buffer cache has the rest. Has one thread.
 */
public final class Tuner {
  /** A cycle of the paper's tuner with fewer hits in the ghost cache goes on. */
  private static final long FEW_HITS = 1000;

  private final long totalBytes;
  private final LevelRule rule;
  private TunerOptions options;
  private SplitPolicy policy;
  private MeasuredCosts costs;

  /**
   * A tuner that has seen nothing yet.
   *
   * @param totalBytes the budget
   * @param assumed time that requests of the disk cost until they are measured
   * @param rule how many levels trees would have
   * @throws IllegalArgumentException if the options do not fit the budget
   */
  public Tuner(TunerOptions options, long totalBytes, CostModel assumed, LevelRule rule) {
    options.require(totalBytes);
    this.totalBytes = totalBytes;
    this.costs = MeasuredCosts.of(assumed);
    this.rule = rule;
    this.options = options;
    this.policy = policy(options);
  }

  private Limits limits(TunerOptions chosen) {
    return new Limits(
        chosen.bounds().leastWriteBytes(),
        chosen.bounds().leastCacheBytes(),
        TunerOptions.shortestStepBytes(totalBytes),
        chosen.policy().donorFraction(),
        chosen.policy().leastGain());
  }

  private SplitPolicy policy(TunerOptions chosen) {
    Limits limits = limits(chosen);
    return switch (chosen.policy()) {
      case PAPER -> new PaperPolicy(limits, FEW_HITS, rule);
      case CURVE -> new CurvePolicy(limits, rule);
    };
  }

  /** Time that requests of the disk cost, as far as is known. */
  public CostModel costs() {
    return costs.model();
  }

  /** The options now. */
  public TunerOptions options() {
    return options;
  }

  /**
   * Changes the options while the tuner is in use. What it has learned stays if only the mode or
   * the cycle changes.
   *
   * @throws IllegalArgumentException if they do not fit the budget; then nothing changes
   */
  public void configure(TunerOptions changed) {
    changed.require(totalBytes);
    boolean same =
        changed.policy() == options.policy()
            && changed.unit() == options.unit()
            && changed.bounds().equals(options.bounds())
            && changed.weights().equals(options.weights());
    if (!same) {
      policy = policy(changed);
    }
    options = changed;
  }

  /**
   * The end of a cycle in which memory is as it is to be; see {@link #endCycle(CycleSample, long)}.
   */
  public Decision endCycle(CycleSample sample) {
    return endCycle(sample, sample.memory().writeBytes());
  }

  /**
   * The end of a cycle. A move that is under way goes on: no policy is asked before its end, when
   * it can be judged.
   *
   * @param sample what the engine counted in it
   * @param targetBytes the write memory that there is to be until this decision
   * @return the decision; its {@link Decision#toBytes} is the write memory from now on, also where
   *     the split stays
   */
  public Decision endCycle(CycleSample sample, long targetBytes) {
    if (sample.memory().totalBytes() != totalBytes) {
      throw new IllegalArgumentException(
          "totalBytes of a sample: " + sample.memory().totalBytes() + ", must be " + totalBytes);
    }
    costs = costs.plus(sample);
    return decide(sample, targetBytes).with(costs.numbers());
  }

  private Decision decide(CycleSample sample, long targetBytes) {
    if (options.mode() == TunerMode.FROZEN) {
      return rest(sample, Rule.FROZEN);
    }
    if (!sample.memory().isAt(targetBytes)) {
      return underWay(sample, targetBytes);
    }
    Decision decision = isIdle(sample) ? idle(sample) : policy.decide(sample, objective(sample));
    boolean observes = options.mode() == TunerMode.OBSERVE && decision.moves();
    return observes ? decision.resting(Rule.OBSERVING) : decision;
  }

  private Objective objective(CycleSample sample) {
    CostModel model =
        switch (options.unit()) {
          case NANOS -> costs.model();
          case PAGES -> CostModel.pages(sample.memory().pageBytes());
        };
    return new Objective(model, options.weights());
  }

  private boolean isIdle(CycleSample sample) {
    return sample.movedBytes() < TunerOptions.shortestStepBytes(totalBytes);
  }

  /** What moves little says little, but the bounds are kept. */
  private Decision idle(CycleSample sample) {
    Limits limits = limits(options);
    return limits.refuse(totalBytes, sample.memory().writeBytes())
        ? Decision.toBound(sample.memory(), limits, moved(sample))
        : rest(sample, Rule.IDLE);
  }

  /** The move goes on, to what the bounds of now leave of it. */
  private Decision underWay(CycleSample sample, long targetBytes) {
    Decision rest = rest(sample, Rule.SETTLING);
    long most = totalBytes - options.bounds().leastCacheBytes();
    long bytes = Math.max(options.bounds().leastWriteBytes(), Math.min(most, targetBytes));
    return options.mode() == TunerMode.OBSERVE ? rest : rest.goingOnTo(bytes);
  }

  private static Decision rest(CycleSample sample, Rule rule) {
    return Decision.rest(sample.memory().writeBytes(), rule, 0, moved(sample));
  }

  private static Decision.Evidence moved(CycleSample sample) {
    return Decision.Evidence.of(Map.of("movedBytes", (double) sample.movedBytes()));
  }
}
