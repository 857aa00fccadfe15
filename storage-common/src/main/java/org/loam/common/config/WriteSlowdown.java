package org.loam.common.config;

/** What writers meet as L0 of their tree, or write memory, fills. */
public enum WriteSlowdown {
  /** Nothing until they have to wait. */
  STOP,
  /** Short waits, before they would have to wait for long. */
  PACE,
  /** A rate that is never exceeded, whatever L0 and memory are like. */
  LIMIT
}
