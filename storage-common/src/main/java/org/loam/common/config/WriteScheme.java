package org.loam.common.config;

/** How trees share the write memory (MemoryWalls §4.1, §6.2). */
public enum WriteScheme {
  /** One component, which is flushed as a whole. */
  DYNAMIC,
  /** A component for each of up to 16 ranges of keys, which are flushed one by one. */
  RANGES,
  /** Write memory is divided among a fixed number of active datasets. */
  STATIC,
  /** Write memory is divided among the datasets that are written to. */
  STATIC_TUNED,
  /**
   * A small component that takes writes, and below it levels of runs which are merged in memory and
   * flushed one by one: the partitioned memory component of the paper.
   */
  LEVELS,
  /**
   * A small component that takes writes, and older ones behind it whose indexes are merged in
   * memory (Accordion); all are flushed together.
   */
  ACCORDION_INDEX,
  /** The same, with their records copied and what was overwritten dropped. */
  ACCORDION_DATA
}
