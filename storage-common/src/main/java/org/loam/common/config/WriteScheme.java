package org.loam.common.config;

/** How the write memory of a tree is organised (MemoryWalls §4.1, §6.2). */
public enum WriteScheme {
  /** One component, which is flushed as a whole. */
  DYNAMIC,
  /** A component for each of up to 16 ranges of keys, which are flushed one by one. */
  RANGES,
  /**
   * A small component that takes writes, and below it levels of runs which are merged in memory and
   * flushed one by one: the partitioned memory component of the paper.
   */
  LEVELS
}
