package org.loam.asterix.key;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The types of AsterixDB's values. The tag of its type is the first byte of each value. */
enum AdmType {
  TINYINT(1, 1),
  SMALLINT(2, 2),
  INTEGER(3, 4),
  BIGINT(4, 8),
  UINT8(5),
  UINT16(6),
  UINT32(7),
  UINT64(8),
  BINARY(9, AdmType.LENGTH_FIRST),
  BITARRAY(10),
  FLOAT(11, 4),
  DOUBLE(12, 8),
  STRING(13, AdmType.LENGTH_FIRST),
  MISSING(14, 0),
  BOOLEAN(15),
  DATETIME(16, 8),
  DATE(17, 4),
  TIME(18, 4),
  DURATION(19),
  POINT(20),
  POINT3D(21),
  ARRAY(22),
  MULTISET(23),
  OBJECT(24),
  SPARSOBJECT(25),
  UNION(26),
  ENUM(27),
  TYPE(28),
  ANY(29),
  LINE(30),
  POLYGON(31),
  CIRCLE(32),
  RECTANGLE(33),
  INTERVAL(34),
  SYSTEM_NULL(35),
  YEARMONTHDURATION(36, 4),
  DAYTIMEDURATION(37, 8),
  UUID(38, 16),
  SHORTWITHOUTTYPEINFO(40),
  NULL(41, 0),
  GEOMETRY(42);

  /** In place of a size: the value begins with the size of its content, a varint. */
  static final int LENGTH_FIRST = -1;

  private static final int NO_KEY = -2;

  private static final @Nullable AdmType[] BY_TAG = new AdmType[GEOMETRY.tag + 1];

  static {
    for (AdmType type : values()) {
      BY_TAG[type.tag] = type;
    }
  }

  final int tag;

  /** The size of a value without its tag, or {@link #LENGTH_FIRST}. */
  final int bytes;

  /** A type of which no key is. */
  AdmType(int tag) {
    this(tag, NO_KEY);
  }

  AdmType(int tag, int bytes) {
    this.tag = tag;
    this.bytes = bytes;
  }

  /** The type with this tag, or null if there is none. */
  static @Nullable AdmType of(byte tag) {
    return tag < 0 || tag >= BY_TAG.length ? null : BY_TAG[tag];
  }

  /** Whether a field of a key may have it. */
  boolean isKey() {
    return bytes != NO_KEY;
  }

  /** Whether a field of a key is a number, which does not say of which type. */
  boolean isNumber() {
    return switch (this) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE -> true;
      default -> false;
    };
  }

  /** Whether a field of a key is a signed number, or two, under the type's own tag. */
  boolean isSigned() {
    return bytes > 0 && !isNumber();
  }

  static String keyTypes() {
    return Arrays.stream(values())
        .filter(AdmType::isKey)
        .map(AdmType::toString)
        .collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
