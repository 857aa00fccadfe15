package org.loam.engine.commit;

import org.loam.common.mem.PagePool;

/**
 * The pages of write memory: its own, and those that the buffer cache lends it below a host's log.
 * Such pages are needed because the host begins a flush only after the writes that need them have
 * ended. They go back once a flush has made room. Thread-safe.
 */
public final class WritePages {
  /** Below this a cache cannot hold the index paths of a few readers. */
  public static final int MIN_CACHE_PAGES = 256;

  private final PagePool pool;
  private final PagePool.Quota quota;
  private final PagePool.Quota lender;
  private final Runnable resizeCache;
  private final int own;

  /**
   * @param quota whose target are write memory's own pages
   * @param lender the quota of the cache
   * @param resizeCache has the cache take a step towards its quota
   */
  public WritePages(
      PagePool pool, PagePool.Quota quota, PagePool.Quota lender, Runnable resizeCache) {
    this.pool = pool;
    this.quota = quota;
    this.lender = lender;
    this.resizeCache = resizeCache;
    this.own = quota.targetPages();
  }

  int pageBytes() {
    return pool.pageBytes();
  }

  int used() {
    return quota.usedPages();
  }

  /** Pages that write memory may still take now. */
  int free() {
    return quota.targetPages() - quota.usedPages();
  }

  /** Pages of write memory without those that are lent to it. */
  int own() {
    return own;
  }

  int lent() {
    return quota.targetPages() - own;
  }

  /**
   * Borrows pages.
   *
   * @return false if the cache has no more that it could lend
   */
  synchronized boolean borrow(int pages) {
    // The cache still owes pages of the last time: it gives them when readers unpin them.
    if (lender.excessPages() == 0) {
      if (pages > lender.targetPages() - MIN_CACHE_PAGES) {
        return false;
      }
      pool.transfer(lender, quota, pages);
    }
    resizeCache.run();
    return true;
  }

  /** Gives back what was lent and is not used. */
  synchronized void giveBack() {
    int pages = Math.min(lent(), free());
    if (pages > 0) {
      pool.transfer(quota, lender, pages);
    }
  }
}
