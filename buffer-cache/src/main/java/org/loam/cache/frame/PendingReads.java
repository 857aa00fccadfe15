package org.loam.cache.frame;

import java.util.Arrays;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/**
 * The pages that are being read from disk, so that a page missed by many is read once. Striped by
 * page; each stripe's monitor guards it, is held to look and to publish, never during a read.
 */
final class PendingReads {
  private static final int STRIPES = 32;

  private final Stripe[] stripes = new Stripe[STRIPES];

  PendingReads(Waiter waiter) {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(waiter.newMonitor("page reads " + i));
    }
  }

  Stripe stripe(long hash) {
    return stripes[(int) (hash >>> 32) & (STRIPES - 1)];
  }

  /** Lets no read of a file that is under way put its page into the table. */
  void doom(int fileId) {
    for (Stripe stripe : stripes) {
      stripe.monitor.lock();
      try {
        stripe.doom(fileId);
      } finally {
        stripe.monitor.unlock();
      }
    }
  }

  /**
   * Some of the reads. All methods, but for the monitor, need the monitor held. The compiler does
   * not see that: the cache takes it through a variable, which no annotation here can name.
   */
  static final class Stripe {
    /** Marks an entry as doomed; page ids are positive. */
    private static final long DOOMED = Long.MIN_VALUE;

    private final Monitor monitor;
    private long[] pageIds = new long[4];
    private int count;

    private Stripe(Monitor monitor) {
      this.monitor = monitor;
    }

    Monitor monitor() {
      return monitor;
    }

    boolean contains(long pageId) {
      return indexOf(pageId) >= 0;
    }

    /** A read begins; the caller must {@link #remove} it, whatever comes of it. */
    void add(long pageId) {
      if (count == pageIds.length) {
        pageIds = Arrays.copyOf(pageIds, 2 * count);
      }
      pageIds[count++] = pageId;
    }

    /** A read ended, who waits for it wakes up; true if its file was purged meanwhile. */
    boolean remove(long pageId) {
      int index = indexOf(pageId);
      boolean doomed = pageIds[index] < 0;
      pageIds[index] = pageIds[--count];
      monitor.signalAll();
      return doomed;
    }

    private void doom(int fileId) {
      for (int i = 0; i < count; i++) {
        if ((pageIds[i] & ~DOOMED) >>> 32 == fileId) {
          pageIds[i] |= DOOMED;
        }
      }
    }

    private int indexOf(long pageId) {
      for (int i = 0; i < count; i++) {
        if ((pageIds[i] & ~DOOMED) == pageId) {
          return i;
        }
      }
      return -1;
    }
  }
}
