package org.loam.common.config;

/** How open merges share the threads that merge (Stability §5.1.4). */
public enum MergeScheduling {
  /** Equally. */
  FAIR,
  /**
   * What relieves a tree that nearly stops its writers goes first, then what has the least left.
   */
  GREEDY
}
