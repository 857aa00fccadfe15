package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.codec.Varint;
import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;

/**
 * Search in keyed pages. The order is that of the entries: keys ascending as unsigned bytes, of one
 * key the highest LSN first; an entry without an LSN stands before all versions of its key.
 *
 * <p>Heads decide, and only equal heads make the search look at keys. Leaves are often not in the
 * processor's cache, where guessing a branch starts the next load early; index pages are, where a
 * wrong guess costs more than the load. Hence one search with branches and one without.
 */
final class PageSearch {
  private PageSearch() {}

  /**
   * Finds the first entry of a leaf at or after a key and LSN.
   *
   * @return its index if it has exactly this key, else {@code ~index}; the index may be the count
   */
  static int lowerBound(long page, int pageBytes, int count, long key, int keyLength, long lsn) {
    int prefixLength = PageHeader.prefixLength(page);
    int side = comparePrefix(page, prefixLength, key, keyLength);
    if (side != 0) {
      return side < 0 ? ~0 : ~count;
    }
    long heads = KeyedPage.heads(page);
    long head = Heads.of(key, keyLength, prefixLength);
    long suffix = key + prefixLength;
    int suffixLength = keyLength - prefixLength;
    int low = 0;
    int high = count;
    int match = -1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long middleHead = headAt(heads, middle);
      if (middleHead < head) {
        low = middle + 1;
      } else if (middleHead > head) {
        high = middle;
      } else {
        int order = compareKey(page, pageBytes, count, middle, suffix, suffixLength);
        if (order < 0 || (order == 0 && lsnAt(page, count, middle, 0) > lsn)) {
          low = middle + 1;
        } else {
          high = middle;
          match = order == 0 ? middle : match;
        }
      }
    }
    return match == low ? low : ~low;
  }

  /** Finds the entry of an index page below which a key and LSN belong. */
  static int route(long page, int pageBytes, int count, long key, int keyLength, long lsn) {
    int prefixLength = PageHeader.prefixLength(page);
    int side = comparePrefix(page, prefixLength, key, keyLength);
    if (side != 0) {
      return side < 0 ? 0 : count - 1;
    }
    long heads = KeyedPage.heads(page);
    long head = Heads.of(key, keyLength, prefixLength);
    int low = firstHeadNotBelow(heads, count, head);
    if (low < count && headAt(heads, low) == head) {
      long suffix = key + prefixLength;
      int suffixLength = keyLength - prefixLength;
      int high = head == Long.MAX_VALUE ? count : firstHeadNotBelow(heads, count, head + 1);
      while (low < high) {
        int middle = (low + high) >>> 1;
        int order = compareKey(page, pageBytes, count, middle, suffix, suffixLength);
        if (order < 0 || (order == 0 && lsn <= lsnAt(page, count, middle, Long.MAX_VALUE))) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
    }
    return Math.max(low - 1, 0);
  }

  private static int firstHeadNotBelow(long heads, int count, long head) {
    int low = 0;
    int rest = count;
    while (rest > 0) {
      int half = (rest + 1) >>> 1;
      long middle = headAt(heads, low + half - 1);
      // All ones if middle < head, without a branch that the processor would have to guess.
      long difference = middle - head;
      long below = (difference ^ ((middle ^ head) & (difference ^ middle))) >> 63;
      low += half & (int) below;
      rest -= half;
    }
    return low;
  }

  private static long headAt(long heads, int i) {
    return Mem.getLong(heads + (long) i * Long.BYTES);
  }

  /** Negative if the key is before all keys with the page prefix, positive if after, else zero. */
  private static int comparePrefix(long page, int prefixLength, long key, int keyLength) {
    if (prefixLength == 0) {
      return 0;
    }
    int common = Math.min(prefixLength, keyLength);
    return Mem.compare(key, common, KeyedPage.prefix(page), prefixLength);
  }

  /** Compares the key of an entry with a key that has the page prefix and the same head. */
  private static int compareKey(
      long page, int pageBytes, int count, int i, long suffix, int suffixLength) {
    int end = KeyedPage.keyEnd(page, count, i);
    if (end > pageBytes) {
      throw PageType.damaged(page, "entry " + i + ": key ends at " + end);
    }
    int start = suffixOffset(page, count, i, end);
    int length = end - start;
    if (Math.min(length, suffixLength) <= Long.BYTES) {
      // With equal heads, what the shorter key lacks are zeros in the longer one.
      return length - suffixLength;
    }
    return Mem.compare(
        page + start + Long.BYTES,
        length - Long.BYTES,
        suffix + Long.BYTES,
        suffixLength - Long.BYTES);
  }

  private static int suffixOffset(long page, int count, int i, int end) {
    int offset = KeyedPage.keyOffset(KeyedPage.slot(page, count, i));
    if (offset < KeyedPage.keyArea(page, count) || offset >= end) {
      throw PageType.damaged(page, "entry " + i + ": key " + offset + ".." + end);
    }
    if ((Mem.getByte(page + offset) & KeyedPage.HAS_LSN) == 0) {
      return offset + 1;
    }
    return offset + 1 + Varint.size(lsnAt(page, count, i, 0));
  }

  /** The LSN of an entry whose key part is known to lie in the page. */
  private static long lsnAt(long page, int count, int i, long absent) {
    long keyPart = page + KeyedPage.keyOffset(KeyedPage.slot(page, count, i));
    if ((Mem.getByte(keyPart) & KeyedPage.HAS_LSN) == 0) {
      return absent;
    }
    long lsn = Varint.getLong(keyPart + 1, page + KeyedPage.keyEnd(page, count, i));
    if (lsn < 0) {
      throw PageType.damaged(page, "entry " + i + ": LSN cut off");
    }
    return lsn;
  }
}
