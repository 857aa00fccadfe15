package org.loam.workbench.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys of a benchmark: {@code user:} and 16 hexadecimal digits, 21 bytes.
 *
 * <p>The digits are the record's identity, a bijective mix of its index: neighbours by index are
 * strangers by key, so loading by ascending index is loading in random key order, and two records
 * never share a key.
 */
public final class Keys {
  /** What all keys begin with, as a tree may be told. */
  public static final String PREFIX = "user:";

  public static final int LENGTH_BYTES = PREFIX.length() + 16;

  /** Indexes from here on are never written: their keys are absent, yet spread among the others. */
  public static final long FIRST_ABSENT_INDEX = 1L << 50;

  private static final byte[] PREFIX_BYTES = PREFIX.getBytes(StandardCharsets.US_ASCII);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final long ONES = 0x0101010101010101L;

  private Keys() {}

  /** The identity of a record: the finaliser of SplitMix64, which is a bijection. */
  public static long identity(long index) {
    long z = index + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** A buffer that holds the prefix already, for {@link #write}. */
  public static byte[] newBuffer() {
    byte[] key = new byte[LENGTH_BYTES];
    System.arraycopy(PREFIX_BYTES, 0, key, 0, PREFIX_BYTES.length);
    return key;
  }

  /** Writes the digits of an identity into a buffer from {@link #newBuffer}. */
  public static void write(long identity, byte[] key) {
    LONG.set(key, PREFIX_BYTES.length, digits((int) (identity >>> 32)));
    LONG.set(key, PREFIX_BYTES.length + 8, digits((int) identity));
  }

  /**
   * The identity that a key stands for. A digit that is none gives some identity, which the value
   * then contradicts.
   *
   * @throws IllegalArgumentException if length or prefix are wrong
   */
  public static long read(byte[] key, int length) {
    int prefixBytes = PREFIX_BYTES.length;
    if (length != LENGTH_BYTES
        || !Arrays.equals(key, 0, prefixBytes, PREFIX_BYTES, 0, prefixBytes)) {
      throw new IllegalArgumentException(
          "not a key of this benchmark: "
              + new String(key, 0, Math.min(length, key.length), StandardCharsets.ISO_8859_1));
    }
    return (long) number((long) LONG.get(key, prefixBytes)) << 32
        | Integer.toUnsignedLong(number((long) LONG.get(key, prefixBytes + 8)));
  }

  /** Eight digits at once, since a scan reads a hundred keys in the time of a few memory reads. */
  private static long digits(int number) {
    long n = Integer.toUnsignedLong(number);
    n = (n | n << 16) & 0x0000ffff0000ffffL;
    n = (n | n << 8) & 0x00ff00ff00ff00ffL;
    n = (n | n << 4) & 0x0f0f0f0f0f0f0f0fL;
    // 1 in each byte that is above 9: such a digit is a letter, 39 further than '9' + 1 is.
    long letters = (n + 0x0606060606060606L) >>> 4 & ONES;
    return n + 0x30 * ONES + letters * ('a' - '9' - 1);
  }

  private static int number(long digits) {
    // '0' to '9' end in their number, 'a' to 'f' in 1 to 6 and have bit 6 set.
    long n = (digits & 0x0f0f0f0f0f0f0f0fL) + 9 * (digits >>> 6 & ONES);
    n = (n | n >>> 4) & 0x00ff00ff00ff00ffL;
    n = (n | n >>> 8) & 0x0000ffff0000ffffL;
    return (int) (n | n >>> 16);
  }
}
