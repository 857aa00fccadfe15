package org.loam.lsm.disk;

import org.loam.common.mem.Mem;

/**
 * Off-heap memory where a cursor puts the parts of a key together. The page prefix is copied once
 * for each page. One thread.
 */
final class KeyBuffer implements AutoCloseable {
  private final int capacity;

  /** Whether the memory is its own. */
  private final boolean isOwner;

  private long address;
  private int prefixLength;
  private int length;

  /** A buffer with memory of its own for keys up to the longest of the file. */
  KeyBuffer(int capacity) {
    this(capacity, 0);
  }

  /**
   * @param capacity the longest key of the file
   * @param lent address of so many bytes, readable and writable until this is closed; 0 for memory
   *     of its own
   */
  KeyBuffer(int capacity, long lent) {
    this.capacity = capacity;
    this.isOwner = lent == 0;
    this.address = isOwner ? Mem.allocate(Math.max(1, capacity), Long.BYTES) : lent;
  }

  /** Takes the page prefix. */
  void enter(EntryView entry) {
    prefixLength = entry.prefixLength();
    requireRoom(entry, prefixLength);
    KeyBytes.copy(entry.prefix(), address, prefixLength);
  }

  /** Takes the key of an entry of that page. */
  void show(EntryView entry) {
    int suffixLength = entry.suffixLength();
    length = prefixLength + suffixLength;
    requireRoom(entry, length);
    KeyBytes.copy(entry.suffix(), address + prefixLength, suffixLength);
  }

  private void requireRoom(EntryView entry, int bytes) {
    if (bytes > capacity) {
      throw PageType.damaged(
          entry.page(), "key of " + bytes + " bytes, the longest of the file has " + capacity);
    }
  }

  long address() {
    return address;
  }

  int length() {
    return length;
  }

  @Override
  public void close() {
    if (isOwner && address != 0) {
      Mem.free(address);
    }
    address = 0;
  }
}
