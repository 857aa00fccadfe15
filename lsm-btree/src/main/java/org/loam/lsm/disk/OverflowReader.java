package org.loam.lsm.disk;

import java.util.Objects;
import org.loam.cache.BufferCache;
import org.loam.cache.PageHeader;
import org.loam.cache.ReadIntent;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;

/** Copies values out of overflow pages. Thread-safe. */
final class OverflowReader {
  /** Longer values are read past the cache: one of them would evict what many others need. */
  static final int BYPASS_BYTES = Entry.LARGE_VALUE_BYTES;

  private final SSTable table;
  private final BufferCache cache;
  private final int pageBytes;
  private final int payload;

  /** What one read has: {@link #BYPASS_BYTES} of a value, wherever in a page they begin. */
  private final int chunkPages;

  OverflowReader(SSTable table) {
    this.table = table;
    this.cache = table.cache();
    this.pageBytes = cache.pageBytes();
    this.payload = pageBytes - PageHeader.BYTES;
    this.chunkPages = BYPASS_BYTES / payload + 2;
  }

  /** Fails unless an entry's pointer names pages of this file. */
  void requireInside(EntryView entry) {
    int length = entry.valueLength();
    int first = entry.firstOverflowPage();
    long pages = ((long) length + payload - 1) / payload;
    if (length <= 0 || first <= 0 || first + pages > table.footer().dataPages()) {
      throw PageType.damaged(
          entry.page(), "value of " + length + " bytes in overflow pages from " + first);
    }
  }

  /** The overflow page that holds a byte of a value. */
  int pageOf(int firstPage, int offset) {
    return firstPage + offset / payload;
  }

  /**
   * Copies part of the value of an entry.
   *
   * @param intent what the value is read for
   */
  void copy(EntryView entry, int offset, int length, long target, ReadIntent intent) {
    int valueLength = entry.valueLength();
    Objects.checkFromIndexSize(offset, length, valueLength);
    if (valueLength > BYPASS_BYTES) {
      copyPastCache(entry.firstOverflowPage(), offset, length, target);
      return;
    }
    int done = 0;
    while (done < length) {
      int pageNo = pageOf(entry.firstOverflowPage(), offset + done);
      long page = cache.pin(table, pageNo, intent);
      try {
        done += copyPart(page, offset + done, length - done, target + done);
      } finally {
        cache.unpin(page);
      }
    }
  }

  /** Copies what one page has of the wanted bytes; returns how many. */
  int copyPart(long page, int offset, int length, long target) {
    PageType.require(page, PageType.OVERFLOW);
    int skip = offset % payload;
    int some = Math.min(payload - skip, length);
    if (PageHeader.freeBytes(page) > payload - skip - some) {
      throw PageType.damaged(page, "ends before byte " + (skip + some) + " of the value");
    }
    Mem.copy(page + PageHeader.BYTES + skip, target, some);
    return some;
  }

  private void copyPastCache(int firstPage, int offset, int length, long target) {
    long chunk = Mem.allocate((long) chunkPages * pageBytes, StorageFiles.ALIGNMENT);
    try {
      int done = 0;
      while (done < length) {
        int from = pageOf(firstPage, offset + done);
        int last = pageOf(firstPage, offset + length - 1);
        int pages = Math.min(last - from + 1, chunkPages);
        cache.readPast(table, from, pages, chunk);
        for (int i = 0; i < pages; i++) {
          long page = chunk + (long) i * pageBytes;
          done += copyPart(page, offset + done, length - done, target + done);
        }
      }
    } finally {
      Mem.free(chunk);
    }
  }
}
