package org.loam.tuner.ghost;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A cache that replaces the least recently used page: the model that predictions are held to. */
final class LruCache {
  private final int pages;
  private final Set<Long> byUse = new LinkedHashSet<>();

  LruCache(int pages) {
    this.pages = pages;
  }

  /** Uses a page; false if it was missed, and it is there then. */
  boolean use(long page) {
    boolean hit = byUse.remove(page);
    byUse.add(page);
    return hit;
  }

  /** Whether a page is there, which is no use of it. */
  boolean contains(long page) {
    return byUse.contains(page);
  }

  /** What has to leave now; null if nothing has to. */
  @Nullable Long evict() {
    if (byUse.size() <= pages) {
      return null;
    }
    Iterator<Long> oldest = byUse.iterator();
    Long page = oldest.next();
    oldest.remove();
    return page;
  }
}
