package org.loam.cache.frame;

import org.loam.common.mem.PagePool;

/** The frames of a pool: where each of them is, and which one is at an address. */
final class Frames {
  private final long base;
  private final long bytes;
  private final int pageBytes;
  private final int pageShift;
  private final int count;

  Frames(PagePool pool) {
    this.base = pool.base();
    this.pageBytes = pool.pageBytes();
    this.pageShift = Integer.numberOfTrailingZeros(pageBytes);
    this.count = pool.pageCount();
    this.bytes = (long) count << pageShift;
  }

  int count() {
    return count;
  }

  /** Bytes of a frame and of a page. */
  int pageBytes() {
    return pageBytes;
  }

  long address(int frame) {
    return base + pageOffset(frame);
  }

  /**
   * The frame that begins at an address.
   *
   * @throws AssertionError if none does
   */
  int at(long address) {
    long offset = address - base;
    if (offset < 0 || offset >= bytes || (offset & (pageBytes - 1)) != 0) {
      throw new AssertionError("not the address of a frame: 0x" + Long.toHexString(address));
    }
    return (int) (offset >>> pageShift);
  }

  /** Where a page begins in its file, or among pages that lie one behind the other in memory. */
  long pageOffset(int pageNo) {
    return (long) pageNo << pageShift;
  }

  /** As many whole pages as fit into some bytes. */
  int pagesIn(int bytes) {
    return bytes >>> pageShift;
  }
}
