package org.loam.asterix.key;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyReader;
import org.loam.common.key.Missing;

/**
 * Reads fields back from a key that {@link AdmKeyEncoder} made, in order and ascending. The key
 * does not say which of the numbers a number is, so the caller must know the type of each field.
 * What comes back is what AsterixDB serializes, but that all NaN are one. For one thread; the key
 * is not copied.
 */
public final class AdmKeyDecoder {
  private final byte[] key;
  private int at;

  /** Begins at the first field. */
  public AdmKeyDecoder(byte[] key) {
    this.key = key;
  }

  /**
   * Reads the next field.
   *
   * @param tag of its type
   * @return the tag, then the value
   * @throws UnsupportedFormatException if there is no such type, or no key has it
   * @throws CorruptionException if there is no field of this type here
   */
  public byte[] next(byte tag) {
    AdmType type = AdmType.of(tag);
    if (type == null || !type.isKey()) {
      throw new UnsupportedFormatException("type tag is " + tag + ", which no key has");
    }
    return switch (type) {
      case MISSING -> nothing(type, Missing.MISSING);
      case NULL -> nothing(type, null);
      case TINYINT -> field(type).put((byte) number().longValue()).array();
      case SMALLINT -> field(type).putShort((short) number().longValue()).array();
      case INTEGER -> field(type).putInt((int) number().longValue()).array();
      case BIGINT -> field(type).putLong(number().longValue()).array();
      case FLOAT -> field(type).putFloat((float) number().doubleValue()).array();
      case DOUBLE -> field(type).putDouble(number().doubleValue()).array();
      case BINARY -> withSize(type, bytes());
      case STRING -> withSize(type, string(type));
      default -> signed(type);
    };
  }

  private static ByteBuffer field(AdmType type) {
    return ByteBuffer.allocate(1 + type.bytes).put((byte) type.tag);
  }

  // ---- Parts that all keys may have.

  private @Nullable Object part() {
    KeyReader reader = new KeyReader(key, at, key.length - at);
    Object value = reader.next(Direction.ASCENDING);
    at += reader.position();
    return value;
  }

  private byte[] nothing(AdmType type, @Nullable Object part) {
    int from = at;
    if (part() == part) {
      return field(type).array();
    }
    throw damaged(from, "no " + type);
  }

  private Number number() {
    int from = at;
    if (part() instanceof Number number) {
      return number;
    }
    throw damaged(from, "no number");
  }

  private byte[] bytes() {
    int from = at;
    if (part() instanceof byte[] bytes) {
      return bytes;
    }
    throw damaged(from, "no bytes");
  }

  // ---- Parts of AsterixDB's own.

  private void begin(AdmType type) {
    if (at == key.length || key[at] != AdmKeyEncoder.HOST_TAGS + type.tag) {
      throw damaged(at, "no " + type);
    }
    at++;
  }

  /** Signed numbers of 4 or 8 bytes, or several of 8, whose first bits are flipped in keys. */
  private byte[] signed(AdmType type) {
    int from = at;
    begin(type);
    if (key.length - at < type.bytes) {
      throw damaged(from, "not all of a " + type);
    }
    byte[] field = field(type).put(key, at, type.bytes).array();
    at += type.bytes;
    int step = Math.min(type.bytes, Long.BYTES);
    for (int i = 1; i < field.length; i += step) {
      field[i] ^= (byte) 0x80;
    }
    return field;
  }

  /** In modified UTF-8, as AsterixDB writes it: a zero takes two bytes, in keys it is escaped. */
  private byte[] string(AdmType type) {
    int from = at;
    begin(type);
    ByteArrayOutputStream string = new ByteArrayOutputStream();
    while (at + 1 < key.length) {
      byte b = key[at++];
      if (b != 0) {
        string.write(b);
      } else if (key[at++] == (byte) 0xff) {
        string.write(0xc0);
        string.write(0x80);
      } else {
        return string.toByteArray();
      }
    }
    throw damaged(from, "no end of a " + type);
  }

  /** The size in groups of 7 bits, the highest first, each but the last with the sign bit set. */
  private static byte[] withSize(AdmType type, byte[] content) {
    int groups = Math.max(1, (38 - Integer.numberOfLeadingZeros(content.length)) / 7);
    ByteBuffer field = ByteBuffer.allocate(1 + groups + content.length).put((byte) type.tag);
    for (int group = groups - 1; group >= 0; group--) {
      int bits = (content.length >>> (7 * group)) & 0x7f;
      field.put((byte) (group > 0 ? bits | 0x80 : bits));
    }
    return field.put(content).array();
  }

  private CorruptionException damaged(int from, String what) {
    return new CorruptionException(
        "key " + HexFormat.of().formatHex(key) + " has " + what + " at offset " + from);
  }
}
