package org.loam.lsm.merge;

import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;

/** Remembers a key, to tell whether the next entry has another. */
final class LastKey {
  /** About what an entry takes on disk beside key and value. */
  private static final int ENTRY_OVERHEAD_BYTES = 16;

  private byte[] key = new byte[64];
  private int length = -1;

  /** Remembers the entry's key; false if it was that already. */
  boolean update(Entry entry) {
    int entryLength = entry.keyLength();
    long address = entry.keyAddress();
    if (entryLength == length && Mem.compare(key, 0, length, address, entryLength) == 0) {
      return false;
    }
    if (entryLength > key.length) {
      key = new byte[2 * entryLength];
    }
    Mem.copyOut(address, key, 0, entryLength);
    length = entryLength;
    return true;
  }

  static long sizeBytes(Entry entry) {
    return (long) ENTRY_OVERHEAD_BYTES + entry.keyLength() + entry.valueLength();
  }
}
