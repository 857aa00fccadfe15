package org.loam.lsm.disk;

/**
 * How far a cursor is expected to go from where it begins, forward or backward, so that it reads
 * its leaves in few requests. One that goes further reads two leaves at once, then four, and so on.
 *
 * @param leaves about so many, at least 1, if nobody leads it
 * @param way shared by all cursors of the scan
 * @param isLeader whether this cursor leads the others
 * @param behind about so many leaves, going to be wanted after those, are to be read ahead
 * @param readAhead has them read
 */
public record Reach(int leaves, Way way, boolean isLeader, int behind, ReadAhead readAhead) {
  /** Of a cursor that nothing is known of: leaf by leaf at first. */
  public static final Reach UNKNOWN = new Reach(1, new Way(0, 0, 0));

  /** Of a cursor that leads nobody, with nothing wanted after it. */
  public Reach(int leaves, Way way) {
    this(leaves, way, false, 0, ReadAhead.NONE);
  }
}
