package org.loam.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.loam.common.config.Units;
import org.loam.common.mem.PagePool;

/**
 * Owns the quotas of write memory and buffer cache. Write memory has a size of its own, which moves
 * towards a target in short steps while both sides are in use. Apart from that, the cache lends
 * pages: to writes below a host's log, because the host begins a flush only after the writes that
 * need these pages have ended, and to a batch for which write memory has become too small. Lent
 * pages go back once a flush has made room. Thread-safe; one plain lock around a few instructions.
 *
 * <p>A step up counts when the cache has given its pages up. A step down counts at once, so that
 * flushes begin, and the pages leave when what is then used is below the flush threshold: writers
 * never find less room than whenever a flush begins.
 *
 * <p>Invariant: the quota of write memory, and what the cache still owes it, is what it has by
 * itself, what is lent, and what is leaving or arriving.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock
public final class MemoryArbiter {
  /** Below this a cache cannot hold the index paths of a few readers. */
  public static final int MIN_CACHE_PAGES = 256;

  private static final int MOST_STEP_BYTES = 8 << 20;

  /** A step moves such a part of write memory, if that is less. */
  private static final int STEP_PART = 16;

  /** What a move needs to go on. */
  public enum Progress {
    /** The target is reached. */
    DONE,
    /** A step was made. */
    MOVED,
    /** The cache has pages to evict, or has lent too many. */
    NEEDS_CACHE,
    /** Write memory has components to flush. */
    NEEDS_FLUSH
  }

  private final PagePool pool;
  private final PagePool.Quota quota;
  private final PagePool.Quota cache;
  private final Runnable resizeCache;
  private final int leastPages;

  /** The used part of write memory at which flushes begin. */
  private volatile double threshold = 1;

  /** What write memory has by itself; changed under the lock. */
  private volatile int own;

  private volatile int target;

  @GuardedBy("this")
  private int lent;

  /** What the last step up will add. */
  @GuardedBy("this")
  private int arriving;

  /** What the last step down has taken from {@link #own} and not yet from the quota. */
  @GuardedBy("this")
  private int leaving;

  /**
   * @param quota of write memory, which begins with its target
   * @param cache the quota of the buffer cache
   * @param resizeCache has the cache take a step towards its quota
   * @param leastPages write memory never gets smaller
   */
  public MemoryArbiter(
      PagePool pool,
      PagePool.Quota quota,
      PagePool.Quota cache,
      Runnable resizeCache,
      int leastPages) {
    this.pool = pool;
    this.quota = quota;
    this.cache = cache;
    this.resizeCache = resizeCache;
    this.leastPages = leastPages;
    this.own = quota.targetPages();
    this.target = own;
  }

  public int pageBytes() {
    return pool.pageBytes();
  }

  /** Write memory and buffer cache together. */
  public long poolBytes() {
    return (long) pool.pageCount() * pageBytes();
  }

  /** Pages that write memory uses. */
  public int used() {
    return quota.usedPages();
  }

  /** Pages that write memory may still take now. */
  public int free() {
    return quota.targetPages() - quota.usedPages();
  }

  /** Pages of write memory without those that are lent to it. */
  public int own() {
    return own;
  }

  /** {@link #own} in bytes. */
  public long ownBytes() {
    return (long) own * pageBytes();
  }

  /** Pages that the buffer cache has lent. */
  public synchronized int lent() {
    return lent;
  }

  /** Used pages at which flushes begin. */
  public double thresholdPages() {
    return threshold * own;
  }

  /** Sets the used part of write memory at which flushes begin. */
  public void flushesAt(double ratio) {
    threshold = ratio;
  }

  // ---- Targets.

  /** The write memory that there is to be. */
  public long targetBytes() {
    return (long) target * pageBytes();
  }

  /** The least target. */
  public long leastBytes() {
    return (long) leastPages * pageBytes();
  }

  /** Pages that write memory has at most: its own, or with those that are lent to it. */
  public int mostPages() {
    return pool.pageCount() - MIN_CACHE_PAGES;
  }

  /** The greatest target. */
  public long mostBytes() {
    return (long) mostPages() * pageBytes();
  }

  /**
   * Refuses a target with the rule.
   *
   * @param name of the value, for the message
   * @throws IllegalArgumentException if it is not in the range
   */
  public static void requireTarget(String name, long bytes, long leastBytes, long mostBytes) {
    if (bytes < leastBytes || bytes > mostBytes) {
      throw new IllegalArgumentException(
          name
              + ": "
              + Units.formatBytes(bytes)
              + ", must be in "
              + Units.formatBytes(leastBytes)
              + " .. "
              + Units.formatBytes(mostBytes)
              + ", which leaves the buffer cache "
              + MIN_CACHE_PAGES
              + " pages");
    }
  }

  /**
   * Sets what write memory is to be; {@link #advance} moves there.
   *
   * @throws IllegalArgumentException if one of the sides could not do with what it would have
   */
  public synchronized void setTarget(long bytes) {
    requireTarget("target of write memory", bytes, leastBytes(), mostBytes());
    target = (int) (bytes / pageBytes());
    // What has not left yet may stay.
    int stays = Math.min(leaving, Math.max(0, target - own));
    own += stays;
    leaving -= stays;
  }

  /** Ends a move: write memory is to be what it is now, or what it is when a step up has ended. */
  public synchronized void stay() {
    target = own + leaving + arriving;
    own += leaving;
    leaving = 0;
  }

  /** Moves a step towards the target, as far as that needs no wait. */
  public Progress advance() {
    Progress progress = step();
    if (progress == Progress.NEEDS_CACHE) {
      resizeCache.run();
      progress = step();
    }
    return progress;
  }

  private synchronized Progress step() {
    leave();
    if (leaving > 0) {
      return Progress.NEEDS_FLUSH;
    }
    if (arriving > 0) {
      return receive();
    }
    int way = target - own;
    int most = Math.max(1, Math.min(MOST_STEP_BYTES / pageBytes(), own / STEP_PART));
    if (way < 0) {
      leaving = Math.min(most, -way);
      own -= leaving;
      leave();
      return leaving > 0 ? Progress.NEEDS_FLUSH : Progress.MOVED;
    }
    int pages = Math.min(Math.min(most, way), cache.targetPages() - MIN_CACHE_PAGES);
    if (pages > 0) {
      pool.transfer(cache, quota, pages);
      arriving = pages;
      return receive();
    }
    return way > 0 ? Progress.NEEDS_CACHE : Progress.DONE;
  }

  @GuardedBy("this")
  private Progress receive() {
    if (cache.excessPages() > 0) {
      return Progress.NEEDS_CACHE;
    }
    own += arriving;
    arriving = 0;
    return Progress.MOVED;
  }

  // ---- Loans.

  /**
   * Borrows pages.
   *
   * @return false if the cache has no more that it could lend
   */
  public boolean borrow(int pages) {
    boolean lends = lend(pages);
    if (lends) {
      // Outside of the lock: to evict much takes milliseconds.
      resizeCache.run();
    }
    return lends;
  }

  private synchronized boolean lend(int pages) {
    // The cache still owes pages of the last time: it gives them when readers unpin them.
    if (cache.excessPages() == 0) {
      if (pages > cache.targetPages() - MIN_CACHE_PAGES) {
        return false;
      }
      pool.transfer(cache, quota, pages);
      lent += pages;
    }
    return true;
  }

  /** Memory came back: gives the cache what was lent, and what is to leave, if it is not used. */
  public synchronized void settle() {
    int back = Math.min(lent, free());
    if (back > 0) {
      pool.transfer(quota, cache, back);
      lent -= back;
    }
    leave();
  }

  @GuardedBy("this")
  private void leave() {
    if (leaving > 0 && free() >= leaving && used() <= thresholdPages()) {
      pool.transfer(quota, cache, leaving);
      leaving = 0;
    }
  }
}
