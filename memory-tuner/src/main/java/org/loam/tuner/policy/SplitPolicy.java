package org.loam.tuner.policy;

import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.Objective;

/** Decides at the end of each cycle how memory is divided in the next one. Has one thread. */
public interface SplitPolicy {
  /**
   * The decision for a cycle.
   *
   * @param sample the cycle that has just ended
   * @param objective what is minimised, by the costs of requests as they are known now
   */
  Decision decide(CycleSample sample, Objective objective);
}
