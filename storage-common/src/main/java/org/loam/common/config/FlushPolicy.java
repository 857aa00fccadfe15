package org.loam.common.config;

/** Which memory component is flushed when the write memory is full (MemoryWalls §4.2). */
public enum FlushPolicy {
  /** The largest. */
  MAX_MEMORY,
  /** The one that holds the oldest log back. */
  MIN_LSN,
  /** The largest of the tree whose share of memory is most above its share of recent writes. */
  OPTIMAL
}
