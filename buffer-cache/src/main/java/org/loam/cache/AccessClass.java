package org.loam.cache;

/** What a page is read for; each purpose has statistics of its own (MemoryWalls §5.3). */
public enum AccessClass {
  QUERY(0),
  MERGE(1),
  FILTER(2),
  META(3),
  /** A value that is too large for the cache, whatever the size of that. */
  LARGE_VALUE(4);

  private final int index;

  AccessClass(int index) {
    this.index = index;
  }

  /** The place of its counters. */
  int index() {
    return index;
  }
}
