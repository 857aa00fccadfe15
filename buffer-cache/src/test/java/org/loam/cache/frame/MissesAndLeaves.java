package org.loam.cache.frame;

import java.util.concurrent.ConcurrentHashMap;
import org.loam.cache.AccessClass;
import org.loam.cache.PageObserver;

/**
 * Of each page how often it was read from disk to be kept, less how often it gave way to another.
 */
final class MissesAndLeaves implements PageObserver {
  private final ConcurrentHashMap<Long, Integer> balances = new ConcurrentHashMap<>();

  @Override
  public void used(long pageId, long hash) {}

  @Override
  public void missed(long pageId, AccessClass access, boolean stays) {
    if (stays) {
      balances.merge(pageId, 1, Integer::sum);
    }
  }

  @Override
  public void left(long pageId) {
    balances.merge(pageId, -1, Integer::sum);
  }

  @Override
  public void deleted(long firstPageId, long lastPageId) {}

  /** 1 for a page that is in the cache, 0 for another one. */
  int of(int fileId, int pageNo) {
    return balances.getOrDefault(PageTable.pageId(fileId, pageNo), 0);
  }
}
