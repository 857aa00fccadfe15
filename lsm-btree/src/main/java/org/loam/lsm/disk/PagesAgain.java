package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.Mem;

/**
 * Reads pages of the file that is being written, one after the other, for the separators left of
 * them. All of these pages begin with an older version of one key. One thread.
 */
final class PagesAgain implements AutoCloseable {
  private final PageOutput output;
  private final int pageBytes;
  private final long page;
  private final EntryView entry;
  private final KeyBuffer key;
  private int type;
  private int pageNo;
  private long lsn;

  PagesAgain(PageOutput output, int pageBytes) {
    this.output = output;
    this.pageBytes = pageBytes;
    this.entry = new EntryView(pageBytes);
    this.key = new KeyBuffer(SSTableOptions.maxKeyBytes(pageBytes));
    this.page = Mem.allocate(pageBytes, StorageFiles.ALIGNMENT);
  }

  /**
   * Goes to the first page.
   *
   * @param type of all the pages, leaf or index
   * @param lsn the highest LSN that belongs to the page, if it is a leaf
   */
  void first(int type, int pageNo, long lsn) {
    this.type = type;
    this.pageNo = pageNo;
    read();
    this.lsn = type == PageType.INDEX ? entry.lsn() : lsn;
  }

  /** Goes to the next page of the type. */
  void next() {
    if (type == PageType.INDEX) {
      pageNo++;
      read();
      lsn = entry.lsn();
    } else {
      entry.at(entry.count() - 1);
      lsn = entry.lsn() - 1;
      pageNo = nextLeaf();
      read();
    }
  }

  /** The page after the overflow pages of the leaf. */
  private int nextLeaf() {
    if ((PageHeader.flags(page) & KeyedPage.HAS_OVERFLOW) != 0) {
      int payload = pageBytes - PageHeader.BYTES;
      for (int i = entry.count() - 1; i >= 0; i--) {
        entry.at(i);
        if (entry.isOverflow()) {
          return entry.firstOverflowPage() + (entry.valueLength() + payload - 1) / payload;
        }
      }
    }
    return pageNo + 1;
  }

  private void read() {
    output.read(pageNo, page);
    entry.enter(page, type);
    entry.at(0);
    key.enter(entry);
    key.show(entry);
  }

  int pageNo() {
    return pageNo;
  }

  /** The key that all pages begin with. */
  long key() {
    return key.address();
  }

  int keyLength() {
    return key.length();
  }

  /** The highest LSN that belongs to the page. */
  long lsn() {
    return lsn;
  }

  @Override
  public void close() {
    key.close();
    Mem.free(page);
  }
}
