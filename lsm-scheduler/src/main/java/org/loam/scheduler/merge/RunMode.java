package org.loam.scheduler.merge;

/** What merges are for; testing and running are the phases of an evaluation (Stability §6.2). */
public enum RunMode {
  /**
   * Finds the maximum write rate that can be sustained: L0 merges take at most the minimum number
   * of components of a key, so that a backlog does not reshape the tree and flatter the result.
   */
  TESTING,
  /** Everyday operation: L0 merges may take all there is, which absorbs bursts. */
  RUNNING,
  /** Everyday operation while no writes come and no merge is due: merges that reads gain from. */
  QUIET
}
