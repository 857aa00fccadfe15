package org.loam.common.mem;

import org.loam.common.env.StorageEnv;
import org.loam.common.env.WokenThread;

/**
 * Touches the pages of a pool before they are used for the first time, on a thread of its own. The
 * first write to a page makes the system find and clear memory, 2 MiB at once where it serves huge
 * pages: 0.4 ms, and 2 ms in a virtual machine whose host has to find the memory, too. A client
 * that gets the page would wait for that.
 *
 * <p>The thread looks by itself how far the pool is in use, and the pool knows nothing of it: pages
 * are taken below plain locks, where no thread may be woken. The thread ends when all is touched.
 *
 * <p>What is touched and not in use is bounded, and never more than what is in use, so that a
 * process that needs little of its memory takes little. Nothing waits for the thread: a page that
 * is used before it was touched costs its user what it would cost without. A page that is taken
 * while it is touched keeps its content, see {@link Mem#touch}.
 */
public final class TouchAhead implements AutoCloseable {
  private static final int AHEAD_PART = 16;

  private static final long MOST_AHEAD_BYTES = 64 << 20;

  /** A pool of less than 128 MiB has fewer than 64 huge pages, which is not worth a thread. */
  private static final long LEAST_AHEAD_BYTES = 8 << 20;

  /** A cache that fills with 640 MB a second takes 13 MB meanwhile. */
  private static final long PAUSE_NANOS = 20_000_000;

  /** While no new page is used, a pause is as many times longer. */
  private static final int IDLE_FACTOR = 5;

  private final PagePool pool;
  private final int mostAheadPages;
  private final long pauseNanos;
  private final WokenThread thread;

  /** The pages before this one need no touch any more. Written by the thread. */
  private volatile int next;

  /**
   * Begins, if the pool is so large that it is worth a thread.
   *
   * @param pool closed after this
   */
  public TouchAhead(StorageEnv env, PagePool pool) {
    this(env, pool, mostAheadPages(pool), PAUSE_NANOS);
  }

  TouchAhead(StorageEnv env, PagePool pool, int mostAheadPages, long pauseNanos) {
    this.pool = pool;
    this.mostAheadPages = mostAheadPages;
    this.pauseNanos = pauseNanos;
    this.thread = new WokenThread(env, "loam-touch", "pages to be touched", this::run);
    if (mostAheadPages > 0) {
      begin();
    }
  }

  private void begin() {
    try {
      thread.wake();
    } catch (OutOfMemoryError ignored) {
      // The process can have no thread more; the pool has its memory, and does without.
    }
  }

  private static int mostAheadPages(PagePool pool) {
    long poolBytes = (long) pool.pageCount() * pool.pageBytes();
    long bytes = Math.min(MOST_AHEAD_BYTES, poolBytes / AHEAD_PART);
    return bytes < LEAST_AHEAD_BYTES ? 0 : (int) (bytes / pool.pageBytes());
  }

  /** The pages that were touched, or seen in use. */
  int touchedPages() {
    return next;
  }

  private void run() {
    long pause = pauseNanos;
    while (next < pool.pageCount() && thread.await(pause)) {
      pause = IDLE_FACTOR * pauseNanos;
      while (!thread.isClosing() && touchNext()) {
        pause = pauseNanos;
      }
    }
  }

  /** Touches the next page; false if it is far enough ahead. */
  private boolean touchNext() {
    int used = pool.peakPages();
    int page = Math.max(next, used);
    if (page >= Math.min(pool.pageCount(), used + Math.min(used, mostAheadPages))) {
      next = page;
      return false;
    }
    Mem.touch(pool.base() + (long) page * pool.pageBytes(), pool.pageBytes());
    next = page + 1;
    return true;
  }

  /** Ends the thread after the page that it is at, and waits for that. */
  @Override
  public void close() {
    thread.close();
  }
}
