package org.loam.lsm.disk;

/**
 * Has leaves read that a cursor is going to need after those that it reads itself, while it shows
 * these: by another thread, later, or not at all.
 */
@FunctionalInterface
public interface ReadAhead {
  /** Has nothing read. */
  ReadAhead NONE = (table, pageNo, lastPageNo) -> {};

  /**
   * Begins to read leaves.
   *
   * @param pageNo the first that the cursor comes to
   * @param lastPageNo the last, above or below
   */
  void begin(SSTable table, int pageNo, int lastPageNo);
}
