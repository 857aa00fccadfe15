package org.loam.tuner.cost;

/**
 * What a sample of the written keys says of write memories of other sizes.
 *
 * @param flushed entries flushed of an entry written, by bytes of the write memory
 * @param missed what readers miss now, of keys that are not in write memory any more
 * @param spared these, and what readers find in the cache now and would miss in the smaller one
 *     beside a larger write memory. It counts from the size on at which the cache would miss it and
 *     write memory has its key
 */
public record Rewrites(MissCurve flushed, Rereads missed, Rereads spared) {
  /** Nothing was sampled. */
  public static final Rewrites UNKNOWN =
      new Rewrites(MissCurve.UNKNOWN, Rereads.UNKNOWN, Rereads.UNKNOWN);
}
