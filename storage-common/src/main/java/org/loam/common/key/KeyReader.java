package org.loam.common.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;

/**
 * Reads the parts of a key that {@link KeyBuilder} made, in order. Belongs to one thread; the bytes
 * are not copied and must not change meanwhile.
 *
 * <p>Offsets count from the start of the key. Nothing outside of the given range is read. Bytes
 * that are not a part of the direction asked for are a {@link CorruptionException} that names the
 * offset and the byte; the reader then stays where it was. {@link HostParts} are none to it: only
 * the host knows where they end.
 */
public final class KeyReader {
  private static final long MAX_NANOS = 999_999_999;

  private byte[] bytes;
  private int start;
  private int limit;
  private int at;

  /** Reads all of {@code key}. */
  public KeyReader(byte[] key) {
    this(key, 0, key.length);
  }

  /** Reads the key of {@code length} bytes at {@code offset}. */
  public KeyReader(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.start = offset;
    this.limit = offset + length;
    this.at = offset;
  }

  /** Begins with another key, as a new reader would. */
  public KeyReader reset(byte[] key, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, key.length);
    bytes = key;
    start = offset;
    limit = offset + length;
    at = offset;
    return this;
  }

  /** Whether bytes are left: parts, or what was added raw. */
  public boolean hasNext() {
    return at < limit;
  }

  /** The offset of the next part, or of what was added raw. */
  public int position() {
    return at - start;
  }

  /**
   * Reads a part.
   *
   * @param direction the one that it was added with
   * @return {@link Missing#MISSING}, null, a {@link Boolean}, a {@link Long} for every number that
   *     is one (3.0 is 3, but -0.0 is not 0 if it was told apart), else a {@link Double}, an {@link
   *     Instant}, a {@link String} or a {@code byte[]} of the caller's own
   * @throws CorruptionException if there is no such part
   */
  public @Nullable Object next(Direction direction) {
    int end = endOfPart(direction.mask);
    Object value = decode(end, direction.mask);
    at = end;
    return value;
  }

  /**
   * Reads a number, as a cast to a long has it. Makes no garbage.
   *
   * @param direction the one that it was added with
   * @throws CorruptionException if there is no number
   */
  public long nextLong(Direction direction) {
    int body = numberBody(direction.mask);
    if (limit - body >= KeyLayout.DOUBLE_BYTES) {
      double number = KeyLayout.unsortable(longAt(body, direction.mask));
      if (isUsual(number)) {
        at = body + KeyLayout.DOUBLE_BYTES;
        return (long) number;
      }
    }
    int end = endOfNumber(body, direction.mask);
    double floor = floorAt(body, direction.mask);
    long value = (long) floor;
    if (KeyLayout.hasResidual(floor)) {
      value += residualAt(body + KeyLayout.DOUBLE_BYTES, value, direction.mask);
    }
    at = end;
    return value;
  }

  /**
   * Reads a number, as a cast to a double has it. Makes no garbage.
   *
   * @param direction the one that it was added with
   * @throws CorruptionException if there is no number
   */
  public double nextDouble(Direction direction) {
    int body = numberBody(direction.mask);
    if (limit - body >= KeyLayout.DOUBLE_BYTES) {
      double number = KeyLayout.unsortable(longAt(body, direction.mask));
      if (isUsual(number)) {
        at = body + KeyLayout.DOUBLE_BYTES;
        return number;
      }
    }
    int end = endOfNumber(body, direction.mask);
    double value = floorAt(body, direction.mask);
    if (KeyLayout.hasResidual(value)) {
      long integral = (long) value;
      integral += residualAt(body + KeyLayout.DOUBLE_BYTES, integral, direction.mask);
      value = integral;
    }
    at = end;
    return value;
  }

  /**
   * Moves past a part, for which it looks only at what tells its end.
   *
   * @param direction the one that it was added with
   * @throws CorruptionException if there is no end
   */
  public void skip(Direction direction) {
    at = endOfPart(direction.mask);
  }

  private int endOfPart(int mask) {
    if (at == limit) {
      throw damaged(at, "a part should begin here");
    }
    int body = at + 1;
    return switch (byteAt(at, mask)) {
      case KeyLayout.MISSING, KeyLayout.NULL, KeyLayout.FALSE, KeyLayout.TRUE -> body;
      case KeyLayout.NUMBER -> endOfNumber(body, mask);
      case KeyLayout.TIMESTAMP -> within(body, KeyLayout.TIMESTAMP_BYTES);
      case KeyLayout.STRING, KeyLayout.BYTES -> endOfEscaped(body, mask);
      default ->
          throw damaged(at, "no tag of " + (mask == 0 ? "an ascending part" : "a descending part"));
    };
  }

  private int endOfNumber(int body, int mask) {
    int end = within(body, KeyLayout.DOUBLE_BYTES);
    double floor = KeyLayout.unsortable(longAt(body, mask));
    return KeyLayout.hasResidual(floor) ? within(end, KeyLayout.RESIDUAL_BYTES) : end;
  }

  private int endOfEscaped(int body, int mask) {
    int i = body;
    while (i < limit) {
      if (byteAt(i++, mask) == 0 && i < limit) {
        int escape = byteAt(i++, mask);
        if (escape == KeyLayout.END) {
          return i;
        }
        if (escape != KeyLayout.ZERO) {
          throw damaged(i - 1, "neither an escaped zero nor an end");
        }
      }
    }
    throw damaged(limit, "the part is cut off");
  }

  /** The index after {@code size} bytes, which are all there. */
  private int within(int from, int size) {
    if (limit - from < size) {
      throw damaged(limit, "the part is cut off");
    }
    return from + size;
  }

  private @Nullable Object decode(int end, int mask) {
    int body = at + 1;
    return switch (byteAt(at, mask)) {
      case KeyLayout.MISSING -> Missing.MISSING;
      case KeyLayout.NULL -> null;
      case KeyLayout.FALSE -> false;
      case KeyLayout.TRUE -> true;
      case KeyLayout.NUMBER -> number(body, mask);
      case KeyLayout.TIMESTAMP -> timestamp(body, mask);
      case KeyLayout.STRING -> string(body, unescaped(body, end, mask));
      case KeyLayout.BYTES -> unescaped(body, end, mask);
      default -> throw new AssertionError("tag without a type");
    };
  }

  private Object number(int body, int mask) {
    double floor = floorAt(body, mask);
    long integral = (long) floor;
    if (KeyLayout.hasResidual(floor)) {
      return integral + residualAt(body + KeyLayout.DOUBLE_BYTES, integral, mask);
    }
    // 2^63, which the cast turns into the largest long, is none; -0.0 is a number of its own.
    if (integral == floor && floor < 0x1p63 && !isNegativeZero(floor)) {
      return integral;
    }
    return floor;
  }

  private static boolean isNegativeZero(double number) {
    return Double.doubleToRawLongBits(number) == Long.MIN_VALUE;
  }

  /** Whether a double has one form, and no residual after it: none of the zeros, NaN, and so on. */
  private static boolean isUsual(double number) {
    return number != 0 && number > -0x1p53 && number < 0x1p53;
  }

  /** Where the double of the number begins that is here. */
  private int numberBody(int mask) {
    if (at == limit || byteAt(at, mask) != KeyLayout.NUMBER) {
      throw damaged(at, "a number should begin here");
    }
    return at + 1;
  }

  /** The largest double that is not above a number. */
  private double floorAt(int body, int mask) {
    long sortable = longAt(body, mask);
    double floor = KeyLayout.unsortable(sortable);
    if (sortable != KeyLayout.NEGATIVE_ZERO && KeyLayout.sortable(floor) != sortable) {
      throw damaged(body, "a number that is never written so");
    }
    return floor;
  }

  /** The number less its {@link #floorAt}. */
  private int residualAt(int place, long integral, int mask) {
    int residual = ((short) KeyLayout.SHORT.get(bytes, place) ^ mask) & 0xffff;
    if (residual >= 1 << KeyLayout.residualBits(integral)) {
      throw damaged(place, "residual " + residual + " reaches the next double");
    }
    return residual;
  }

  private Instant timestamp(int body, int mask) {
    long seconds = longAt(body, mask) ^ Long.MIN_VALUE;
    if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
      throw damaged(body, "a timestamp of " + seconds + " seconds");
    }
    int place = body + Long.BYTES;
    long nanos = ((int) KeyLayout.INT.get(bytes, place) ^ mask) & 0xffffffffL;
    if (nanos > MAX_NANOS) {
      throw damaged(place, "a timestamp with " + nanos + " nanoseconds");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  private String string(int body, byte[] utf8) {
    String value = new String(utf8, UTF_8);
    // What is not UTF-8 has become U+FFFD; only then is it worth finding out where.
    if (value.indexOf('\ufffd') >= 0) {
      ByteBuffer in = ByteBuffer.wrap(utf8);
      try {
        UTF_8.newDecoder().decode(in);
      } catch (CharacterCodingException e) {
        int place = body;
        for (int i = 0; i < in.position(); i++) {
          place += utf8[i] == 0 ? 2 : 1;
        }
        throw damaged(place, "not UTF-8");
      }
    }
    return value;
  }

  private byte[] unescaped(int body, int end, int mask) {
    int escapedEnd = end - KeyLayout.END_BYTES;
    byte[] value = new byte[escapedEnd - body];
    int size = 0;
    for (int i = body; i < escapedEnd; i++) {
      byte b = (byte) byteAt(i, mask);
      value[size++] = b;
      if (b == 0) {
        i++;
      }
    }
    return size == value.length ? value : Arrays.copyOf(value, size);
  }

  private int byteAt(int index, int mask) {
    return (bytes[index] ^ mask) & 0xff;
  }

  private long longAt(int index, int mask) {
    return (long) KeyLayout.LONG.get(bytes, index) ^ mask;
  }

  private CorruptionException damaged(int index, String what) {
    String found =
        index < limit ? ", byte 0x" + HexFormat.of().toHexDigits(bytes[index]) : ", the end";
    return new CorruptionException(
        "key offset " + (index - start) + " of " + (limit - start) + found + ": " + what);
  }
}
