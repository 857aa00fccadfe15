package org.loam.lsm.disk;

import java.util.Objects;
import org.loam.cache.ChunkReader;
import org.loam.cache.PageHeader;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;

/**
 * Shows every version in the order of the file, reading it front to back in large chunks past the
 * cache: a leaf, then the overflow pages of its entries, then the next leaf. One thread.
 */
public final class VersionCursor implements Entry, AutoCloseable {
  private final SSTable table;
  private final ChunkReader reader;
  private final int pageBytes;
  private final EntryView entry;
  private final KeyBuffer key;

  /** Where a leaf stays while its overflow pages pass through the reader's buffer; 0 if none do. */
  private long leafCopy;

  /** The page that the reader returned last, and its number. */
  private long page;

  private int pageNo = -1;
  private boolean leafIsWarm;
  private boolean atEntry;
  private int at;

  /**
   * A cursor over all versions of a table, forward only; not at an entry yet.
   *
   * @param reader of the same page size; lent until the cursor is closed
   */
  public VersionCursor(SSTable table, ChunkReader reader) {
    table.bounds();
    this.table = table;
    this.reader = reader;
    this.pageBytes = table.cache().pageBytes();
    this.entry = new EntryView(pageBytes);
    this.key = new KeyBuffer(table.footer().maxKeyLength);
    if (table.footer().overflowPages > 0) {
      this.leafCopy = Mem.allocate(pageBytes, Long.BYTES);
    }
  }

  /** Moves to the first entry; false if there is none. */
  public boolean first() {
    open(0);
    return nextLeaf();
  }

  /** Moves to the first entry with a key at or after the given one; false if there is none. */
  public boolean ceiling(long keyAddress, int keyLength) {
    open(new IndexPath(table).to(keyAddress, keyLength, Long.MAX_VALUE));
    if (!nextLeaf()) {
      return false;
    }
    int found =
        PageSearch.lowerBound(
            entry.page(), pageBytes, entry.count(), keyAddress, keyLength, Long.MAX_VALUE);
    at = (found < 0 ? ~found : found) - 1;
    return next();
  }

  /** Moves on; false, and no longer at an entry, past the end. */
  public boolean next() {
    if (!atEntry) {
      return false;
    }
    at++;
    return at < entry.count() ? show() : nextLeaf();
  }

  private boolean show() {
    entry.at(at);
    key.show(entry);
    if (entry.isOverflow()) {
      table.overflow().requireInside(entry);
    }
    atEntry = true;
    return true;
  }

  /** Goes to the next leaf, past overflow pages that the reader did not ask for. */
  private boolean nextLeaf() {
    atEntry = false;
    do {
      if (!turn()) {
        return false;
      }
    } while (PageHeader.type(page) == PageType.OVERFLOW);
    leafIsWarm = table.cache().isWarm(table.fileId(), pageNo);
    long leaf = page;
    if ((PageHeader.flags(page) & KeyedPage.HAS_OVERFLOW) != 0) {
      if (leafCopy == 0) {
        throw PageType.damaged(page, "points to overflow pages, of which the file has none");
      }
      Mem.copy(page, leafCopy, pageBytes);
      leaf = leafCopy;
    }
    entry.enter(leaf, PageType.LEAF);
    key.enter(entry);
    at = 0;
    return show();
  }

  private void open(int from) {
    atEntry = false;
    reader.open(table, from, table.footer().dataPages());
    pageNo = from - 1;
    page = 0;
  }

  private boolean turn() {
    page = reader.next();
    pageNo++;
    return page != 0;
  }

  @Override
  public void copyValue(long target) {
    copyValue(0, valueLength(), target);
  }

  @Override
  public void copyValue(int offset, int length, long target) {
    long address = valueAddress();
    if (address != 0) {
      Objects.checkFromIndexSize(offset, length, entry.valueLength());
      if (length > 0) {
        Mem.copy(address + offset, target, length);
      }
      return;
    }
    OverflowReader overflow = table.overflow();
    Objects.checkFromIndexSize(offset, length, entry.valueLength());
    int done = 0;
    while (done < length) {
      turnTo(overflow.pageOf(entry.firstOverflowPage(), offset + done));
      done += overflow.copyPart(page, offset + done, length - done, target + done);
    }
  }

  /** Moves to a page; ahead by reading on, back by starting over from there. */
  private void turnTo(int wanted) {
    if (wanted < pageNo) {
      open(wanted);
      atEntry = true;
    }
    while (pageNo < wanted) {
      if (!turn()) {
        throw new AssertionError("page " + wanted + " is not among the data pages");
      }
    }
  }

  private void requireEntry() {
    if (!atEntry) {
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
    return entry.hasLsn() ? entry.lsn() : table.meta().lsns().max();
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
  public boolean isWarm() {
    return leafIsWarm;
  }

  @Override
  public void close() {
    atEntry = false;
    key.close();
    if (leafCopy != 0) {
      Mem.free(leafCopy);
      leafCopy = 0;
    }
  }
}
