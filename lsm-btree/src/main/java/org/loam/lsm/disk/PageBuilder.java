package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.codec.Varint;
import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;

/**
 * Builds one {@link KeyedPage} after another. Value parts go straight to their final place, growing
 * down from the page end. The page prefix is known only when the last key is, so keys wait aside
 * until then, each without the prefix that the page had when it came: a prefix only gets shorter,
 * and what it loses can be had again from the first key. So the waiting keys never take more than a
 * page. One thread.
 */
final class PageBuilder {
  private final int pageBytes;
  private final long firstKey;
  private final long waiting;
  private final int[] waitingEnd;
  private final int[] prefixThen;
  private final byte[] metas;
  private final long[] lsns;
  private final char[] valueOffsets;

  private long page;
  private int count;
  private int prefixLength;
  private int keyBytes;
  private int metaBytes;
  private int valueTop;
  private long maxLsn;

  /** Bytes of the memory that a builder needs. */
  static int memoryBytes(int pageBytes) {
    return pageBytes + pageBytes / 4;
  }

  /**
   * @param memory {@link #memoryBytes} bytes that the builder may use as long as it lives
   */
  PageBuilder(int pageBytes, long memory) {
    this.pageBytes = pageBytes;
    this.waiting = memory;
    this.firstKey = memory + pageBytes;
    int most = (pageBytes - KeyedPage.PREFIX_OFFSET) / (KeyedPage.ENTRY_BYTES + 1);
    this.waitingEnd = new int[most];
    this.prefixThen = new int[most];
    this.metas = new byte[most];
    this.lsns = new long[most];
    this.valueOffsets = new char[most];
  }

  int pageBytes() {
    return pageBytes;
  }

  /** Starts a page in the given memory. */
  void begin(long page) {
    this.page = page;
    count = 0;
    prefixLength = 0;
    keyBytes = 0;
    metaBytes = 0;
    valueTop = pageBytes;
    maxLsn = 0;
  }

  int count() {
    return count;
  }

  /**
   * Whether the page has room for one more entry.
   *
   * @param common bytes that the key has in common with the key before, if there is one
   */
  boolean fits(int keyLength, int common, int meta, long lsn, int valueBytes) {
    int newCount = count + 1;
    int prefix = count == 0 ? keyLength : Math.min(prefixLength, common);
    int size =
        KeyedPage.headsOffset(prefix)
            + newCount * KeyedPage.ENTRY_BYTES
            + (keyBytes + keyLength - newCount * prefix)
            + (metaBytes + metaBytes(meta, lsn))
            + (pageBytes - valueTop + valueBytes);
    return size <= pageBytes;
  }

  private static int metaBytes(int meta, long lsn) {
    return (meta & KeyedPage.HAS_LSN) == 0 ? 1 : 1 + Varint.size(lsn);
  }

  /**
   * Adds an entry that {@link #fits}.
   *
   * @param lsn kept with the entry if {@code meta} says so; counts for the page header in any case
   * @return the address for its value part
   */
  long add(long key, int keyLength, int common, int meta, long lsn, int valueBytes) {
    if (count == 0) {
      KeyBytes.copy(key, firstKey, keyLength);
      prefixLength = keyLength;
    } else {
      prefixLength = Math.min(prefixLength, common);
    }
    int start = count == 0 ? 0 : waitingEnd[count - 1];
    int length = keyLength - prefixLength;
    KeyBytes.copy(key + prefixLength, waiting + start, length);
    waitingEnd[count] = start + length;
    prefixThen[count] = prefixLength;
    metas[count] = (byte) meta;
    lsns[count] = lsn;
    valueTop -= valueBytes;
    valueOffsets[count] = (char) valueTop;
    keyBytes += keyLength;
    metaBytes += metaBytes(meta, lsn);
    maxLsn = Math.max(maxLsn, lsn);
    count++;
    return page + valueTop;
  }

  /** The largest LSN of the page. */
  long maxLsn() {
    return maxLsn;
  }

  /** Lays out the keys and fills the header, all but what sealing fills. */
  void finish(int type, int flags) {
    long heads = page + KeyedPage.headsOffset(prefixLength);
    long slots = heads + (long) count * Long.BYTES;
    long at = slots + (long) count * KeyedPage.SLOT_BYTES;
    // The last word of the prefix is padded with zeros.
    Mem.putLong(heads - Long.BYTES, 0);
    KeyBytes.copy(firstKey, KeyedPage.prefix(page), prefixLength);
    int waitingStart = 0;
    for (int i = 0; i < count; i++) {
      Mem.putInt(
          slots + (long) i * KeyedPage.SLOT_BYTES, (int) (at - page) | valueOffsets[i] << 16);
      Mem.putByte(at++, metas[i]);
      if ((metas[i] & KeyedPage.HAS_LSN) != 0) {
        at = Varint.put(at, lsns[i]);
      }
      int again = prefixThen[i] - prefixLength;
      int waited = waitingEnd[i] - waitingStart;
      KeyBytes.copy(firstKey + prefixLength, at, again);
      KeyBytes.copy(waiting + waitingStart, at + again, waited);
      Mem.putLong(heads + (long) i * Long.BYTES, Heads.of(at, again + waited));
      waitingStart = waitingEnd[i];
      at += again + waited;
    }
    int freeBytes = (int) (page + valueTop - at);
    if (freeBytes < 0) {
      throw new AssertionError("page of " + pageBytes + " bytes overfull by " + -freeBytes);
    }
    if (freeBytes > 0) {
      Mem.fill(at, freeBytes, (byte) 0);
    }
    PageHeader.start(page, type);
    PageHeader.setCount(page, count);
    PageHeader.setPrefixLength(page, prefixLength);
    PageHeader.setFlags(page, flags);
    PageHeader.setFreeBytes(page, freeBytes);
    PageHeader.setMaxLsn(page, maxLsn);
  }
}
