package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.mem.Mem;

/**
 * Collects the hashes of all keys of a file, because the size of the filter follows from their
 * number, and builds the filter at the end. One thread.
 */
final class FilterBuilder {
  private final int pageBytes;
  private final int bitsPerKey;
  private final long hashes;
  private long end;

  /**
   * @param hashes memory for the hashes, 8 bytes each; the caller minds its limit
   */
  FilterBuilder(int pageBytes, int bitsPerKey, long hashes) {
    this.pageBytes = pageBytes;
    this.bitsPerKey = bitsPerKey;
    this.hashes = hashes;
    this.end = hashes;
  }

  boolean isWanted() {
    return bitsPerKey > 0;
  }

  void add(long hash) {
    Mem.putLong(end, hash);
    end += Long.BYTES;
  }

  /** The address after the last hash. */
  long end() {
    return end;
  }

  int probes() {
    return isWanted() ? FilterBlock.probes(bitsPerKey) : 0;
  }

  /**
   * Writes the filter, as many pages at a time as the buffer of the output holds.
   *
   * @return the number of pages
   */
  int write(PageOutput output) {
    int pages = FilterBlock.pages((end - hashes) / Long.BYTES, bitsPerKey, pageBytes);
    int done = 0;
    while (done < pages) {
      if (output.freePages() == 0) {
        output.flush();
      }
      int some = Math.min(pages - done, output.freePages());
      writeSome(output, pages, done, some);
      done += some;
    }
    return pages;
  }

  private void writeSome(PageOutput output, int pages, int from, int some) {
    long first = output.open();
    for (int i = 1; i < some; i++) {
      output.open();
    }
    Mem.fill(first, (long) some * pageBytes, (byte) 0);
    int blocks = FilterBlock.blocksPerPage(pageBytes);
    int probes = probes();
    for (long at = hashes; at < end; at += Long.BYTES) {
      long hash = Mem.getLong(at);
      int page = FilterBlock.pageOf(hash, pages) - from;
      if (page >= 0 && page < some) {
        int offset = FilterBlock.offsetOf(hash, pages, blocks);
        FilterBlock.add(first + (long) page * pageBytes + offset, hash, probes);
      }
    }
    for (int i = 0; i < some; i++) {
      long page = first + (long) i * pageBytes;
      PageHeader.start(page, PageType.FILTER);
      output.seal(page);
    }
  }
}
