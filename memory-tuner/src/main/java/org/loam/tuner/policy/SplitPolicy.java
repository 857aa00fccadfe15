package org.loam.tuner.policy;

import org.loam.tuner.cost.CycleSample;

/** Decides at the end of each cycle how memory is divided in the next one. Has one thread. */
public interface SplitPolicy {
  /**
   * The decision for a cycle.
   *
   * @param sample the cycle that has just ended
   */
  Decision decide(CycleSample sample);
}
