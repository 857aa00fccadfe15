package org.loam.lsm.disk;

import org.loam.common.mem.Mem;

/** Small steps on keys and parts of keys, which are too short for a bulk copy to pay. */
final class KeyBytes {
  private static final int BULK_BYTES = 64;

  private KeyBytes() {}

  /**
   * The head of what follows the first {@code from} bytes of a key: its next 8 bytes as a
   * big-endian number, zeros where the key ends, the sign bit flipped, so that the signed order of
   * heads is the order of the bytes. Reads no byte outside of the key.
   */
  static long head(long key, int keyLength, int from) {
    int length = keyLength - from;
    if (length >= Long.BYTES) {
      return Mem.getLongBigEndian(key + from) ^ Long.MIN_VALUE;
    }
    if (length <= 0) {
      return Long.MIN_VALUE;
    }
    int missing = Long.BYTES - length;
    if (keyLength >= Long.BYTES) {
      long last = Mem.getLongBigEndian(key + keyLength - Long.BYTES);
      return (last << (missing * Byte.SIZE)) ^ Long.MIN_VALUE;
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      head = (head << Byte.SIZE) | (Mem.getByte(key + from + i) & 0xff);
    }
    return (head << (missing * Byte.SIZE)) ^ Long.MIN_VALUE;
  }

  /** The number of leading bytes that two keys have in common. */
  static int commonPrefix(long a, int aLength, long b, int bLength) {
    int most = Math.min(aLength, bLength);
    int i = 0;
    for (; i + Long.BYTES <= most; i += Long.BYTES) {
      long difference = Mem.getLong(a + i) ^ Mem.getLong(b + i);
      if (difference != 0) {
        return i + (Long.numberOfTrailingZeros(difference) >>> 3);
      }
    }
    while (i < most && Mem.getByte(a + i) == Mem.getByte(b + i)) {
      i++;
    }
    return i;
  }

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
