package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.codec.Varint;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;

/**
 * Where the parts of one entry of a keyed page lie. Points into the page and is valid as long as
 * that is. Reused from entry to entry; one thread at a time.
 */
final class EntryView {
  private final int pageBytes;
  private long page;
  private int count;
  private int prefixLength;
  private int keyArea;

  /** The address of the first slot. */
  private long slots;

  private int meta;
  private long lsn;
  private long suffix;
  private int suffixLength;
  private long value;
  private int valueBytes;

  EntryView(int pageBytes) {
    this.pageBytes = pageBytes;
  }

  /** Turns to a page; no entry is shown yet. */
  void enter(long page, int type) {
    this.count = KeyedPage.open(page, pageBytes, type);
    this.page = page;
    this.prefixLength = PageHeader.prefixLength(page);
    this.keyArea = KeyedPage.keyArea(page, count);
    this.slots = KeyedPage.slots(page, count);
  }

  /** Shows entry {@code i} of the page. */
  void at(int i) {
    long slotAddress = slots + (long) i * KeyedPage.SLOT_BYTES;
    int slot = Mem.getInt(slotAddress);
    int keyOffset = KeyedPage.keyOffset(slot);
    int valueOffset = KeyedPage.valueOffset(slot);
    // A part ends where its neighbour begins.
    int keyEnd =
        i + 1 < count
            ? KeyedPage.keyOffset(Mem.getInt(slotAddress + KeyedPage.SLOT_BYTES))
            : KeyedPage.keyEnd(page, count, i);
    int valueEnd =
        i > 0 ? KeyedPage.valueOffset(Mem.getInt(slotAddress - KeyedPage.SLOT_BYTES)) : pageBytes;
    if (keyOffset < keyArea
        || keyOffset >= keyEnd
        || keyEnd > valueOffset
        || valueOffset > valueEnd
        || valueEnd > pageBytes) {
      throw damaged(i, keyOffset, keyEnd, valueOffset, valueEnd);
    }
    meta = Mem.getByte(page + keyOffset);
    suffix = page + keyOffset + 1;
    if ((meta & KeyedPage.HAS_LSN) != 0) {
      lsn = Varint.getLong(suffix, page + keyEnd);
      if (lsn < 0) {
        throw PageType.damaged(page, "entry " + i + ": LSN cut off");
      }
      suffix += Varint.size(lsn);
    } else {
      lsn = 0;
    }
    suffixLength = (int) (page + keyEnd - suffix);
    value = page + valueOffset;
    valueBytes = valueEnd - valueOffset;
    if ((meta & KeyedPage.OVERFLOW) != 0 && valueBytes != KeyedPage.OVERFLOW_BYTES) {
      throw PageType.damaged(page, "entry " + i + ": overflow pointer of " + valueBytes + " bytes");
    }
  }

  private RuntimeException damaged(int i, int key, int keyEnd, int value, int valueEnd) {
    String parts = "key " + key + ".." + keyEnd + ", value " + value + ".." + valueEnd;
    return PageType.damaged(page, "entry " + i + ": " + parts);
  }

  int count() {
    return count;
  }

  /** The address of the page. */
  long page() {
    return page;
  }

  long prefix() {
    return KeyedPage.prefix(page);
  }

  int prefixLength() {
    return prefixLength;
  }

  byte kind() {
    return (byte) (meta & KeyedPage.KIND_MASK);
  }

  /** The whole meta byte. */
  int meta() {
    return meta;
  }

  boolean hasLsn() {
    return (meta & KeyedPage.HAS_LSN) != 0;
  }

  boolean isOlderVersion() {
    return (meta & KeyedPage.OLDER_VERSION) != 0;
  }

  /** Whether it is a put with its value in the page, and the newest version of its key. */
  boolean isPlain() {
    return (meta & ~KeyedPage.HAS_LSN) == EntryKind.PUT;
  }

  boolean isOverflow() {
    return (meta & KeyedPage.OVERFLOW) != 0;
  }

  /** The entry's LSN; 0 if it has none. */
  long lsn() {
    return lsn;
  }

  /** The address of the key after the page prefix. */
  long suffix() {
    return suffix;
  }

  int suffixLength() {
    return suffixLength;
  }

  /** The address of the value part. */
  long value() {
    return value;
  }

  /** The length of the value, wherever it lies. */
  int valueLength() {
    return isOverflow() ? Mem.getInt(value + 4) : valueBytes;
  }

  /** The first page of the value; only if it lies in overflow pages. */
  int firstOverflowPage() {
    return Mem.getInt(value);
  }
}
