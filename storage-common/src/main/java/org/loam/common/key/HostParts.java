package org.loam.common.key;

import java.util.HexFormat;
import java.util.Objects;
import org.loam.common.error.CorruptionException;

/**
 * Adds parts of types that only a host system knows, so that its keys sort in its own order. The
 * host gives each type a tag from 0x20 to 0x7e, and always adds it in the same way. Parts of
 * different tags sort by tag, after all parts that {@link KeyBuilder} adds itself.
 *
 * <p>Directions are those of the builder. For one thread; a call that throws leaves the key as it
 * was. {@link KeyReader} does not read these parts. The format is in {@code docs/formats/key.md}.
 */
public final class HostParts {
  private final KeyBuilder key;

  /** Adds to {@code key}, which may be added to in other ways, too. */
  public HostParts(KeyBuilder key) {
    this.key = key;
  }

  /** Adds a part that is a tag and nothing else. */
  public void addTag(int tag) {
    key.length = begin(tag, 0);
  }

  /** Adds a signed number of 4 bytes. */
  public void addInt(int tag, int value) {
    int at = begin(tag, Integer.BYTES);
    KeyLayout.INT.set(key.buffer, at, value ^ Integer.MIN_VALUE ^ key.mask);
    key.length = at + Integer.BYTES;
  }

  /** Adds a signed number of 8 bytes. */
  public void addLong(int tag, long value) {
    int at = begin(tag, Long.BYTES);
    key.length = putLong(at, value);
  }

  /** Adds two signed numbers of 8 bytes as one part; the first decides, then the second. */
  public void addLongs(int tag, long first, long second) {
    int at = begin(tag, 2 * Long.BYTES);
    key.length = putLong(putLong(at, first), second);
  }

  /**
   * Adds a string, which sorts by its UTF-16 units, as {@link String#compareTo} has it: halves of
   * surrogate pairs are units like all others, so U+10000 is before U+FFFF.
   *
   * @param bytes the string in modified UTF-8, as {@link java.io.DataOutput#writeUTF} writes it
   *     after the length; a zero may also be the byte 00
   * @throws CorruptionException if it is none
   */
  public void addString(int tag, byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    // A byte takes at most 2: an escaped zero.
    int at = begin(tag, 2L * length + KeyLayout.END_BYTES);
    int end = offset + length;
    int i = offset;
    while (i < end) {
      int size = unitBytes(bytes, i, end);
      if (size == 0) {
        throw new CorruptionException(
            "byte 0x"
                + HexFormat.of().toHexDigits(bytes[i])
                + (" at offset " + (i - offset) + " of a string of " + length)
                + " bytes begins no unit of modified UTF-8");
      }
      if (size == 1) {
        at = key.putEscaped(at, bytes[i]);
      } else if (isZero(bytes, i)) {
        at = key.putEscaped(at, 0);
      } else {
        for (int n = 0; n < size; n++) {
          at = key.put(at, bytes[i + n]);
        }
      }
      i += size;
    }
    key.length = key.putEnd(at);
  }

  /** How many bytes the unit that begins here has, or 0 if there is none. */
  private static int unitBytes(byte[] bytes, int i, int end) {
    int lead = bytes[i] & 0xff;
    if (lead < 0x80) {
      return 1;
    }
    if (!isTail(bytes, i + 1, end)) {
      return 0;
    }
    // Only the shortest form of a unit is one, or else equal strings had different keys.
    if ((lead & 0xe0) == 0xc0) {
      return lead >= 0xc2 || isZero(bytes, i) ? 2 : 0;
    }
    boolean three = (lead & 0xf0) == 0xe0 && isTail(bytes, i + 2, end);
    return three && (lead > 0xe0 || (bytes[i + 1] & 0xff) >= 0xa0) ? 3 : 0;
  }

  private static boolean isTail(byte[] bytes, int i, int end) {
    return i < end && (bytes[i] & 0xc0) == 0x80;
  }

  private static boolean isZero(byte[] bytes, int i) {
    return bytes[i] == (byte) 0xc0 && bytes[i + 1] == (byte) 0x80;
  }

  private int putLong(int at, long value) {
    KeyLayout.LONG.set(key.buffer, at, value ^ Long.MIN_VALUE ^ key.mask);
    return at + Long.BYTES;
  }

  private int begin(int tag, long bytes) {
    if (tag < KeyLayout.HOST_MIN || tag > KeyLayout.HOST_MAX) {
      throw new IllegalArgumentException("tag is " + tag + ", must be 0x20 to 0x7e");
    }
    return key.begin(tag, bytes);
  }
}
