package org.loam.cache.frame;

import org.jspecify.annotations.Nullable;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.error.StorageIoException;

/**
 * Reads a stretch, neighbouring pages of a file, with one request: into a buffer first, and then
 * those that were not there into a frame each. Thread-safe.
 */
final class StretchReader {
  private static final int NONE = PageTable.NONE;

  /**
   * Pages that make the first page of a stretch one of many: with fewer, it costs almost a request
   * of its own.
   */
  private static final int MANY = 4;

  private final Frames frames;
  private final PageReader reader;
  private final PendingReads pending;
  private final ReadAheadBuffers buffers;
  private final CacheCounters counters;

  StretchReader(
      Frames frames,
      PageReader reader,
      PendingReads pending,
      ReadAheadBuffers buffers,
      CacheCounters counters) {
    this.frames = frames;
    this.reader = reader;
    this.pending = pending;
    this.buffers = buffers;
    this.counters = counters;
  }

  /** Reads an announced page, returned pinned, and those beside it that are not there yet. */
  int load(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    int pages = 1 + Math.abs(lastPageNo - pageNo);
    Use use = !intent.keeps() ? Use.ONCE : pages < MANY ? Use.NOW : Use.FIRST_OF_MANY;
    int buffer = pages > 1 ? buffers.take() : ReadAheadBuffers.NONE;
    if (buffer == ReadAheadBuffers.NONE) {
      return reader.load(source, pageNo, intent, use, 0);
    }
    return readThrough(source, pageNo, lastPageNo, intent, use, buffer);
  }

  /**
   * Reads those of the first of some pages that are not there, for a reader that comes to them.
   *
   * @return how far it got, in pages; 0 if no buffer is free
   */
  int readAhead(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    int buffer = buffers.takeAhead();
    if (buffer == ReadAheadBuffers.NONE) {
      return 0;
    }
    int pages = maxPages(buffer);
    readThrough(source, pageNo, lastPageNo, intent, null, buffer);
    return pages;
  }

  /** Gives the buffers back. */
  void close() {
    buffers.close();
  }

  /**
   * Reads pages in one request. Pages between them that are there are read again: that costs less
   * than a second request.
   *
   * <p>The nearest page is listed last. A thread that waits for it mostly goes on to the others, as
   * scans do that go through a tree together: waking it for each page costs more than reading them.
   *
   * @param use of the first page, which is announced and returned pinned; null to read it if it is
   *     not there, like the others
   * @param buffer given back
   */
  private int readThrough(
      PageSource source,
      int pageNo,
      int lastPageNo,
      ReadIntent intent,
      @Nullable Use use,
      int buffer) {
    boolean up = lastPageNo > pageNo;
    int limit = Math.min(1 + Math.abs(lastPageNo - pageNo), maxPages(buffer));
    int first = up ? pageNo : pageNo - limit + 1;
    long wanted = use == null ? 0 : 1L << (pageNo - first);
    // Bit i stands for page first + i: this thread has announced it and must end its read.
    long announced = wanted;
    try {
      for (int i = 0; i < limit; i++) {
        long bit = 1L << i;
        announced |=
            bit != wanted && pending.announce(PageTable.pageId(source.fileId(), first + i))
                ? bit
                : 0;
      }
      int from = first + Long.numberOfTrailingZeros(announced);
      int length = first + Long.SIZE - Long.numberOfLeadingZeros(announced) - from;
      long address = buffers.address(buffer);
      boolean read = announced != wanted && tryRead(source, from, length, address, intent.access());
      for (long left = read ? announced & ~wanted : 0; left != 0; ) {
        // If frames are short, the others make room for the nearest.
        long bit = up ? Long.highestOneBit(left) : Long.lowestOneBit(left);
        left &= ~bit;
        int ahead = first + Long.numberOfTrailingZeros(bit);
        long page = address + frames.pageOffset(ahead - from);
        if (PageHeader.isWhole(source, ahead, page, frames.pageBytes())) {
          Use later = intent.keeps() ? Use.SOON : Use.SOON_ONCE;
          if (!reader.copyIn(PageTable.pageId(source.fileId(), ahead), page, later)) {
            break;
          }
          // Before the observer, which may fail: the read has ended.
          announced &= ~bit;
          counters.missed(intent, PageTable.pageId(source.fileId(), ahead));
        }
      }
      long bytes = read ? address + frames.pageOffset(pageNo - from) : 0;
      announced &= ~wanted;
      return use == null ? NONE : reader.load(source, pageNo, intent, use, bytes);
    } finally {
      try {
        for (; announced != 0; announced &= announced - 1) {
          int i = Long.numberOfTrailingZeros(announced);
          pending.withdraw(PageTable.pageId(source.fileId(), first + i));
        }
      } finally {
        buffers.give(buffer);
      }
    }
  }

  /** False if the device refused; perhaps because of one page only, so its error is not told. */
  private boolean tryRead(
      PageSource source, int pageNo, int pages, long address, AccessClass access) {
    long began = counters.readBegins();
    try {
      source.file().read(frames.pageOffset(pageNo), address, pages * frames.pageBytes());
      counters.requested(access, began);
      return true;
    } catch (StorageIoException e) {
      return false;
    }
  }

  /** Pages that are read to a buffer at once: no more than there are bits in a word. */
  private int maxPages(int buffer) {
    return Math.min(Long.SIZE, frames.pagesIn(buffers.bytes(buffer)));
  }
}
