package org.loam.cache;

/**
 * What a page is read for: which counters the read moves, and whether the page is to be kept in the
 * cache. One value goes from the reader down to the frame, so that each place on the way may decide
 * by it.
 */
public enum ReadIntent {
  /** A query, and the page is worth keeping. */
  QUERY(AccessClass.QUERY, true),
  /** A query that leaves the cache as it was: hot pages no hotter, and nothing new stays. */
  QUERY_ONCE(AccessClass.QUERY, false),
  /** A look into the Bloom filter of an SSTable. */
  FILTER(AccessClass.FILTER, true),
  /** The way to a leaf: pages of the index of an SSTable. */
  META(AccessClass.META, true);

  private final AccessClass access;
  private final boolean keeps;

  ReadIntent(AccessClass access, boolean keeps) {
    this.access = access;
    this.keeps = keeps;
  }

  /**
   * That of a query.
   *
   * @param keeps whether what it reads may stay in the cache
   */
  public static ReadIntent query(boolean keeps) {
    return keeps ? QUERY : QUERY_ONCE;
  }

  /** Where the read is counted. */
  public AccessClass access() {
    return access;
  }

  /** Whether what is read is worth keeping in memory. */
  public boolean keeps() {
    return keeps;
  }
}
