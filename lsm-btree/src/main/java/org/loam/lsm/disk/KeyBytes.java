package org.loam.lsm.disk;

import org.loam.common.mem.Mem;

/** Small steps on keys and parts of keys, which are too short for a bulk copy to pay. */
final class KeyBytes {
  private static final int BULK_BYTES = 64;

  private KeyBytes() {}

  /** Copies bytes that do not overlap; for none, the addresses may be anything. */
  static void copy(long from, long to, int bytes) {
    if (bytes > BULK_BYTES) {
      Mem.copy(from, to, bytes);
    } else if (bytes >= Long.BYTES) {
      int last = bytes - Long.BYTES;
      for (int i = 0; i < last; i += Long.BYTES) {
        Mem.putLong(to + i, Mem.getLong(from + i));
      }
      // The last word may cover bytes copied already; that saves a loop over single bytes.
      Mem.putLong(to + last, Mem.getLong(from + last));
    } else {
      for (int i = 0; i < bytes; i++) {
        Mem.putByte(to + i, Mem.getByte(from + i));
      }
    }
  }

  /** A copy on the heap. */
  static byte[] toArray(long key, int keyLength) {
    byte[] bytes = new byte[keyLength];
    if (keyLength > 0) {
      Mem.copyOut(key, bytes, 0, keyLength);
    }
    return bytes;
  }
}
