package org.loam.asterix.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.HostParts;
import org.loam.common.key.KeyBuilder;

/**
 * Adds fields of AsterixDB's key tuples to a key of Loam, whose unsigned bytes then sort as
 * AsterixDB's comparators sort the tuples. A field is a range of bytes: the tag of its type, then
 * its value as AsterixDB serializes it. Each field becomes one part in the builder's direction, so
 * the key of a tuple's first fields begins the keys of all tuples that begin with them: {@link
 * AdmBounds}.
 *
 * <pre>{@code
 * key.clear();
 * for (int i = 0; i < keyFields; i++) {
 *   encoder.add(tuple.getFieldData(i), tuple.getFieldStart(i), tuple.getFieldLength(i));
 * }
 * }</pre>
 *
 * <p>The integer 5 and the double 5.0 have the same key: {@link AdmKeyFields} must be told types.
 * For one thread; makes no garbage, reads nothing outside of the range, and leaves the key as it
 * was if it throws. The format is in {@code docs/formats/adm-key.md}.
 */
public final class AdmKeyEncoder {
  /** Added to the tag of a type to make that of a part: after numbers, in the order of the tags. */
  static final int HOST_TAGS = 0x20;

  static final VarHandle SHORT = bigEndian(short[].class);
  static final VarHandle INT = bigEndian(int[].class);
  static final VarHandle LONG = bigEndian(long[].class);

  private final KeyBuilder key;
  private final HostParts host;

  /** Adds to {@code key}, which may be added to in other ways, too. */
  public AdmKeyEncoder(KeyBuilder key) {
    this.key = key;
    this.host = new HostParts(key);
  }

  /**
   * Adds a field of a tuple.
   *
   * @throws UnsupportedFormatException if AsterixDB allows no key of its type
   * @throws CorruptionException if the range is not exactly one value
   */
  public void add(byte[] data, int offset, int length) {
    AdmType type = typeOf(data, offset, length);
    if (!type.isKey()) {
      throw new UnsupportedFormatException(
          "key field is of type "
              + (type + ", tag " + type.tag)
              + (", must be one of " + AdmType.keyTypes()));
    }
    addValue(type, data, offset + 1, length - 1);
  }

  /**
   * Adds a field of what is searched for, which may be of any type. One of which no key is becomes
   * a part that sorts against all keys as AsterixDB has it, and equals none; for the bound of a
   * range, never to be stored.
   *
   * @throws CorruptionException if the range does not begin with a type, or is of one of which keys
   *     are and not exactly one value
   */
  public void addSearched(byte[] data, int offset, int length) {
    AdmType type = typeOf(data, offset, length);
    if (type.isKey()) {
      addValue(type, data, offset + 1, length - 1);
    } else {
      host.addTag(HOST_TAGS + type.tag);
    }
  }

  private static AdmType typeOf(byte[] data, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, data.length);
    if (length == 0) {
      throw new CorruptionException("key field is empty, must begin with the tag of its type");
    }
    AdmType type = AdmType.of(data[offset]);
    if (type == null) {
      throw new CorruptionException(
          "key field begins with " + data[offset] + ", which is the tag of no type");
    }
    return type;
  }

  private void addValue(AdmType type, byte[] data, int at, int length) {
    if (type.bytes >= 0 && length != type.bytes) {
      throw damaged(type, length + " bytes after its tag, must have " + type.bytes);
    }
    int tag = HOST_TAGS + type.tag;
    switch (type) {
      case MISSING -> key.addMissing();
      case NULL -> key.addNull();
      case TINYINT -> key.add((long) data[at]);
      case SMALLINT -> key.add((long) (short) SHORT.get(data, at));
      case INTEGER -> key.add((long) (int) INT.get(data, at));
      case BIGINT -> key.add((long) LONG.get(data, at));
      case FLOAT -> key.addWithNegativeZero(Float.intBitsToFloat((int) INT.get(data, at)));
      case DOUBLE -> key.addWithNegativeZero(Double.longBitsToDouble((long) LONG.get(data, at)));
      case DATE, TIME, YEARMONTHDURATION -> host.addInt(tag, (int) INT.get(data, at));
      case DATETIME, DAYTIMEDURATION -> host.addLong(tag, (long) LONG.get(data, at));
      case UUID ->
          host.addLongs(tag, (long) LONG.get(data, at), (long) LONG.get(data, at + Long.BYTES));
      case STRING -> {
        int content = contentAt(type, data, at, at + length);
        host.addString(tag, data, content, at + length - content);
      }
      case BINARY -> {
        int content = contentAt(type, data, at, at + length);
        key.add(data, content, at + length - content);
      }
      default -> throw new AssertionError(type + " has no encoding");
    }
  }

  /**
   * Where the content of a value begins that goes on to {@code end}. Before it is its size in
   * groups of 7 bits, the highest first, all but the last with the sign bit set.
   */
  private static int contentAt(AdmType type, byte[] data, int from, int end) {
    long size = 0;
    int at = from;
    do {
      if (at == end || size > Integer.MAX_VALUE || (at > from && size == 0)) {
        String found = end - from + " bytes after its tag";
        throw damaged(type, found + " that do not begin with their size");
      }
      size = size << 7 | (data[at] & 0x7f);
    } while (data[at++] < 0);
    if (size != end - at) {
      String found = end - at + " bytes of content";
      throw damaged(type, found + ", must have " + size + " as it says");
    }
    return at;
  }

  private static CorruptionException damaged(AdmType type, String what) {
    return new CorruptionException("key field of type " + type + " has " + what);
  }

  private static VarHandle bigEndian(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
  }
}
