package org.loam.lsm.disk;

import org.loam.cache.BufferCache;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/**
 * Shows of each key the newest version at or below a read LSN, in both directions. Pins the leaf it
 * is in, and no page when it is at no entry. One thread.
 *
 * <p>Entries are in order of keys and, within a key, from new to old; each older version is marked.
 * So going forward the first visible version of a key is the one, and the marked ones after it are
 * passed over; going backward the versions come old to new, and the last visible one is the one.
 */
final class LeafCursor implements EntryCursor {
  private static final int MAX_AHEAD = 64;

  private final SSTable table;
  private final BufferCache cache;
  private final int pageBytes;
  private final long readLsn;
  private final ReadIntent intent;
  private final boolean keepsLsns;
  private final IndexPath path;
  private final EntryView entry;
  private final KeyBuffer key;

  /** The pinned leaf, 0 if none. */
  private long leaf;

  private int count;
  private int at;

  private final Reach reach;

  /** Leaves worth reading at once if the next one is missed. */
  private int ahead;

  /** Whether it has yet to ask for the leaves behind its way. */
  private boolean asks;

  /** Whether it has yet to lead the others of its scan, or to look where it is led. */
  private boolean joins = true;

  /** Leaves that were last expected once it went on further than expected before. */
  private int beyond = 1;

  LeafCursor(SSTable table, long readLsn, ReadIntent intent, Reach reach) {
    this.table = table;
    this.cache = table.cache();
    this.pageBytes = cache.pageBytes();
    this.readLsn = readLsn;
    this.intent = intent;
    this.reach = reach;
    this.ahead = reach.leaves();
    this.asks = reach.behind() > 0;
    this.keepsLsns = table.keepsLsns();
    this.path = new IndexPath(table);
    this.entry = new EntryView(pageBytes);
    this.key = new KeyBuffer(table.footer().maxKeyLength);
  }

  @Override
  public boolean first() {
    enterOnTheWay(path.first(), true);
    at = 0;
    return forward(false);
  }

  @Override
  public boolean last() {
    enterOnTheWay(path.last(), false);
    at = count - 1;
    return backward();
  }

  @Override
  public boolean ceiling(long keyAddress, int keyLength) {
    enterOnTheWay(path.to(keyAddress, keyLength, readLsn), true);
    at = lowerBound(keyAddress, keyLength, readLsn);
    return forward(false);
  }

  @Override
  public boolean lower(long keyAddress, int keyLength) {
    enterOnTheWay(path.to(keyAddress, keyLength, Long.MAX_VALUE), false);
    at = lowerBound(keyAddress, keyLength, Long.MAX_VALUE) - 1;
    return backward();
  }

  private int lowerBound(long keyAddress, int keyLength, long lsn) {
    int found = PageSearch.lowerBound(leaf, pageBytes, count, keyAddress, keyLength, lsn);
    return found < 0 ? ~found : found;
  }

  @Override
  public boolean next() {
    if (leaf == 0) {
      return false;
    }
    at++;
    return forward(true);
  }

  @Override
  public boolean previous() {
    if (leaf == 0) {
      return false;
    }
    // Newer versions of this key stand before it.
    while (entry.isOlderVersion()) {
      if (!stepBack()) {
        throw PageType.damaged(leaf, "an older version without a newer one");
      }
      entry.at(at);
    }
    at--;
    return backward();
  }

  /**
   * Stops at the first visible entry from here on.
   *
   * @param passOlder whether older versions of a key shown before come first
   */
  private boolean forward(boolean passOlder) {
    boolean passing = passOlder && keepsLsns;
    while (true) {
      if (at >= count) {
        int page = path.next();
        if (page == IndexPath.NONE) {
          return leave();
        }
        enterOnTheWay(page, true);
        at = 0;
      }
      entry.at(at);
      passing &= entry.isOlderVersion();
      if (!passing && isVisible()) {
        return show();
      }
      at++;
    }
  }

  /** Stops at the newest visible version of the last key, up to here, that has one. */
  private boolean backward() {
    while (true) {
      if (at < 0 && !stepBackToLeaf()) {
        return leave();
      }
      entry.at(at);
      if (isVisible()) {
        toNewestVisible();
        return show();
      }
      // The oldest version is too new, so all are.
      while (entry.isOlderVersion()) {
        if (!stepBack()) {
          throw PageType.damaged(leaf, "an older version without a newer one");
        }
        entry.at(at);
      }
      at--;
    }
  }

  private boolean show() {
    key.show(entry);
    if (entry.isOverflow()) {
      table.overflow().requireInside(entry);
    }
    return true;
  }

  private void toNewestVisible() {
    while (entry.isOlderVersion()) {
      if (!stepBack()) {
        throw PageType.damaged(leaf, "an older version without a newer one");
      }
      entry.at(at);
      if (!isVisible()) {
        stepOn();
        entry.at(at);
        return;
      }
    }
  }

  private boolean isVisible() {
    return !keepsLsns || entry.lsn() <= readLsn;
  }

  private boolean stepBack() {
    at--;
    return at >= 0 || stepBackToLeaf();
  }

  private boolean stepBackToLeaf() {
    int page = path.previous();
    if (page == IndexPath.NONE) {
      return false;
    }
    enterOnTheWay(page, false);
    at = count - 1;
    return true;
  }

  /** Undoes a {@link #stepBack}. */
  private void stepOn() {
    at++;
    if (at == count) {
      enter(path.next());
      at = 0;
    }
  }

  private void enter(int pageNo) {
    leave();
    enterPinned(cache.pin(table, pageNo, intent));
  }

  /** Enters a leaf from which the reader goes on to those behind it, or before it. */
  private void enterOnTheWay(int pageNo, boolean forward) {
    if (ahead == 1) {
      enter(pageNo);
    } else {
      leave();
      int beside = beside(forward, reach.way().end(), reach.way().endLength());
      if (joins) {
        joins = false;
        join(forward, beside);
      }
      int more = Math.min(ahead - 1, beside);
      int last = forward ? pageNo + more : pageNo - more;
      if (asks) {
        asks = false;
        int step = forward ? 1 : -1;
        table.askedAhead().ask(reach, last + step, step, beside - more);
      }
      enterPinned(cache.pinRun(table, pageNo, last, intent));
    }
    if (ahead > 1) {
      ahead--;
    } else {
      beyond = Math.min(2 * beyond, MAX_AHEAD);
      ahead = beyond;
    }
  }

  /** Leads to where the expected leaves end, or expects those up to where it is led. */
  private void join(boolean forward, int beside) {
    Way way = reach.way();
    if (reach.isLeader()) {
      if (ahead <= beside && !way.isLed()) {
        path.lead(way, forward ? ahead : 1 - ahead);
      }
    } else if (way.isLed()) {
      int more = beside(forward, way.lead(), way.leadLength());
      ahead = 1 + Math.min(more, MAX_AHEAD - 1);
    }
  }

  /** Leaves on the way up to a key, after the one that it comes to. */
  private int beside(boolean forward, long end, int endLength) {
    return forward ? path.following(end, endLength) : path.preceding(end, endLength);
  }

  private void enterPinned(long page) {
    leaf = page;
    try {
      entry.enter(page, PageType.LEAF);
      count = entry.count();
      key.enter(entry);
    } catch (Throwable t) {
      leave();
      throw t;
    }
  }

  /** Ends the pin; false, so that callers can say that there is no entry. */
  private boolean leave() {
    if (leaf != 0) {
      long page = leaf;
      leaf = 0;
      cache.unpin(page);
    }
    return false;
  }

  private void requireEntry() {
    if (leaf == 0) {
      throw new IllegalStateException("the cursor is not at an entry");
    }
  }

  @Override
  public long keyAddress() {
    requireEntry();
    return key.address();
  }

  @Override
  public int keyLength() {
    requireEntry();
    return key.length();
  }

  @Override
  public long lsn() {
    requireEntry();
    return keepsLsns ? entry.lsn() : table.meta().lsns().max();
  }

  @Override
  public byte kind() {
    requireEntry();
    return entry.kind();
  }

  @Override
  public int valueLength() {
    requireEntry();
    return entry.valueLength();
  }

  @Override
  public long valueAddress() {
    requireEntry();
    return entry.isOverflow() ? 0 : entry.value();
  }

  @Override
  public void copyValue(long target) {
    requireEntry();
    int length = entry.valueLength();
    if (entry.isOverflow()) {
      table.overflow().copy(entry, 0, length, target, intent);
    } else if (length > 0) {
      Mem.copy(entry.value(), target, length);
    }
  }

  @Override
  public void copyValue(int offset, int length, long target) {
    if (valueAddress() == 0) {
      table.overflow().copy(entry, offset, length, target, intent);
    } else {
      EntryCursor.super.copyValue(offset, length, target);
    }
  }

  @Override
  public void close() {
    leave();
    key.close();
  }
}
