package org.loam.lsm.disk;

import java.util.Objects;
import org.loam.cache.ChunkReader;
import org.loam.cache.PageHeader;
import org.loam.common.mem.Mem;

/**
 * Shows every version in the order of the file, reading it front to back in large chunks past the
 * cache: a leaf, then the overflow pages of its entries, then the next leaf. One thread.
 */
public final class VersionCursor extends LeafEntry {
  private final SSTable table;
  private final ChunkReader reader;
  private final int pageBytes;

  /** Where a leaf stays while its overflow pages pass through the reader's buffer; 0 if none do. */
  private long leafCopy;

  /** The page that the reader returned last, and its number. */
  private long page;

  private int pageNo = -1;
  private boolean leafIsWarm;
  private int at;

  /**
   * A cursor over all versions of a table, forward only; not at an entry yet.
   *
   * @param reader of the same page size; lent until the cursor is closed
   */
  public VersionCursor(SSTable table, ChunkReader reader) {
    super(new EntryView(table.cache().pageBytes()), newKey(table), table.meta().lsns().max());
    this.table = table;
    this.reader = reader;
    this.pageBytes = table.cache().pageBytes();
    if (table.footer().overflowPages > 0) {
      this.leafCopy = Mem.allocate(pageBytes, Long.BYTES);
    }
  }

  /** For keys of a table, which must be open. */
  private static KeyBuffer newKey(SSTable table) {
    table.bounds();
    return new KeyBuffer(table.footer().maxKeyLength);
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
    if (leaf == 0) {
      return false;
    }
    at++;
    if (at == entry.count()) {
      return nextLeaf();
    }
    show();
    return true;
  }

  private void show() {
    entry.at(at);
    key.show(entry);
    if (entry.isOverflow()) {
      table.overflow().requireInside(entry);
    }
  }

  /** Goes to the next leaf, past overflow pages that the reader did not ask for. */
  private boolean nextLeaf() {
    leaf = 0;
    do {
      if (!turn()) {
        return false;
      }
    } while (PageHeader.type(page) == PageType.OVERFLOW);
    leafIsWarm = table.cache().isWarm(table.fileId(), pageNo);
    long entered = page;
    if ((PageHeader.flags(page) & KeyedPage.HAS_OVERFLOW) != 0) {
      if (leafCopy == 0) {
        throw PageType.damaged(page, "points to overflow pages, of which the file has none");
      }
      Mem.copy(page, leafCopy, pageBytes);
      entered = leafCopy;
    }
    entry.enter(entered, PageType.LEAF);
    key.enter(entry);
    at = 0;
    show();
    leaf = entered;
    return true;
  }

  private void open(int from) {
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
    }
    while (pageNo < wanted) {
      if (!turn()) {
        throw new AssertionError("page " + wanted + " is not among the data pages");
      }
    }
  }

  @Override
  public boolean isWarm() {
    return leafIsWarm;
  }

  @Override
  public void close() {
    leaf = 0;
    super.close();
    if (leafCopy != 0) {
      Mem.free(leafCopy);
      leafCopy = 0;
    }
  }
}
