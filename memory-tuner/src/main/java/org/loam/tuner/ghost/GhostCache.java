package org.loam.tuner.ghost;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumMap;
import java.util.Map;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.Require;

/**
 * The simulated cache of MemoryWalls §5.3: the ids of the pages that left the buffer cache last.
 * Thread-safe; every call is short and takes one lock.
 *
 * <p>A page that is missed while its id is here would have been in a cache that is larger by as
 * many pages. For a cache that replaces the least recently used page this is exact, if a page
 * leaves when its id comes and comes when its id leaves; for another policy it is an estimate.
 */
public final class GhostCache {
  private final int capacityPages;

  @GuardedBy("this")
  private final IdQueue left;

  @GuardedBy("this")
  private final Map<ReadClass, Long> saved = new EnumMap<>(ReadClass.class);

  /**
   * @param capacityPages ids that it keeps at most
   */
  public GhostCache(int capacityPages) {
    Require.atLeast("capacityPages", capacityPages, 1);
    this.capacityPages = capacityPages;
    this.left = new IdQueue(capacityPages);
    for (ReadClass readClass : ReadClass.values()) {
      saved.put(readClass, 0L);
    }
  }

  /** Ids that it keeps at most. */
  public int capacityPages() {
    return capacityPages;
  }

  /** A page has left the buffer cache, because another one came. */
  public synchronized void left(long pageId) {
    left.add(pageId);
  }

  /**
   * A page is about to be read from disk.
   *
   * @param stays whether it will be in the buffer cache then, so that its id leaves
   * @return whether a larger cache would have saved the read
   */
  public synchronized boolean missed(long pageId, ReadClass readClass, boolean stays) {
    boolean found = stays ? left.remove(pageId) : left.contains(pageId);
    if (found) {
      saved.merge(readClass, 1L, Long::sum);
    }
    return found;
  }

  /**
   * Pages do not exist any more, those of a deleted file for example. Takes time for each id that
   * the ghost cache has.
   *
   * @param firstPageId the least of their ids
   * @param lastPageId the greatest
   */
  public synchronized void deleted(long firstPageId, long lastPageId) {
    left.removeRange(firstPageId, lastPageId);
  }

  /** Reads saved since the start, by class, all as of one moment. */
  public synchronized Map<ReadClass, Long> saved() {
    return new EnumMap<>(saved);
  }

  /** Ids that it has now. */
  public synchronized int pages() {
    return left.size();
  }
}
