package org.loam.tuner.cost;

/**
 * What sampled reuse distances say about sizes that memory does not have.
 *
 * @param misses missed pages of a pinned page, by bytes of the buffer cache
 * @param rewrites entries flushed of an entry written, by bytes of the write memory
 */
public record Curves(MissCurve misses, MissCurve rewrites) {
  /** Nothing was sampled. */
  public static final Curves NONE = new Curves(MissCurve.UNKNOWN, MissCurve.UNKNOWN);
}
