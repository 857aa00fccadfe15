package org.loam.common.config;

/** How the memory tuner decides. */
public enum TunerPolicy {
  /** As in MemoryWalls §5.4: down the slope at the present split. */
  PAPER,
  /** To the least cost of all splits. */
  CURVE
}
