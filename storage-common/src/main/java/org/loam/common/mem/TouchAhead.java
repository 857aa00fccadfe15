package org.loam.common.mem;

import org.loam.common.env.StorageEnv;
import org.loam.common.env.WokenThread;

/**
 * Touches the pages of a pool before they are used for the first time, on a thread of its own. The
 * first write to a page makes the system find and clear memory, 2 MiB at once where it serves huge
 * pages: 0.4 ms, and 2 ms in a virtual machine whose host has to find the memory, too. A reader
 * that misses a page would wait for that.
 *
 * <p>It is ahead of the pages in use by a bounded part of the pool, so that a process that needs
 * little of its memory takes little. Nothing waits for it: a page that is used before it was
 * touched costs its user what it would cost without, and a page in use may be touched.
 */
public final class TouchAhead implements AutoCloseable {
  /** How much of the pool is ahead, a sixteenth of it: reads fill so much in some milliseconds. */
  private static final int AHEAD_PART = 16;

  private static final long MOST_AHEAD_BYTES = 64 << 20;

  /** It goes on as often while its lead is used up. */
  private static final int STEPS = 8;

  private final PagePool pool;
  private final int aheadPages;
  private final WokenThread thread;

  /** The pages before this one need no touch any more. Written by the thread. */
  private volatile int next;

  /**
   * Begins with the first pages of the pool.
   *
   * @param pool closed after this
   */
  public TouchAhead(StorageEnv env, PagePool pool) {
    this.pool = pool;
    long most = MOST_AHEAD_BYTES / pool.pageBytes();
    this.aheadPages = (int) Math.max(1, Math.min(most, pool.pageCount() / AHEAD_PART));
    this.thread = new WokenThread(env, "loam-touch", "pages to be touched", this::run);
    pool.onGrowth(Math.max(1, aheadPages / STEPS), thread::wake);
    thread.wake();
  }

  /** The pages that were touched or used so far. */
  int touchedPages() {
    return next;
  }

  private void run() {
    while (next < pool.pageCount() && thread.await(Long.MAX_VALUE)) {
      boolean more = true;
      while (more && !thread.isClosing()) {
        more = touchNext();
      }
    }
  }

  /** Touches the next page; false if it is far enough ahead. */
  private boolean touchNext() {
    int used = pool.peakPages();
    int page = Math.max(next, used);
    if (page >= Math.min(pool.pageCount(), used + aheadPages)) {
      next = page;
      return false;
    }
    Mem.touch(pool.base() + (long) page * pool.pageBytes(), pool.pageBytes());
    next = page + 1;
    return true;
  }

  /** Ends the thread after the page that it is at. */
  @Override
  public void close() {
    thread.close();
  }
}
