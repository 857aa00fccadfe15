package org.loam.common.key;

import org.loam.common.mem.Mem;

/**
 * Heads of keys: 8 bytes as a big-endian number with the sign flipped, so that the signed order of
 * heads is the order of the bytes. Missing bytes count as zero, so equal heads decide nothing. Off
 * the heap a key is given by its address and its length in bytes; no byte outside of it is read.
 */
public final class Heads {
  private Heads() {}

  /** The head of a key. */
  public static long of(long key, int keyLength) {
    return of(key, keyLength, 0);
  }

  /** The head of what follows the first {@code from} bytes of a key. */
  public static long of(long key, int keyLength, int from) {
    int length = keyLength - from;
    if (length >= Long.BYTES) {
      return Mem.getLongBigEndian(key + from) ^ Long.MIN_VALUE;
    }
    if (length <= 0) {
      return Long.MIN_VALUE;
    }
    int missingBits = (Long.BYTES - length) * Byte.SIZE;
    if (keyLength >= Long.BYTES) {
      long last = Mem.getLongBigEndian(key + keyLength - Long.BYTES);
      return (last << missingBits) ^ Long.MIN_VALUE;
    }
    long head = 0;
    for (int i = 0; i < length; i++) {
      head = (head << Byte.SIZE) | (Mem.getByte(key + from + i) & 0xff);
    }
    return (head << missingBits) ^ Long.MIN_VALUE;
  }

  /** The head of a key on the heap. */
  public static long of(byte[] key) {
    return of(key, 0);
  }

  /** The head of what follows the first {@code from} bytes of a key on the heap. */
  public static long of(byte[] key, int from) {
    if (key.length - from >= Long.BYTES) {
      return Long.reverseBytes(Mem.getLong(key, from)) ^ Long.MIN_VALUE;
    }
    long head = 0;
    for (int i = from; i < key.length; i++) {
      head |= (key[i] & 0xffL) << (56 - 8 * (i - from));
    }
    return head ^ Long.MIN_VALUE;
  }
}
