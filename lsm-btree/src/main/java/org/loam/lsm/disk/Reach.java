package org.loam.lsm.disk;

/**
 * How far a cursor is expected to go from where it begins, forward or backward, so that it reads
 * its leaves in few requests. One that goes further reads two leaves at once, then four, and so on.
 *
 * @param leaves about so many, at least 1
 * @param end address of the key that bounds the way, 0 if there is none: forward the first that is
 *     not wanted, backward the last that is; it stays readable as long as the cursor is used
 * @param endLength length of that key in bytes
 * @param behind about so many leaves, going to be wanted after those, are to be read ahead
 * @param readAhead has them read
 */
public record Reach(int leaves, long end, int endLength, int behind, ReadAhead readAhead) {
  /** Of a cursor that nothing is known of: leaf by leaf at first. */
  public static final Reach UNKNOWN = new Reach(1, 0, 0);

  /** Nothing is wanted after it. */
  public Reach(int leaves, long end, int endLength) {
    this(leaves, end, endLength, 0, ReadAhead.NONE);
  }
}
