package org.loam.lsm.disk;

import org.loam.common.mem.Mem;

/**
 * Off-heap memory where a cursor puts the parts of a key together. The page prefix is copied once
 * for each page. One thread.
 */
final class KeyBuffer implements AutoCloseable {
  private final int capacity;
  private long address;
  private int prefixLength;
  private int length;

  /**
   * @param capacity the longest key of the file
   */
  KeyBuffer(int capacity) {
    this.capacity = capacity;
    this.address = Mem.allocate(Math.max(1, capacity), Long.BYTES);
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
    if (address != 0) {
      Mem.free(address);
      address = 0;
    }
  }
}
