package org.loam.tuner.cost;

/**
 * What a sample of the written keys says of write memories of other sizes.
 *
 * @param flushed entries flushed of an entry written, by bytes of the write memory
 * @param rereads missed pages of an entry written, by reads of keys that are not in write memory
 *     any more and might be if it had all memory
 * @param rereadsLeft the part of these that is missed still, by bytes of the write memory
 */
public record Rewrites(MissCurve flushed, double rereads, MissCurve rereadsLeft) {
  /** Nothing was sampled. */
  public static final Rewrites UNKNOWN = new Rewrites(MissCurve.UNKNOWN, 0, MissCurve.UNKNOWN);

  public Rewrites {
    Require.within("rereads", rereads, 0, 1e9);
  }
}
