package org.loam.asterix.key;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.asterix.om.base.ABinary;
import org.apache.asterix.om.base.ADate;
import org.apache.asterix.om.base.ADateTime;
import org.apache.asterix.om.base.ADayTimeDuration;
import org.apache.asterix.om.base.ADouble;
import org.apache.asterix.om.base.AFloat;
import org.apache.asterix.om.base.AInt16;
import org.apache.asterix.om.base.AInt32;
import org.apache.asterix.om.base.AInt64;
import org.apache.asterix.om.base.AInt8;
import org.apache.asterix.om.base.AMissing;
import org.apache.asterix.om.base.ANull;
import org.apache.asterix.om.base.AString;
import org.apache.asterix.om.base.ATime;
import org.apache.asterix.om.base.AUUID;
import org.apache.asterix.om.base.AYearMonthDuration;
import org.apache.asterix.om.base.IAObject;
import org.apache.asterix.om.types.ATypeTag;

/** Values of every type that a key may have, those at which encodings go wrong and random ones. */
final class AdmSamples {
  static final AdmValue MISSING = AdmValue.of(AMissing.MISSING);
  static final AdmValue NULL = AdmValue.of(ANull.NULL);

  private static final double[] REALS = {
    Double.NEGATIVE_INFINITY,
    -Double.MAX_VALUE,
    -0x1p63,
    -0x1p53 - 2,
    -0x1p53,
    -16777217,
    -16777216,
    -1.5,
    -1,
    -Double.MIN_NORMAL,
    -Float.MIN_VALUE,
    -Double.MIN_VALUE,
    -0.0,
    0.0,
    Double.MIN_VALUE,
    Float.MIN_VALUE,
    Math.nextDown(Double.MIN_NORMAL),
    Float.MIN_NORMAL,
    0.1,
    0.1f,
    1,
    1.5,
    127,
    16777216,
    16777217,
    0x1p53 - 1,
    0x1p53,
    0x1p53 + 2,
    0x1p62,
    0x1p63,
    Float.MAX_VALUE,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN,
    Double.longBitsToDouble(0xfff8000000000123L),
    Double.longBitsToDouble(0x7ff0000000000001L),
  };

  private static final long[] INTEGERS = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    -(1L << 53) - 1,
    -(1L << 53),
    Integer.MIN_VALUE,
    -16777217,
    Short.MIN_VALUE,
    -129,
    Byte.MIN_VALUE,
    -1,
    0,
    1,
    Byte.MAX_VALUE,
    128,
    Short.MAX_VALUE,
    16777216,
    16777217,
    Integer.MAX_VALUE,
    (1L << 53) - 1,
    1L << 53,
    (1L << 53) + 1,
    (1L << 53) + 2,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE,
  };

  private static final String UNITS =
      "\0\u0001 aab\u007f\u0080\u07ff\u0800\ud7ff\ud800\ud83d\udbff\udc00\ude00\udfff\ue000\uffff";

  private static final Map<ATypeTag, List<AdmValue>> SPECIAL = special();

  private AdmSamples() {}

  static List<AdmValue> special(ATypeTag type) {
    return Objects.requireNonNull(SPECIAL.get(type));
  }

  /** One of every type of which no key is, but those that are reserved and have no values. */
  static List<AdmValue> ofOtherTypes() {
    Set<ATypeTag> left = EnumSet.allOf(ATypeTag.class);
    left.removeAll(AdmOrder.KEY_TYPES.keySet());
    left.removeAll(EnumSet.of(ATypeTag.MISSING, ATypeTag.NULL));
    left.removeAll(EnumSet.range(ATypeTag.UINT8, ATypeTag.UINT64));
    left.removeAll(EnumSet.of(ATypeTag.BITARRAY, ATypeTag.ANY));
    return left.stream().map(AdmValue::ofOtherType).toList();
  }

  private static Map<ATypeTag, List<AdmValue>> special() {
    Map<ATypeTag, List<AdmValue>> values = new EnumMap<>(ATypeTag.class);
    for (ATypeTag type : AdmOrder.KEY_TYPES.keySet()) {
      List<AdmValue> ofType = new ArrayList<>();
      switch (type) {
        case FLOAT, DOUBLE -> {
          for (double d : REALS) {
            ofType.add(AdmValue.of(real(type, d)));
          }
        }
        case STRING -> {
          for (String text : strings()) {
            ofType.add(AdmValue.of(new AString(text)));
          }
        }
        case BINARY -> {
          for (String hex : List.of("", "00", "0000", "0001", "00ff", "01", "7f", "80", "80ff")) {
            ofType.add(AdmValue.of(new ABinary(HexFormat.of().parseHex(hex))));
          }
          ofType.add(AdmValue.of(new ABinary(HexFormat.of().parseHex("ff"))));
          ofType.add(AdmValue.of(new ABinary(HexFormat.of().parseHex("ff00"))));
          ofType.add(AdmValue.of(new ABinary(new byte[200])));
          ofType.add(AdmValue.of(new ABinary(new byte[20_000])));
        }
        case UUID -> {
          for (long high : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
            for (long low : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
              ofType.add(AdmValue.of(uuid(high, low)));
            }
          }
        }
        default -> {
          for (long v : INTEGERS) {
            ofType.add(AdmValue.of(integer(type, v)));
          }
        }
      }
      values.put(type, List.copyOf(ofType));
    }
    return values;
  }

  private static List<String> strings() {
    List<String> strings = new ArrayList<>(List.of("", "a\0", "aa", "ab", "a\ud83d\ude00"));
    for (int i = 0; i < UNITS.length(); i++) {
      strings.add(UNITS.substring(i, i + 1));
    }
    // Lengths of which the size takes 1, 2 and 3 bytes.
    strings.add("a".repeat(127));
    strings.add("a".repeat(128));
    strings.add("a".repeat(16_384));
    strings.add("\uffff".repeat(50));
    return strings;
  }

  /** A value of this type; many of them are equal, close, or the beginning of another. */
  static AdmValue random(ATypeTag type, SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      List<AdmValue> special = special(type);
      return special.get(random.nextInt(special.size()));
    }
    return AdmValue.of(
        switch (type) {
          case FLOAT, DOUBLE -> real(type, randomReal(random));
          case STRING -> new AString(randomString(random));
          case BINARY -> new ABinary(randomBytes(random));
          case UUID -> uuid(randomInteger(random), randomInteger(random));
          default -> integer(type, randomInteger(random));
        });
  }

  private static IAObject real(ATypeTag type, double value) {
    return type == ATypeTag.FLOAT ? new AFloat((float) value) : new ADouble(value);
  }

  /** The types that are an integer inside, cut to what they hold. */
  private static IAObject integer(ATypeTag type, long value) {
    return switch (type) {
      case TINYINT -> new AInt8((byte) value);
      case SMALLINT -> new AInt16((short) value);
      case INTEGER -> new AInt32((int) value);
      case BIGINT -> new AInt64(value);
      case DATE -> new ADate((int) value);
      case TIME -> new ATime((int) value);
      case DATETIME -> new ADateTime(value);
      case YEARMONTHDURATION -> new AYearMonthDuration((int) value);
      case DAYTIMEDURATION -> new ADayTimeDuration(value);
      default -> throw new AssertionError(type);
    };
  }

  private static AUUID uuid(long high, long low) {
    return new AUUID(ByteBuffer.allocate(16).putLong(high).putLong(low).array());
  }

  private static long randomInteger(SplittableRandom random) {
    return (random.nextLong() >> random.nextInt(64)) + random.nextInt(-1, 2);
  }

  private static double randomReal(SplittableRandom random) {
    double d =
        switch (random.nextInt(4)) {
          case 0 -> Double.longBitsToDouble(random.nextLong());
          case 1 -> Float.intBitsToFloat(random.nextInt());
          case 2 -> randomInteger(random) / 4.0;
          default -> randomInteger(random);
        };
    return switch (random.nextInt(4)) {
      case 0 -> Math.nextUp(d);
      case 1 -> Math.nextDown(d);
      default -> d;
    };
  }

  private static String randomString(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(5); n > 0; n--) {
      text.append(UNITS.charAt(random.nextInt(UNITS.length())));
    }
    return text.toString();
  }

  private static byte[] randomBytes(SplittableRandom random) {
    byte[] alphabet = {0, 0, 1, 0x7f, -128, -1, -1};
    byte[] bytes = new byte[random.nextInt(5)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return bytes;
  }
}
