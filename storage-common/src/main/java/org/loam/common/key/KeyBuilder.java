package org.loam.common.key;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.loam.common.error.Arguments;

/**
 * Builds keys of one or more parts whose unsigned bytes sort as the values do, part by part:
 * missing, null, false, true, numbers, timestamps, strings, bytes. Longs and doubles share one
 * exact order, and equal ones the same bytes; NaN is above infinity. Strings sort by code point.
 * {@link HostParts} adds types of a host's own. For reuse by one thread: {@link #clear} keeps the
 * memory, and adding makes no garbage.
 *
 * <pre>{@code
 * byte[] key = builder.clear().add("Oslo").direction(DESCENDING).add(instant)
 *     .addRaw(primaryKey, 0, primaryKey.length).toBytes();
 * }</pre>
 *
 * <p>A call that throws leaves the key as it was. The format is in {@code docs/formats/key.md}.
 */
public final class KeyBuilder {
  /** Arrays of a few bytes more do not exist on all machines. */
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  byte[] buffer = new byte[64];
  int length;
  int mask = Direction.ASCENDING.mask;

  /** How the parts to come sort, until changed; at first and after {@link #clear} ascending. */
  public KeyBuilder direction(Direction direction) {
    mask = direction.mask;
    return this;
  }

  /** Adds the value that is below all others: there is none. */
  public KeyBuilder addMissing() {
    length = begin(KeyLayout.MISSING, 0);
    return this;
  }

  /** Adds null. */
  public KeyBuilder addNull() {
    length = begin(KeyLayout.NULL, 0);
    return this;
  }

  /** Adds a truth value. */
  public KeyBuilder add(boolean value) {
    length = begin(value ? KeyLayout.TRUE : KeyLayout.FALSE, 0);
    return this;
  }

  /** Adds a number. */
  public KeyBuilder add(long value) {
    long floor = value & (-1L << KeyLayout.residualBits(value));
    return addNumber((double) floor, (int) (value - floor));
  }

  /** Adds a number; -0.0 is 0, and all NaN are one. */
  public KeyBuilder add(double value) {
    return addNumber(value, 0);
  }

  /** Adds a number, but -0.0 as one of its own, just below 0, for hosts that tell them apart. */
  public KeyBuilder addWithNegativeZero(double value) {
    if (Double.doubleToRawLongBits(value) != Double.doubleToRawLongBits(-0.0)) {
      return addNumber(value, 0);
    }
    int at = begin(KeyLayout.NUMBER, KeyLayout.DOUBLE_BYTES);
    KeyLayout.LONG.set(buffer, at, KeyLayout.NEGATIVE_ZERO ^ mask);
    length = at + KeyLayout.DOUBLE_BYTES;
    return this;
  }

  /**
   * Adds a string.
   *
   * @throws IllegalArgumentException if it has half a surrogate pair, which UTF-8 cannot express
   */
  public KeyBuilder add(String value) {
    int chars = Arguments.require(value, "value").length();
    // A char takes at most 3 bytes: a pair of them takes 4, an escaped zero 2.
    int at = begin(KeyLayout.STRING, 3L * chars + KeyLayout.END_BYTES);
    for (int i = 0; i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        at = putEscaped(at, c);
      } else if (c < 0x800) {
        at = put(at, 0xc0 | c >> 6);
        at = putTail(at, c);
      } else if (!Character.isSurrogate(c)) {
        at = put(at, 0xe0 | c >> 12);
        at = putTail(at, c >> 6);
        at = putTail(at, c);
      } else {
        int codePoint = pairAt(value, i++);
        at = put(at, 0xf0 | codePoint >> 18);
        at = putTail(at, codePoint >> 12);
        at = putTail(at, codePoint >> 6);
        at = putTail(at, codePoint);
      }
    }
    length = putEnd(at);
    return this;
  }

  /**
   * Adds the beginning of a string: with it begin all keys whose string in this place begins so,
   * and no others. For the bound of a range; nothing may follow.
   *
   * @throws IllegalArgumentException if it has half a surrogate pair
   */
  public KeyBuilder addBeginning(String value) {
    add(value);
    length -= KeyLayout.END_BYTES;
    return this;
  }

  /** Adds bytes as one value, which sort unsigned. */
  public KeyBuilder add(byte[] value) {
    return add(value, 0, Arguments.require(value, "value").length);
  }

  /** Adds {@code size} bytes at {@code offset} as one value, which sort unsigned. */
  public KeyBuilder add(byte[] bytes, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, bytes.length);
    int at = begin(KeyLayout.BYTES, 2L * size + KeyLayout.END_BYTES);
    for (int i = offset; i < offset + size; i++) {
      at = putEscaped(at, bytes[i]);
    }
    length = putEnd(at);
    return this;
  }

  /** Adds a timestamp. */
  public KeyBuilder add(Instant value) {
    Arguments.require(value, "value");
    int at = begin(KeyLayout.TIMESTAMP, KeyLayout.TIMESTAMP_BYTES);
    KeyLayout.LONG.set(buffer, at, value.getEpochSecond() ^ Long.MIN_VALUE ^ mask);
    KeyLayout.INT.set(buffer, at + Long.BYTES, value.getNano() ^ mask);
    length = at + KeyLayout.TIMESTAMP_BYTES;
    return this;
  }

  /**
   * Appends bytes as they are, whatever the direction: a primary key at the end, or parts encoded
   * before. They do not end themselves.
   */
  public KeyBuilder addRaw(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    reserve(length);
    System.arraycopy(bytes, offset, buffer, this.length, length);
    this.length += length;
    return this;
  }

  /** The bytes of the key so far. */
  public int length() {
    return length;
  }

  /** The key so far, as a copy. */
  public byte[] toBytes() {
    return Arrays.copyOf(buffer, length);
  }

  /** Copies the {@link #length} bytes of the key so far to a place in {@code target}. */
  public void copyTo(byte[] target, int offset) {
    Objects.checkFromIndexSize(offset, length, target.length);
    System.arraycopy(buffer, 0, target, offset, length);
  }

  /**
   * Keeps the first bytes only, for keys that begin alike.
   *
   * @param newLength what {@link #length} was when the bytes to keep had been added
   * @throws IllegalArgumentException if there are not so many bytes
   */
  public KeyBuilder truncate(int newLength) {
    if (newLength < 0 || newLength > length) {
      throw new IllegalArgumentException(
          "newLength is " + newLength + ", must be 0 to length, " + length);
    }
    length = newLength;
    return this;
  }

  /** Begins a new key. */
  public KeyBuilder clear() {
    length = 0;
    mask = Direction.ASCENDING.mask;
    return this;
  }

  /**
   * @param floor the largest double that is not above the number
   * @param residual the number less {@code floor}
   */
  private KeyBuilder addNumber(double floor, int residual) {
    int at = begin(KeyLayout.NUMBER, KeyLayout.DOUBLE_BYTES + KeyLayout.RESIDUAL_BYTES);
    KeyLayout.LONG.set(buffer, at, KeyLayout.sortable(floor) ^ mask);
    at += KeyLayout.DOUBLE_BYTES;
    if (KeyLayout.hasResidual(floor)) {
      KeyLayout.SHORT.set(buffer, at, (short) (residual ^ mask));
      at += KeyLayout.RESIDUAL_BYTES;
    }
    length = at;
    return this;
  }

  private static int pairAt(String value, int index) {
    char high = value.charAt(index);
    if (Character.isHighSurrogate(high) && index + 1 < value.length()) {
      char low = value.charAt(index + 1);
      if (Character.isLowSurrogate(low)) {
        return Character.toCodePoint(high, low);
      }
    }
    throw new IllegalArgumentException(
        "string has 0x"
            + Integer.toHexString(high)
            + " at index "
            + index
            + ", must have surrogates in pairs only");
  }

  /** Writes the tag, with room for so many bytes after it; returns where they go. */
  int begin(int tag, long bytes) {
    reserve(1 + bytes);
    return put(length, tag);
  }

  int put(int at, int b) {
    buffer[at] = (byte) (b ^ mask);
    return at + 1;
  }

  /** Six bits of a character that takes several bytes. */
  private int putTail(int at, int bits) {
    return put(at, 0x80 | (bits & 0x3f));
  }

  int putEscaped(int at, int b) {
    int next = put(at, b);
    return b == 0 ? put(next, KeyLayout.ZERO) : next;
  }

  int putEnd(int at) {
    return put(put(at, 0), KeyLayout.END);
  }

  private void reserve(long bytes) {
    long needed = length + bytes;
    if (needed > buffer.length) {
      if (needed > MAX_BYTES) {
        throw new IllegalArgumentException(
            "key may need " + needed + " bytes, must be at most " + MAX_BYTES);
      }
      buffer =
          Arrays.copyOf(buffer, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * buffer.length)));
    }
  }
}
