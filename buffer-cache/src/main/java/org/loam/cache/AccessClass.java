package org.loam.cache;

/** Who reads a page; statistics are kept for each apart (MemoryWalls §5.3). */
public enum AccessClass {
  QUERY(0),
  MERGE(1),
  FILTER(2),
  META(3);

  private final int index;

  AccessClass(int index) {
    this.index = index;
  }

  /** The place of its counters. */
  int index() {
    return index;
  }
}
