package org.loam.engine.tuning;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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
 *
 * <p>It looks at nothing before {@link #begin} and after {@link #end}: what no tuner asks for costs
 * readers nothing.
 */
public final class PageWatch implements PageObserver {
  /** All but what no cache keeps, whatever its size. */
  static final Set<AccessClass> CACHED =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(AccessClass.LARGE_VALUE)));

  /**
   * One in so many pages is sampled: a use of one costs a lock and some 50 ns, a fifth of a get of
   * a cached record.
   */
  private static final int SAMPLED_PART = 64;

  /** Fewer say too little. */
  private static final int LEAST_SAMPLED = 128;

  /** With about 80 bytes of heap for each. */
  private static final int MOST_SAMPLED = 8192;

  private final int poolPages;
  private final int sampledPages;
  private final int pageBytes;
  private final int ghostPages;

  /** Null while nothing is looked at. */
  private volatile @Nullable Looks looks;

  /** Reads that were saved until the last {@link #end}. */
  @GuardedBy("this")
  private final Map<ReadClass, Long> savedBefore = new EnumMap<>(ReadClass.class);

  /**
   * What is known since a beginning. A thread that is late tells it of those which it found, so
   * that nothing is counted after the end, and nothing of before in the next ones.
   */
  private record Looks(GhostCache ghost, ReuseSampler reuses) {}

  /**
   * @param poolPages pages of write memory and buffer cache
   * @param ghostBytes size of the pages whose ids the ghost cache keeps
   */
  public PageWatch(int poolPages, int pageBytes, long ghostBytes) {
    this.poolPages = poolPages;
    this.sampledPages = Math.min(MOST_SAMPLED, Math.max(LEAST_SAMPLED, poolPages / SAMPLED_PART));
    this.pageBytes = pageBytes;
    this.ghostPages = (int) Math.max(1, ghostBytes / pageBytes);
  }

  /**
   * Looks at pages from now on, and knows none of before: what left may have come back unseen. For
   * one thread.
   */
  public void begin() {
    looks = new Looks(new GhostCache(ghostPages), new ReuseSampler(sampledPages, poolPages));
  }

  /** Looks at nothing from now on. */
  public synchronized void end() {
    Looks last = looks;
    looks = null;
    addSaved(last, savedBefore);
  }

  @Override
  public void used(long pageId, long hash) {
    Looks now = looks;
    if (now != null) {
      now.reuses.used(pageId, hash);
    }
  }

  @Override
  public double usedSince(long pageId, long hash) {
    Looks now = looks;
    return now == null ? -1 : now.reuses.usedSince(pageId, hash);
  }

  /** For how many pages a sampled one stands. */
  double pagesOfSampled() {
    return Math.max(1, (double) poolPages / sampledPages);
  }

  int pageBytes() {
    return pageBytes;
  }

  @Override
  public void missed(long pageId, AccessClass access, boolean stays) {
    Looks now = looks;
    if (now != null) {
      now.ghost.missed(pageId, readClass(access), stays);
    }
  }

  @Override
  public void left(long pageId) {
    Looks now = looks;
    if (now != null) {
      now.ghost.left(pageId);
    }
  }

  @Override
  public void deleted(long firstPageId, long lastPageId) {
    Looks now = looks;
    if (now != null) {
      now.ghost.deleted(firstPageId, lastPageId);
    }
  }

  static ReadClass readClass(AccessClass access) {
    return switch (access) {
      case QUERY -> ReadClass.QUERY;
      case MERGE -> ReadClass.MERGE;
      case FILTER -> ReadClass.FILTER;
      case META -> ReadClass.META;
      case LARGE_VALUE -> throw new AssertionError("no cache keeps large values");
    };
  }

  /** Reads that a cache larger by {@link #ghostBytes} would have saved, of all that it saw. */
  synchronized Map<ReadClass, Long> saved() {
    Map<ReadClass, Long> saved = new EnumMap<>(savedBefore);
    addSaved(looks, saved);
    return saved;
  }

  private static void addSaved(@Nullable Looks looks, Map<ReadClass, Long> sums) {
    if (looks != null) {
      looks.ghost.saved().forEach((access, reads) -> sums.merge(access, reads, Long::sum));
    }
  }

  /** The same by the class of access as the buffer cache calls it. */
  public SortedMap<String, Long> ghostHits() {
    Map<ReadClass, Long> saved = saved();
    SortedMap<String, Long> hits = new TreeMap<>();
    for (AccessClass access : CACHED) {
      hits.put(access.name(), saved.getOrDefault(readClass(access), 0L));
    }
    return hits;
  }

  /** Size of the pages whose ids the ghost cache keeps. */
  long ghostBytes() {
    return (long) ghostPages * pageBytes;
  }

  /**
   * The misses of a use, by the size of the cache.
   *
   * @param uses of the cycle that ends
   */
  MissCurve endCycle(long uses) {
    Looks now = looks;
    return now == null ? MissCurve.UNKNOWN : now.reuses.endCycle(uses, pageBytes).misses();
  }
}
