package org.loam.lsm.disk;

/**
 * How far a cursor is expected to go forward from where it begins, so that it reads its leaves in
 * few requests. One that goes further reads two leaves at once, then four, and so on.
 *
 * @param leaves about so many, at least 1
 * @param end address of the first key that is not wanted, 0 if there is none; it stays readable as
 *     long as the cursor is used
 * @param endLength length of that key in bytes
 */
public record Reach(int leaves, long end, int endLength) {
  /** Of a cursor that nothing is known of: leaf by leaf at first. */
  public static final Reach UNKNOWN = new Reach(1, 0, 0);
}
