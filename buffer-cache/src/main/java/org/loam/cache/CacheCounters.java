package org.loam.cache;

import java.util.concurrent.atomic.AtomicLongArray;
import org.loam.common.env.NanoClock;

/**
 * What the readers of disk pages count, by access class (MemoryWalls §5.3): pins answered from
 * memory and pages read from disk, by the cache or past it, with the time of each request. Writers
 * of tables count their bytes and their time. One object is shared by all of them, and tells a
 * {@link PageObserver} of the pages of the cache. Thread-safe; threads count on cache lines of
 * their own, as far as there are enough, and a sum taken while they do may miss the latest of them.
 */
public final class CacheCounters {
  private static final int MISSES = 5;
  private static final int EVICTIONS = 10;
  private static final int CHECKSUM_FAILURES = 11;
  private static final int REQUESTS = 12;
  private static final int REQUEST_NANOS = 17;
  private static final int WRITTEN_BYTES = 22;
  private static final int WRITE_NANOS = 23;
  private static final int BESIDE_REQUESTS = 24;
  private static final int BESIDE_NANOS = 25;

  /** Four cache lines of 8 counters: processors fetch lines in pairs. */
  private static final int STRIPE = 32;

  private static final int STRIPES = 32;

  /** When a client asked the disk last: in the stripe that is not used, on a line of its own. */
  private static final int LATEST_READ = STRIPE / 2;

  /** Requests of background work that run now: behind the last stripe, on a line that few write. */
  private static final int BACKGROUND_RUNNING = (STRIPES + 1) * STRIPE + STRIPE / 2;

  /** When one of these ended last that did not fail. */
  private static final int LATEST_BACKGROUND = BACKGROUND_RUNNING + 1;

  /** Marks the time at which a request begins: there is background work. */
  private static final long BESIDE = 1;

  /** Between two requests of a merge it uses a processor for so long at most. */
  private static final long BETWEEN_NANOS = 1_000_000;

  /** A client that asked so lately is taken to go on. */
  private static final long GO_ON_NANOS = 20_000_000;

  /**
   * A device serves requests one after the other, here at 1.2 GB a second. So a read behind one
   * request of 1 MiB takes 0.8 ms longer, behind one of this size 0.1 ms.
   */
  private static final int BYTES_BESIDE_READS = 128 << 10;

  /** A stripe before, so that the array's header shares no line with a counter, and one behind. */
  private final AtomicLongArray cells = new AtomicLongArray((STRIPES + 2) * STRIPE);

  private final PageObserver observer;
  private final NanoClock clock;

  /** With nothing else that is told of pages, and without times. */
  public CacheCounters() {
    this(PageObserver.NONE);
  }

  /** Without times. */
  public CacheCounters(PageObserver observer) {
    this(observer, () -> 0);
  }

  /**
   * @param observer is told of the pages of the cache
   * @param clock measures requests
   */
  public CacheCounters(PageObserver observer, NanoClock clock) {
    this.observer = observer;
    this.clock = clock;
    long now = clock.nanoTime();
    cells.setPlain(LATEST_READ, now - GO_ON_NANOS);
    cells.setPlain(LATEST_BACKGROUND, now - BETWEEN_NANOS);
  }

  /**
   * A request begins that a client waits for, or soon will.
   *
   * @return the time from which it is measured, an even number; one more if it begins beside
   *     background work
   */
  public long readBegins() {
    long now = clock.nanoTime();
    cells.setOpaque(LATEST_READ, now);
    return isBackgroundAtWork(now) ? now | BESIDE : now & ~BESIDE;
  }

  /** Whether a request of background work runs, or one ended just now and the next one comes. */
  private boolean isBackgroundAtWork(long now) {
    return cells.getOpaque(BACKGROUND_RUNNING) > 0
        || now - cells.getOpaque(LATEST_BACKGROUND) < BETWEEN_NANOS;
  }

  /**
   * A request of background work begins: of a flush, a merge or a load. {@link #backgroundEnds}
   * follows, whatever comes of it.
   *
   * @return the time from which it is measured
   */
  public long backgroundBegins() {
    long now = clock.nanoTime();
    cells.getAndIncrement(BACKGROUND_RUNNING);
    return now;
  }

  /** A request of background work has ended, or has failed. */
  public void backgroundEnds() {
    cells.getAndDecrement(BACKGROUND_RUNNING);
  }

  /**
   * How large the next request of background work may be: small while clients read from the disk,
   * so that they do not wait long for it.
   *
   * @param most at other times
   */
  public int backgroundBytes(int most) {
    boolean beside =
        most > BYTES_BESIDE_READS && clock.nanoTime() - cells.getOpaque(LATEST_READ) < GO_ON_NANOS;
    return beside ? BYTES_BESIDE_READS : most;
  }

  /** A page is asked for, see {@link PageObserver#used}. */
  public void used(long pageId, long hash) {
    observer.used(pageId, hash);
  }

  /** {@link PageObserver#usedSince}. */
  public double usedSince(long pageId, long hash) {
    return observer.usedSince(pageId, hash);
  }

  /** A pin was answered from memory. */
  public void hit(AccessClass access) {
    cells.getAndIncrement(stripe() + access.index());
  }

  /**
   * Pages were read from disk past the cache, with one request.
   *
   * @param began what {@link #readBegins} returned, or {@link #backgroundBegins} for a merge
   */
  public void missed(AccessClass access, long pages, long began) {
    int stripe = stripe();
    cells.getAndAdd(stripe + MISSES + access.index(), pages);
    long now = clock.nanoTime();
    timed(stripe, access, now - (began & ~BESIDE));
    if (access == AccessClass.MERGE) {
      cells.setOpaque(LATEST_BACKGROUND, now);
    }
  }

  /** A page is read from disk into the cache. */
  public void missed(ReadIntent intent, long pageId) {
    AccessClass access = intent.access();
    cells.getAndIncrement(stripe() + MISSES + access.index());
    observer.missed(pageId, access, intent.keeps());
  }

  /**
   * A request of the disk has brought pages for the cache, which are counted by themselves.
   *
   * @param began what {@link #readBegins} returned
   */
  public void requested(AccessClass access, long began) {
    int stripe = stripe();
    long nanos = clock.nanoTime() - (began & ~BESIDE);
    timed(stripe, access, nanos);
    if ((began & BESIDE) != 0) {
      // After the request itself: what ran beside others is never more than what ran.
      cells.getAndIncrement(stripe + BESIDE_REQUESTS);
      cells.getAndAdd(stripe + BESIDE_NANOS, nanos);
    }
  }

  private void timed(int stripe, AccessClass access, long nanos) {
    cells.getAndIncrement(stripe + REQUESTS + access.index());
    cells.getAndAdd(stripe + REQUEST_NANOS + access.index(), nanos);
  }

  /**
   * Pages of a table were written, or forced.
   *
   * @param bytes 0 if they were forced
   * @param began what {@link #backgroundBegins} returned
   */
  public void wrote(long bytes, long began) {
    int stripe = stripe();
    long now = clock.nanoTime();
    cells.getAndAdd(stripe + WRITTEN_BYTES, bytes);
    cells.getAndAdd(stripe + WRITE_NANOS, now - began);
    cells.setOpaque(LATEST_BACKGROUND, now);
  }

  /** A page gave way to another. */
  public void evicted(long pageId) {
    cells.getAndIncrement(stripe() + EVICTIONS);
    observer.left(pageId);
  }

  /** The pages from one to the other do not exist any more. */
  public void deleted(long firstPageId, long lastPageId) {
    observer.deleted(firstPageId, lastPageId);
  }

  /** A page was not what was written. */
  public void checksumFailed() {
    cells.getAndIncrement(stripe() + CHECKSUM_FAILURES);
  }

  public long hits(AccessClass access) {
    return sum(access.index());
  }

  public long misses(AccessClass access) {
    return sum(MISSES + access.index());
  }

  /** Requests that brought the {@link #misses}. */
  public long requests(AccessClass access) {
    return sum(REQUESTS + access.index());
  }

  /** The time that the {@link #requests} took, each by itself. */
  public long requestNanos(AccessClass access) {
    return sum(REQUEST_NANOS + access.index());
  }

  /** Bytes of tables that were written. */
  public long writtenBytes() {
    return sum(WRITTEN_BYTES);
  }

  /** The time that writing and forcing tables took. */
  public long writeNanos() {
    return sum(WRITE_NANOS);
  }

  /**
   * Those {@link #requests} for pages of the cache that began beside background work. What only
   * began while they ran does not count: long ones would meet more of it, and not be long for it.
   */
  public long besideRequests() {
    return sum(BESIDE_REQUESTS);
  }

  /** The time that the {@link #besideRequests} took, each by itself. */
  public long besideNanos() {
    return sum(BESIDE_NANOS);
  }

  public long evictions() {
    return sum(EVICTIONS);
  }

  public long checksumFailures() {
    return sum(CHECKSUM_FAILURES);
  }

  /** Thread ids choose only where a count is kept, never what a sum shows. */
  private static int stripe() {
    int id = (int) Thread.currentThread().getId();
    return ((id & (STRIPES - 1)) + 1) * STRIPE;
  }

  private long sum(int counter) {
    long sum = 0;
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      sum += cells.get(stripe * STRIPE + counter);
    }
    return sum;
  }
}
