package org.loam.scheduler.work;

/** How urgent background I/O is, the most urgent first. */
public enum IoClass {
  /** Flushes, and merges without which a flush or a write cannot go on. */
  FLUSH,
  /** Merges out of L0, which bound the number of components that a read looks at. */
  L0,
  /** All other merges. */
  MERGE;

  /** Whether this must be served before the other. */
  public boolean isBefore(IoClass other) {
    return compareTo(other) < 0;
  }
}
