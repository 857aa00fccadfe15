package org.loam.common.config;

/** What goes through the operating system's page cache, where it could be bypassed. */
public enum PageCacheUse {
  /** Nothing: the engine's memory is all that its files take. */
  NONE,
  /**
   * What is read of trees: pages that the buffer cache misses and the system still has cost a copy
   * instead of a request. Files are written past the page cache.
   */
  READS,
  /** What is read and what is written. */
  ALL
}
