package org.loam.common.codec;

import org.loam.common.mem.Mem;

/**
 * Non-negative integers in 7-bit groups, lowest first, the high bit set on all but the last byte
 * (unsigned LEB128). Every number has exactly one encoding, the shortest, so the bytes that a
 * number took are {@link #size} of it. Pure functions.
 *
 * <p>Reading never touches a byte at or above the given limit and never throws: what is cut off,
 * too large or longer than needed reads as {@link #INVALID}.
 */
public final class Varint {
  /** What reading returns when there is no valid number; negative, as no number is. */
  public static final int INVALID = -1;

  /** The most bytes an {@code int} takes. */
  public static final int MAX_INT_BYTES = 5;

  /** The most bytes a {@code long} takes. */
  public static final int MAX_LONG_BYTES = 9;

  private Varint() {}

  /** The bytes that {@code v}, at least 0, takes. */
  public static int size(long v) {
    return (70 - Long.numberOfLeadingZeros(v | 1)) / 7;
  }

  /**
   * Writes {@code v}, at least 0.
   *
   * @return the address after the last byte written
   */
  public static long put(long address, long v) {
    if (v < 0) {
      throw new IllegalArgumentException("value " + v + ": at least 0");
    }
    long a = address;
    long rest = v;
    while (rest > 0x7f) {
      Mem.putByte(a++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    Mem.putByte(a++, (byte) rest);
    return a;
  }

  /**
   * Reads a number up to {@code Integer.MAX_VALUE}.
   *
   * @param limit the first address that must not be read
   * @return the number or {@link #INVALID}
   */
  public static int getInt(long address, long limit) {
    if (address < limit) {
      byte first = Mem.getByte(address);
      if (first >= 0) {
        return first;
      }
    }
    long v = getMany(address, Math.min(limit, address + MAX_INT_BYTES));
    return v > Integer.MAX_VALUE ? INVALID : (int) v;
  }

  /**
   * Reads a number up to {@code Long.MAX_VALUE}.
   *
   * @param limit the first address that must not be read
   * @return the number or {@link #INVALID}
   */
  public static long getLong(long address, long limit) {
    if (address < limit) {
      byte first = Mem.getByte(address);
      if (first >= 0) {
        return first;
      }
    }
    return getMany(address, Math.min(limit, address + MAX_LONG_BYTES));
  }

  private static long getMany(long address, long limit) {
    long v = 0;
    int shift = 0;
    for (long a = address; a < limit; a++, shift += 7) {
      byte b = Mem.getByte(a);
      v |= (b & 0x7fL) << shift;
      if (b >= 0) {
        // A last group of zero is an encoding longer than needed.
        return b == 0 && shift > 0 ? INVALID : v;
      }
    }
    return INVALID;
  }
}
