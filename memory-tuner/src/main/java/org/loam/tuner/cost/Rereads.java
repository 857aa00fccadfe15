package org.loam.tuner.cost;

/**
 * Pages that reads of written keys miss, which a larger write memory would spare them.
 *
 * @param perWrite missed pages of an entry written, by reads of keys that write memory would have
 *     if it had all memory
 * @param left the part of these that is missed still, by bytes of the write memory
 */
public record Rereads(double perWrite, MissCurve left) {
  /** Nothing was sampled. */
  public static final Rereads UNKNOWN = new Rereads(0, MissCurve.UNKNOWN);

  public Rereads {
    Require.within("rereads", perWrite, 0, 1e9);
  }
}
