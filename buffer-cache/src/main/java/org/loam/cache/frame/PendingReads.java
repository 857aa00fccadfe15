package org.loam.cache.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/**
 * The pages that are being read from disk, so that a page missed by many is read once. The thread
 * that announces a page, by {@link #await} or {@link #announce}, must {@link #publish} or {@link
 * #withdraw} it, whatever comes of the read. Thread-safe.
 *
 * <p>Striped by page; each stripe's monitor guards it, is held to look and to publish, never during
 * a read.
 */
final class PendingReads {
  private static final int NONE = PageTable.NONE;
  private static final int STRIPES = 32;

  private final FrameWords words;
  private final PageTable table;
  private final FrameSupply supply;
  private final Stripe[] stripes = new Stripe[STRIPES];

  PendingReads(Waiter waiter, FrameWords words, PageTable table, FrameSupply supply) {
    this.words = words;
    this.table = table;
    this.supply = supply;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(waiter.newMonitor("page reads " + i));
    }
  }

  /**
   * Pins a page that is listed, or that another thread is reading: then its frame is returned.
   * {@link PageTable#NONE} if the caller has to read it: it is announced then.
   */
  int await(long hash, long pageId, ReadIntent intent) {
    Stripe stripe = stripe(hash);
    stripe.monitor.lock();
    try {
      int frame = table.pinLocked(hash, pageId, intent);
      while (frame == NONE && stripe.contains(pageId)) {
        stripe.monitor.await();
        frame = table.pinLocked(hash, pageId, intent);
      }
      if (frame == NONE) {
        stripe.add(pageId);
      }
      return frame;
    } finally {
      stripe.monitor.unlock();
    }
  }

  /** Announces a page that is neither listed nor being read; false if it is. */
  boolean announce(long pageId) {
    long hash = PageTable.hash(pageId);
    Stripe stripe = stripe(hash);
    stripe.monitor.lock();
    try {
      if (stripe.contains(pageId) || table.isListed(hash, pageId)) {
        return false;
      }
      stripe.add(pageId);
      return true;
    } finally {
      stripe.monitor.unlock();
    }
  }

  /**
   * Ends a read: the page in a held frame is listed, unless its file was purged meanwhile.
   *
   * @param trial where the page goes on trial, null if it does not
   */
  void publish(int frame, long pageId, Use use, @Nullable TrialQueue trial) {
    long hash = PageTable.hash(pageId);
    Stripe stripe = stripe(hash);
    stripe.monitor.lock();
    try {
      if (stripe.remove(pageId)) {
        words.doom(frame, pageId);
      } else if (table.list(hash, frame, pageId, use) && trial != null) {
        supply.putOnTrial(trial, frame);
      }
    } finally {
      stripe.monitor.unlock();
    }
  }

  /** Ends a read that brought nothing: threads that wait for the page read it themselves. */
  void withdraw(long pageId) {
    Stripe stripe = stripe(PageTable.hash(pageId));
    stripe.monitor.lock();
    try {
      stripe.remove(pageId);
    } finally {
      stripe.monitor.unlock();
    }
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

  private Stripe stripe(long hash) {
    return stripes[(int) (hash >>> 32) & (STRIPES - 1)];
  }

  /** Some of the reads. */
  private static final class Stripe {
    /** Marks an entry as doomed; page ids are positive. */
    private static final long DOOMED = Long.MIN_VALUE;

    final Monitor monitor;

    @GuardedBy("monitor")
    private long[] pageIds = new long[4];

    @GuardedBy("monitor")
    private int count;

    private Stripe(Monitor monitor) {
      this.monitor = monitor;
    }

    @GuardedBy("monitor")
    boolean contains(long pageId) {
      return indexOf(pageId) >= 0;
    }

    /** A read begins; {@link #remove} ends it, whatever comes of it. */
    @GuardedBy("monitor")
    void add(long pageId) {
      if (count == pageIds.length) {
        pageIds = Arrays.copyOf(pageIds, 2 * count);
      }
      pageIds[count++] = pageId;
    }

    /**
     * A read ended, and threads that wait for it wake up; true if its file was purged meanwhile.
     */
    @GuardedBy("monitor")
    boolean remove(long pageId) {
      int index = indexOf(pageId);
      boolean doomed = pageIds[index] < 0;
      pageIds[index] = pageIds[--count];
      monitor.signalAll();
      return doomed;
    }

    @GuardedBy("monitor")
    void doom(int fileId) {
      for (int i = 0; i < count; i++) {
        if ((pageIds[i] & ~DOOMED) >>> 32 == fileId) {
          pageIds[i] |= DOOMED;
        }
      }
    }

    @GuardedBy("monitor")
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
