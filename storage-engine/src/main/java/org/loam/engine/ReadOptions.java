package org.loam.engine;

/**
 * How a read is to be done. Immutable.
 *
 * @param fillCache whether pages that it reads from disk may stay in the buffer cache; false for
 *     reads that are not worth displacing others
 */
public record ReadOptions(boolean fillCache) {
  /** Pages read stay in the cache. */
  public static final ReadOptions DEFAULT = new ReadOptions(true);

  /** Leaves the cache to others. */
  public static final ReadOptions WITHOUT_CACHE_FILL = new ReadOptions(false);
}
