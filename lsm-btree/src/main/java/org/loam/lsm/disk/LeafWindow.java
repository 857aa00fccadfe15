package org.loam.lsm.disk;

import java.util.concurrent.atomic.AtomicInteger;
import org.loam.cache.BufferCache;
import org.loam.cache.ReadIntent;

/**
 * The window of a cursor: the leaves that it comes to next and that one request reads with the leaf
 * that it enters, as a stretch, if that one is missed. The window shrinks by each leaf that the
 * cursor enters. A cursor that goes on beyond it gets windows of two leaves, of four, and so on.
 * One thread.
 *
 * <p>{@link Reach} says how wide the first window is. A leader gives the others the key at which
 * its first window ends, and theirs end there. Behind the first window of a long scan other threads
 * read ahead.
 */
final class LeafWindow {
  private static final int MAX_LEAVES = 64;

  private final SSTable table;
  private final BufferCache cache;
  private final IndexPath path;
  private final ReadIntent intent;
  private Reach reach;

  /** Leaves of the window, with the one that is entered next. */
  private int leaves;

  /** Whether it has yet to have leaves read ahead behind the first window. */
  private boolean asks;

  /** Whether it has yet to lead the others of its scan, or to look where it is led. */
  private boolean joins;

  /** Leaves of the last window once the cursor went on further than expected. */
  private int beyond;

  LeafWindow(SSTable table, IndexPath path, ReadIntent intent, Reach reach) {
    this.table = table;
    this.cache = table.cache();
    this.path = path;
    this.intent = intent;
    this.reach = reach;
    begin(reach);
  }

  /**
   * Opens the first window of a cursor that is going to enter a leaf, for the first time or again.
   */
  void begin(Reach expected) {
    reach = expected;
    leaves = expected.leaves();
    asks = expected.behind() > 0;
    joins = true;
    beyond = 1;
  }

  /**
   * Pins a leaf, where the path is, and reads the window with it if it is missed.
   *
   * @param forward whether the cursor goes on to the leaves behind it, or to those before it
   * @return the address of the page
   */
  long pin(int pageNo, boolean forward) {
    long page;
    if (leaves == 1) {
      page = pinAlone(pageNo);
    } else {
      int beside = beside(forward, reach.way().end(), reach.way().endLength());
      if (joins) {
        joins = false;
        join(forward, beside);
      }
      int more = Math.min(leaves - 1, beside);
      int last = forward ? pageNo + more : pageNo - more;
      if (asks) {
        asks = false;
        int step = forward ? 1 : -1;
        readAhead(last + step, step, beside - more);
      }
      page = cache.pinStretch(table, pageNo, last, intent);
    }
    if (leaves > 1) {
      leaves--;
    } else {
      beyond = Math.min(2 * beyond, MAX_LEAVES);
      leaves = beyond;
    }
    return page;
  }

  /** Pins a leaf that the cursor comes back to; the window stays. */
  long pinAlone(int pageNo) {
    return cache.pin(table, pageNo, intent);
  }

  /** Leads to where the window ends, or lets the window end where it is led. */
  private void join(boolean forward, int beside) {
    Way way = reach.way();
    if (reach.isLeader()) {
      if (leaves <= beside && !way.isLed()) {
        path.lead(way, forward ? leaves : 1 - leaves);
      }
    } else if (way.isLed()) {
      int more = beside(forward, way.lead(), way.leadLength());
      leaves = 1 + Math.min(more, MAX_LEAVES - 1);
    }
  }

  /** Leaves on the way up to a key, after the one that it comes to. */
  private int beside(boolean forward, long end, int endLength) {
    return forward ? path.following(end, endLength) : path.preceding(end, endLength);
  }

  /**
   * Starts reading the leaves behind the window that are missing and that no scan asked for: once
   * they are at least half of what is to be read ahead, which makes a long request, or if the way
   * ends there.
   *
   * <p>Scans that go through a table together share the note of what was asked for, so that one
   * asks for all. Scans elsewhere in the table make each other ask again, which costs little: a
   * leaf that is there is not read.
   *
   * @param from the page of the nearest
   * @param step 1 if the way goes up, -1 if down
   * @param most how many leaves there are on the way
   */
  private void readAhead(int from, int step, int most) {
    AtomicInteger lastAsked = table.lastAskedPage();
    int count = Math.min(reach.behind(), most);
    int before = lastAsked.get();
    int asked = (before - from) * step + 1;
    int there = asked > 0 && asked <= count ? asked : 0;
    while (there < count && cache.isThere(table.fileId(), from + there * step)) {
      there++;
    }
    int half = Math.max(1, reach.behind() / 2);
    int wanted = most < reach.behind() ? count - there : (count - there) / half * half;
    int end = from + (there + wanted - 1) * step;
    if (wanted > 0 && lastAsked.compareAndSet(before, end)) {
      reach.readAhead().begin(table, from + there * step, end);
    }
  }
}
