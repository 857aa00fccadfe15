package org.loam.engine.tuning;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.loam.cache.AccessClass;
import org.loam.cache.PageObserver;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.ghost.GhostCache;
import org.loam.tuner.ghost.ReuseSampler;

/**
 * Shows the pages of the buffer cache to the ghost cache and to the sample of reuse distances.
 * Thread-safe. Pages that a reader does not want kept do not come to the ghost cache: no cache of
 * another size would have them.
 */
public final class PageWatch implements PageObserver {
  /**
   * One in so many pages is sampled: a use of one costs a lock and some 50 ns, a fifth of a get of
   * a cached record.
   */
  private static final int SAMPLED_PART = 64;

  /** Fewer say too little. */
  private static final int LEAST_SAMPLED = 128;

  /** With about 80 bytes of heap for each. */
  private static final int MOST_SAMPLED = 8192;

  private final int pageBytes;
  private final GhostCache ghost;
  private final ReuseSampler reuses;

  /**
   * @param poolPages pages of write memory and buffer cache
   * @param ghostBytes size of the pages whose ids the ghost cache keeps
   */
  public PageWatch(int poolPages, int pageBytes, long ghostBytes) {
    this.pageBytes = pageBytes;
    this.ghost = new GhostCache((int) Math.max(1, ghostBytes / pageBytes));
    int sampled = Math.min(MOST_SAMPLED, Math.max(LEAST_SAMPLED, poolPages / SAMPLED_PART));
    this.reuses = new ReuseSampler(sampled, poolPages);
  }

  @Override
  public void used(long pageId, long hash) {
    reuses.used(pageId, hash);
  }

  @Override
  public void missed(long pageId, AccessClass access, boolean stays) {
    ghost.missed(pageId, readClass(access), stays);
  }

  @Override
  public void left(long pageId) {
    ghost.left(pageId);
  }

  @Override
  public void deleted(long firstPageId, long lastPageId) {
    ghost.deleted(firstPageId, lastPageId);
  }

  static ReadClass readClass(AccessClass access) {
    return switch (access) {
      case QUERY -> ReadClass.QUERY;
      case MERGE -> ReadClass.MERGE;
      case FILTER -> ReadClass.FILTER;
      case META -> ReadClass.META;
    };
  }

  /** Reads that a cache larger by {@link #ghostBytes} would have saved, since the start. */
  Map<ReadClass, Long> saved() {
    return ghost.saved();
  }

  /** The same by the class of access as the buffer cache calls it. */
  public SortedMap<String, Long> ghostHits() {
    Map<ReadClass, Long> saved = saved();
    SortedMap<String, Long> hits = new TreeMap<>();
    for (AccessClass access : AccessClass.values()) {
      hits.put(access.name(), saved.getOrDefault(readClass(access), 0L));
    }
    return hits;
  }

  /** Size of the pages whose ids the ghost cache keeps. */
  long ghostBytes() {
    return (long) ghost.capacityPages() * pageBytes;
  }

  /**
   * The misses of a use, by the size of the cache.
   *
   * @param uses of the cycle that ends
   */
  MissCurve endCycle(long uses) {
    return reuses.endCycle(uses, pageBytes);
  }
}
