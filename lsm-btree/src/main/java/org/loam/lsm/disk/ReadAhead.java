package org.loam.lsm.disk;

/**
 * Reads leaves ahead of a cursor, beyond those that the cursor reads itself, while the cursor shows
 * these. It may read them by another thread, later, or not at all.
 */
@FunctionalInterface
public interface ReadAhead {
  /** Reads nothing. */
  ReadAhead NONE = (table, pageNo, lastPageNo) -> {};

  /**
   * Begins to read leaves.
   *
   * @param pageNo the first that the cursor comes to
   * @param lastPageNo the last, above or below
   */
  void begin(SSTable table, int pageNo, int lastPageNo);
}
