package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.mem.Mem;

/**
 * Leaf and index pages, version 1: entries in key order, and of a key the newest version first.
 * Integers are little-endian, offsets and sizes in bytes; n is the header's count, at least 1.
 *
 * <pre>
 *      offset  size  field
 *           0    32  page header: count n, prefixLength p, freeBytes f, maxLsn, flags
 *          32     p  page prefix, which begins every key of the page
 *        32+p        zeros up to q, the next multiple of 8
 *           q   8*n  heads: 8 bytes of each key after the page prefix, see KeyBytes.head
 *       q+8*n   4*n  slots: u16 offset of the entry's key part, u16 offset of its value part
 *      q+12*n        key parts in key order: u8 meta | varint lsn, if meta says so | key suffix
 *                 f  zeros
 *                    value parts in reverse key order, the first ending at the page end
 * </pre>
 *
 * <p>A part ends where its neighbour begins, so no length is stored: the key part of the last entry
 * ends f bytes before the value part of the last entry. The value part of a leaf entry is the
 * value, or, with {@link #OVERFLOW}, u32 first page and u32 value length; that of an index entry is
 * the u32 number of the child page.
 *
 * <p>Keys and values lie apart because the page prefix is known only when the page is full, while
 * values go straight to their place; and because a search then stays within few cache lines.
 *
 * <p>Every offset is checked before use: no page content makes a reader look outside of the page.
 */
final class KeyedPage {
  static final int PREFIX_OFFSET = PageHeader.BYTES;
  static final int SLOT_BYTES = 4;

  /** Bytes that an entry takes beside its key part and its value part. */
  static final int ENTRY_BYTES = Long.BYTES + SLOT_BYTES;

  /** Bytes of the value part of an index entry. */
  static final int CHILD_BYTES = 4;

  /** Bytes of the value part of a leaf entry whose value lies in overflow pages. */
  static final int OVERFLOW_BYTES = 8;

  /** Bits of the meta byte that hold the {@link org.loam.common.key.EntryKind}. */
  static final int KIND_MASK = 0x0f;

  /** Meta bit: the LSN follows. */
  static final int HAS_LSN = 0x10;

  /** Meta bit: an older version of the key of the entry before, which may be in another page. */
  static final int OLDER_VERSION = 0x20;

  /** Meta bit: the value lies in overflow pages. */
  static final int OVERFLOW = 0x40;

  /** Header flag: some value of this leaf lies in overflow pages. */
  static final int HAS_OVERFLOW = 1;

  private KeyedPage() {}

  /** The longest key that a page of the given size can take, in bytes. */
  static int maxKeyBytes(int pageBytes) {
    return pageBytes / 4;
  }

  /**
   * Checks what all other methods rely on.
   *
   * @return the number of entries
   */
  static int open(long page, int pageBytes, int type) {
    PageType.require(page, type);
    int count = PageHeader.count(page);
    if (count == 0 || keyArea(page, count) > pageBytes) {
      throw PageType.damaged(page, count + " entries, prefix " + PageHeader.prefixLength(page));
    }
    return count;
  }

  /** The address of the page prefix; most often in one cache line with the header. */
  static long prefix(long page) {
    return page + PREFIX_OFFSET;
  }

  /** The offset of the heads after a page prefix. */
  static int headsOffset(int prefixLength) {
    return (PREFIX_OFFSET + prefixLength + Long.BYTES - 1) & -Long.BYTES;
  }

  /** The address of the heads. */
  static long heads(long page) {
    return page + headsOffset(PageHeader.prefixLength(page));
  }

  /** The offset of the first key part. */
  static int keyArea(long page, int count) {
    return headsOffset(PageHeader.prefixLength(page)) + count * ENTRY_BYTES;
  }

  /** The slot of entry {@code i}: the key offset in the lower half, the value offset above. */
  static int slot(long page, int count, int i) {
    return Mem.getInt(slots(page, count) + (long) i * SLOT_BYTES);
  }

  /** The address of the slots. */
  static long slots(long page, int count) {
    return heads(page) + (long) count * Long.BYTES;
  }

  static int keyOffset(int slot) {
    return slot & 0xffff;
  }

  static int valueOffset(int slot) {
    return slot >>> 16;
  }

  /** The offset at which the key part of entry {@code i} ends. */
  static int keyEnd(long page, int count, int i) {
    return i + 1 < count
        ? keyOffset(slot(page, count, i + 1))
        : valueOffset(slot(page, count, i)) - PageHeader.freeBytes(page);
  }

  /** The child page of entry {@code i} of an index page. */
  static int child(long page, int count, int pageBytes, int i) {
    int offset = valueOffset(slot(page, count, i));
    if (offset < keyArea(page, count) || offset + CHILD_BYTES > pageBytes) {
      throw PageType.damaged(page, "entry " + i + ": child at " + offset);
    }
    return Mem.getInt(page + offset);
  }
}
