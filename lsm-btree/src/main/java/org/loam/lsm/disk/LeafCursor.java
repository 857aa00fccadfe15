package org.loam.lsm.disk;

import org.loam.cache.BufferCache;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/**
 * Shows of each key of a table the newest version at or below a read LSN, in both directions. Pins
 * the leaf it is in, and no page when it is at no entry. Between {@link #pause} and {@link #resume}
 * it pins nothing and needs no table. One thread.
 *
 * <p>Entries are in order of keys and, within a key, from new to old; each older version is marked.
 * So going forward the first visible version of a key is the one, and the marked ones after it are
 * passed over; going backward the versions come old to new, and the last visible one is the one.
 */
public final class LeafCursor extends LeafEntry implements EntryCursor {
  private final SSTable table;
  private final BufferCache cache;
  private final int pageBytes;
  private final long readLsn;
  private final ReadIntent intent;
  private final boolean keepsLsns;
  private final IndexPath path;
  private final LeafWindow window;

  /** The number of the page that is pinned. */
  private int leafNo;

  private int count;
  private int at;

  LeafCursor(SSTable table, long readLsn, ReadIntent intent, Reach reach) {
    super(
        new EntryView(table.cache().pageBytes()), newKey(table, reach), table.meta().lsns().max());
    this.table = table;
    this.cache = table.cache();
    this.pageBytes = cache.pageBytes();
    this.readLsn = readLsn;
    this.intent = intent;
    this.keepsLsns = table.keepsLsns();
    this.path = new IndexPath(table);
    this.window = new LeafWindow(table, path, intent, reach);
  }

  private static KeyBuffer newKey(SSTable table, Reach reach) {
    int bytes = table.footer().maxKeyLength;
    return new KeyBuffer(bytes, reach.way().takeKeyBytes(bytes));
  }

  /**
   * Lets go of the page and of all memory, but not of the place. Only {@link #resume} and {@link
   * #close} may follow; the table may go meanwhile, and then only {@link #close}.
   */
  public void pause() {
    leave();
    key.close();
  }

  /**
   * Goes back to the entry at which it was paused.
   *
   * @param reach how far it is expected to go from there
   * @param forward whether it goes on forward
   */
  public void resume(Reach reach, boolean forward) {
    key = newKey(table, reach);
    window.begin(reach);
    enterPinned(window.pin(leafNo, forward), leafNo);
    entry.at(at);
    show();
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
    passNewer();
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
      passNewer();
    }
  }

  /** Goes back to before the newer versions of the key, which stand before this one. */
  private void passNewer() {
    while (entry.isOlderVersion()) {
      toNewer();
    }
    at--;
  }

  private void toNewer() {
    if (!stepBack()) {
      throw PageType.damaged(leaf, "an older version without a newer one");
    }
    entry.at(at);
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
      toNewer();
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

  /**
   * Moves to the neighbour in the leaf if that is shown and has its value there.
   *
   * @param bound address of a key that it must come before, in this direction; 0 if there is none
   */
  public boolean step(boolean forward, long bound, int boundLength) {
    requireEntry();
    int neighbour = forward ? at + 1 : at - 1;
    if (neighbour < 0 || neighbour >= count) {
      return false;
    }
    entry.at(neighbour);
    if (!entry.isPlain() || !isVisible()) {
      entry.at(at);
      return false;
    }
    key.show(entry);
    if (bound != 0 && !isBefore(bound, boundLength, forward)) {
      entry.at(at);
      key.show(entry);
      return false;
    }
    at = neighbour;
    return true;
  }

  private boolean isBefore(long other, int otherLength, boolean forward) {
    int order = Mem.compare(key.address(), key.length(), other, otherLength);
    return forward ? order < 0 : order > 0;
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
    enterPinned(window.pinAlone(pageNo), pageNo);
  }

  /** Enters a leaf from which the reader goes on to those behind it, or before it. */
  private void enterOnTheWay(int pageNo, boolean forward) {
    leave();
    enterPinned(window.pin(pageNo, forward), pageNo);
  }

  private void enterPinned(long page, int pageNo) {
    leaf = page;
    leafNo = pageNo;
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
    super.close();
  }
}
