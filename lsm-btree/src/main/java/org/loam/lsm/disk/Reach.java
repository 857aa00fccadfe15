package org.loam.lsm.disk;

/**
 * How far a cursor is expected to go from where it begins, forward or backward, so that it reads
 * its leaves in few requests. A cursor that goes further reads two leaves at once, then four, and
 * so on.
 *
 * @param leaves the expected number of leaves, at least 1, if no cursor leads this one
 * @param way shared by all cursors of the scan
 * @param isLeader whether this cursor leads the others
 * @param behind the number of leaves to read ahead: those that the scan wants after the first ones
 * @param readAhead starts reading these
 */
public record Reach(int leaves, Way way, boolean isLeader, int behind, ReadAhead readAhead) {
  /** For a cursor of which nothing is known: it reads leaf by leaf at first. */
  public static final Reach UNKNOWN = new Reach(1, new Way(0, 0, 0));

  /** For a cursor that leads no other, without reading ahead. */
  public Reach(int leaves, Way way) {
    this(leaves, way, false, 0, ReadAhead.NONE);
  }

  /**
   * Reads leaves ahead of a cursor, beyond those that the cursor reads itself, while the cursor
   * shows these. It may read them by another thread, later, or not at all.
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
}
