package org.loam.common.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A part of a key, version 1: a tag byte that gives the type, then the value. Integers big-endian.
 *
 * <pre>
 *  tag   type       after the tag
 *  0x02  missing
 *  0x04  null
 *  0x06  false
 *  0x07  true
 *  0x0a  number     8 sortable bytes of the largest double not above it; if longs lie closer than
 *                   doubles there, 2 bytes with what is left
 *  0x0e  timestamp  8 seconds since 1970, sign bit flipped; 4 nanoseconds
 *  0x12  string     UTF-8, 00 written as 00 FF; then 00 01
 *  0x16  bytes      the bytes, 00 written as 00 FF; then 00 01
 *  0x20 to 0x7e: types of a host's own, see {@link HostParts}
 * </pre>
 *
 * <p>A descending part has all these bytes complemented. Invariants: no part is a prefix of
 * another; a value has one encoding; tags are 0x01 to 0x7e, so a part's first byte tells its
 * direction and is never 0x00 or 0xff. Pinned by {@code KeyFormatTest}, described in {@code
 * docs/formats/key.md}.
 */
public final class KeyLayout {
  public static final int MISSING = 0x02;
  public static final int NULL = 0x04;
  static final int FALSE = 0x06;
  static final int TRUE = 0x07;
  public static final int NUMBER = 0x0a;
  static final int TIMESTAMP = 0x0e;
  static final int STRING = 0x12;
  public static final int BYTES = 0x16;

  static final int HOST_MIN = 0x20;
  static final int HOST_MAX = 0x7e;

  /** After a 00: the zero is one of the value. */
  public static final int ZERO = 0xff;

  /** After a 00: the value ends. Below {@link #ZERO}, so a value comes before its extensions. */
  public static final int END = 0x01;

  public static final int END_BYTES = 2;
  static final int DOUBLE_BYTES = 8;
  static final int RESIDUAL_BYTES = 2;
  static final int TIMESTAMP_BYTES = 12;

  /** The {@link #sortable} bits of -0.0 where it is not 0. No other double has them. */
  static final long NEGATIVE_ZERO = Long.MAX_VALUE;

  static final VarHandle LONG = bigEndian(long[].class);
  static final VarHandle INT = bigEndian(int[].class);
  static final VarHandle SHORT = bigEndian(short[].class);

  private KeyLayout() {}

  /** The bits of a double in the order of doubles, as an unsigned number; one zero, one NaN. */
  static long sortable(double d) {
    // Adding 0.0 turns -0.0 into it.
    long bits = Double.doubleToLongBits(d + 0.0);
    return bits ^ ((bits >> 63) | Long.MIN_VALUE);
  }

  /** The double of {@link #sortable} bits. */
  static double unsortable(long sortable) {
    return Double.longBitsToDouble(sortable ^ ((~sortable >> 63) | Long.MIN_VALUE));
  }

  /**
   * The low bits of a long that the largest double not above it lacks: 53 bits fit, and a negative
   * number counts as its complement because it is rounded away from zero. At most 10.
   */
  static int residualBits(long v) {
    return Math.max(0, 64 - 53 - Long.numberOfLeadingZeros(v ^ (v >> 63)));
  }

  /** Whether longs lie between this double and the next: 2^53 up to 2^63, -2^63 up to -2^53. */
  static boolean hasResidual(double d) {
    return (d >= 0x1p53 && d < 0x1p63) || (d >= -0x1p63 && d < -0x1p53);
  }

  private static VarHandle bigEndian(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
  }
}
