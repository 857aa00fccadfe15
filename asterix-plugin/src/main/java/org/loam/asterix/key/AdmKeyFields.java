package org.loam.asterix.key;

import java.util.Arrays;
import java.util.HexFormat;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyLayout;
import org.loam.common.key.KeyReader;

/**
 * The fields of a key that {@link AdmKeyEncoder} made, in order and ascending, as AsterixDB
 * serializes them. A key does not say of which type a number is, so the types of the index's fields
 * must be known. Not every field comes back as it was: all NaN are one, a zero in a string may have
 * been written in two ways, and a number may have been of another type than the index's. {@link
 * #has} tells.
 *
 * <p>For one thread and many keys; makes no garbage. The fields are valid until the next {@link
 * #read}.
 */
public final class AdmKeyFields {
  /** Most bytes by which a field is longer than its part: those of the size of a string. */
  private static final int MORE_BYTES = 5;

  private final AdmType[] types;
  private final int[] ends;
  private final KeyReader reader = new KeyReader(new byte[0]);
  private byte[] key = {};
  private int at;
  private int keyEnd;
  private byte[] fields = new byte[128];
  private int end;

  /**
   * Before the first key.
   *
   * @param types the tag of each field's type, in order; without a number's type the number does
   *     not come back
   * @throws UnsupportedFormatException if there is no such type
   */
  public AdmKeyFields(byte[] types) {
    this.types = new AdmType[types.length];
    this.ends = new int[types.length];
    for (int i = 0; i < types.length; i++) {
      AdmType type = AdmType.of(types[i]);
      if (type == null) {
        throw new UnsupportedFormatException("type tag of a key field is " + types[i]);
      }
      this.types[i] = type;
    }
  }

  /** How many fields a key has. */
  public int count() {
    return types.length;
  }

  /** The array with the fields; not to be changed. */
  public byte[] array() {
    return fields;
  }

  /** Where a field begins. */
  public int start(int field) {
    return field == 0 ? 0 : ends[field - 1];
  }

  /** Bytes of a field. */
  public int length(int field) {
    return ends[field] - start(field);
  }

  /** Whether a field of the key is just like this one. */
  public boolean has(int field, byte[] data, int from, int length) {
    return Arrays.equals(fields, start(field), ends[field], data, from, from + length);
  }

  // ---- Reading.

  /**
   * Reads the fields of a key, which is a part of an array.
   *
   * @throws CorruptionException if it has not these fields, or another one behind them
   */
  public void read(byte[] array, int offset, int length) {
    int most = length + types.length * MORE_BYTES;
    if (most > fields.length) {
      fields = new byte[2 * most];
    }
    key = array;
    at = offset;
    keyEnd = offset + length;
    end = 0;
    for (int i = 0; i < types.length; i++) {
      readField(types[i], offset);
      ends[i] = end;
    }
    if (at != keyEnd) {
      throw damaged(offset, "has more than its fields");
    }
  }

  private void readField(AdmType expected, int offset) {
    int tag = at == keyEnd ? 0 : key[at];
    switch (tag) {
      case KeyLayout.MISSING -> readTag(AdmType.MISSING);
      case KeyLayout.NULL -> readTag(AdmType.NULL);
      case KeyLayout.NUMBER -> readNumber(expected);
      case KeyLayout.BYTES -> readContent(AdmType.BINARY, offset);
      default -> {
        AdmType type = AdmType.of((byte) (tag - AdmKeyEncoder.HOST_TAGS));
        if (type == AdmType.STRING) {
          readContent(AdmType.STRING, offset);
        } else if (type != null && type.isSigned() && keyEnd - at > type.bytes) {
          readSigned(type);
        } else {
          throw damaged(offset, "has no field");
        }
      }
    }
  }

  private void readTag(AdmType type) {
    at++;
    fields[end++] = (byte) type.tag;
  }

  private void readNumber(AdmType type) {
    reader.reset(key, at, keyEnd - at);
    int to = end + 1;
    switch (type) {
      case TINYINT -> fields[to] = (byte) reader.nextLong(Direction.ASCENDING);
      case SMALLINT ->
          AdmKeyEncoder.SHORT.set(fields, to, (short) reader.nextLong(Direction.ASCENDING));
      case INTEGER -> AdmKeyEncoder.INT.set(fields, to, (int) reader.nextLong(Direction.ASCENDING));
      case BIGINT -> AdmKeyEncoder.LONG.set(fields, to, reader.nextLong(Direction.ASCENDING));
      case FLOAT ->
          AdmKeyEncoder.INT.set(
              fields, to, Float.floatToIntBits((float) reader.nextDouble(Direction.ASCENDING)));
      case DOUBLE ->
          AdmKeyEncoder.LONG.set(
              fields, to, Double.doubleToLongBits(reader.nextDouble(Direction.ASCENDING)));
      // A number in an index of another type does not come back.
      default -> reader.skip(Direction.ASCENDING);
    }
    at += reader.position();
    if (type.isNumber()) {
      fields[end] = (byte) type.tag;
      end = to + type.bytes;
    }
  }

  /** Signed numbers of 4 or 8 bytes, or several of 8, whose first bits are flipped in keys. */
  private void readSigned(AdmType type) {
    int to = end + 1;
    fields[end] = (byte) type.tag;
    System.arraycopy(key, at + 1, fields, to, type.bytes);
    for (int i = 0; i < type.bytes; i += Long.BYTES) {
      fields[to + i] ^= (byte) 0x80;
    }
    at += 1 + type.bytes;
    end = to + type.bytes;
  }

  /**
   * Bytes, or a string in modified UTF-8 as AsterixDB writes it: a zero takes two bytes there, as
   * it does in keys, where it is escaped.
   */
  private void readContent(AdmType type, int offset) {
    int from = at + 1;
    int zeros = 0;
    int i = from;
    while (true) {
      while (i < keyEnd && key[i] != 0) {
        i++;
      }
      int escape = keyEnd - i < 2 ? 0 : key[i + 1] & 0xff;
      if (escape == KeyLayout.END) {
        break;
      } else if (escape != KeyLayout.ZERO) {
        throw damaged(offset, "has no end of a " + type);
      }
      zeros++;
      i += 2;
    }
    int length = i - from - (type == AdmType.BINARY ? zeros : 0);
    fields[end] = (byte) type.tag;
    int to = putSize(end + 1, length);
    if (zeros == 0) {
      System.arraycopy(key, from, fields, to, length);
    } else {
      unescape(type, from, i, to);
    }
    end = to + length;
    at = i + KeyLayout.END_BYTES;
  }

  private void unescape(AdmType type, int from, int to, int target) {
    int place = target;
    for (int i = from; i < to; i++) {
      byte b = key[i];
      if (b != 0) {
        fields[place++] = b;
      } else {
        i++;
        if (type == AdmType.BINARY) {
          fields[place++] = 0;
        } else {
          fields[place++] = (byte) 0xc0;
          fields[place++] = (byte) 0x80;
        }
      }
    }
  }

  /** The size in groups of 7 bits, the highest first, each but the last with the sign bit set. */
  private int putSize(int start, int size) {
    int place = start;
    int shift = 7 * ((31 - Integer.numberOfLeadingZeros(size | 1)) / 7);
    for (; shift > 0; shift -= 7) {
      fields[place++] = (byte) (size >>> shift | 0x80);
    }
    fields[place++] = (byte) (size & 0x7f);
    return place;
  }

  private CorruptionException damaged(int offset, String what) {
    String hex = HexFormat.of().formatHex(key, offset, keyEnd);
    return new CorruptionException("key " + hex + " " + what + " at offset " + (at - offset));
  }
}
