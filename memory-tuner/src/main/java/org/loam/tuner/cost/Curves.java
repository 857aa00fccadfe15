package org.loam.tuner.cost;

/**
 * What sampled reuse distances say about sizes that memory does not have.
 *
 * @param misses missed pages of a pinned page, by bytes of the buffer cache
 * @param rewrites of keys that are written again, or read
 */
public record Curves(MissCurve misses, Rewrites rewrites) {
  /** Nothing was sampled. */
  public static final Curves NONE = new Curves(MissCurve.UNKNOWN, Rewrites.UNKNOWN);
}
