package org.loam.common.key;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Values of every type, and their order as it is meant, which knows nothing of the encoding. */
final class KeySamples {
  /** The order of values of all types. */
  static final Comparator<@Nullable Object> ORDER = KeySamples::compare;

  private static final Instant[] INSTANTS = {
    Instant.MIN,
    Instant.MIN.plusNanos(1),
    Instant.parse("1969-12-31T23:59:58.999999999Z"),
    Instant.parse("1969-12-31T23:59:59Z"),
    Instant.parse("1969-12-31T23:59:59.000000001Z"),
    Instant.parse("1969-12-31T23:59:59.999999999Z"),
    Instant.EPOCH,
    Instant.EPOCH.plusNanos(1),
    Instant.EPOCH.plusSeconds(1),
    Instant.parse("2020-01-01T00:00:00Z"),
    Instant.MAX.minusNanos(1),
    Instant.MAX,
  };

  private static final String[] STRINGS = {
    "",
    "\0",
    "\0\0",
    "\0\u0001",
    "\0a",
    "\u0001",
    "\u0001\0",
    "a",
    "a\0",
    "a\0\0",
    "a\0b",
    "a\u0001",
    "aa",
    "ab",
    "abc",
    "b",
    "\u007f",
    "\u0080",
    "\u00ff",
    "\u07ff",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\ufffd",
    "\uffff",
    "\uffffa",
    "\ud800\udc00",
    "\ud800\udc00\0",
    "\ud83d\ude00",
    "\udbff\udfff",
  };

  private static final String[] BYTES = {
    "", "00", "0000", "0001", "00ff", "01", "0100", "01ff", "61", "6100", "610001", "6100ff",
    "61ff", "7f", "80", "fe", "ff", "ff00", "ff0001", "ff00ff", "ff01", "ffff",
  };

  private static final List<@Nullable Object> SPECIAL = makeSpecial();

  private KeySamples() {}

  /** The values at which encodings go wrong, of every type, some of them equal. */
  static List<@Nullable Object> special() {
    return SPECIAL;
  }

  private static List<@Nullable Object> makeSpecial() {
    List<@Nullable Object> values = new ArrayList<>();
    values.add(Missing.MISSING);
    values.add(null);
    values.add(false);
    values.add(true);
    values.addAll(numbers());
    values.addAll(List.of(INSTANTS));
    values.addAll(List.of(STRINGS));
    for (String hex : BYTES) {
      values.add(HexFormat.of().parseHex(hex));
    }
    return Collections.unmodifiableList(values);
  }

  private static List<Object> numbers() {
    List<Object> numbers = new ArrayList<>();
    for (double d :
        new double[] {
          0.0,
          0.1,
          0.5,
          1.5,
          Double.MIN_VALUE,
          2 * Double.MIN_VALUE,
          Math.nextDown(Double.MIN_NORMAL),
          Double.MIN_NORMAL,
          Math.nextDown(1.0),
          Math.nextUp(1.0),
          Math.nextDown(0x1p63),
          0x1p63,
          Math.nextUp(0x1p63),
          0x1p64,
          1e300,
          Double.MAX_VALUE,
          Double.POSITIVE_INFINITY,
        }) {
      numbers.add(d);
      numbers.add(-d);
    }
    numbers.add(Double.NaN);
    numbers.add(Double.longBitsToDouble(0xfff8000000000123L));
    numbers.addAll(List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -1023L - (1L << 62)));
    for (long power : new long[] {1, 1L << 52, 1L << 53, 1L << 54, 1L << 62, Long.MAX_VALUE}) {
      for (long offset :
          new long[] {-1025, -1024, -1023, -513, -512, -4, -3, -2, -1, 0, 1, 2, 3, 4}) {
        if (offset <= 0 || power < Long.MAX_VALUE) {
          numbers.add(power + offset);
          numbers.add(-(power + offset));
          numbers.add((double) (power + offset));
        }
      }
    }
    return numbers;
  }

  static @Nullable Object random(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> SPECIAL.get(random.nextInt(SPECIAL.size()));
      case 1, 2 -> randomNumber(random);
      case 3 ->
          Instant.ofEpochSecond(
              random.nextLong(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond() + 1)
                  >> random.nextInt(56),
              random.nextInt(1_000_000_000));
      case 4, 5 -> randomString(random);
      default -> randomBytes(random);
    };
  }

  /** Numbers of all magnitudes, half of them next to a power of two. */
  static Object randomNumber(SplittableRandom random) {
    long v = random.nextLong() >> random.nextInt(64);
    return switch (random.nextInt(10)) {
      case 0, 1 -> v;
      case 2, 3 ->
          ((random.nextBoolean() ? 1L : -1L) << random.nextInt(64)) + random.nextInt(-2049, 2050);
      case 4, 5, 6 -> neighbour((double) v, random);
      case 7, 8 -> neighbour(Math.scalb(random.nextBoolean() ? 1 : -1, random.nextInt(70)), random);
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }

  /** A number near another, often closer than doubles lie. */
  static Object near(Object number, SplittableRandom random) {
    if (number instanceof Long v) {
      return random.nextBoolean()
          ? (Object) (v + random.nextInt(-3, 4))
          : (Object) neighbour((double) (long) v, random);
    }
    double d = (Double) number;
    return Math.abs(d) < 0x1p63 && random.nextBoolean()
        ? (Object) ((long) d + random.nextInt(-3, 4))
        : (Object) neighbour(d, random);
  }

  /** Adds a value by the method for its type. */
  static KeyBuilder add(KeyBuilder builder, @Nullable Object value) {
    if (value == null) {
      return builder.addNull();
    } else if (value instanceof Boolean b) {
      return builder.add(b.booleanValue());
    } else if (value instanceof Long v) {
      return builder.add(v.longValue());
    } else if (value instanceof Double d) {
      return builder.add(d.doubleValue());
    } else if (value instanceof Instant instant) {
      return builder.add(instant);
    } else if (value instanceof String string) {
      return builder.add(string);
    } else if (value instanceof byte[] bytes) {
      return builder.add(bytes);
    }
    return builder.addMissing();
  }

  static byte[] encode(@Nullable Object value, Direction direction) {
    return add(new KeyBuilder().direction(direction), value).toBytes();
  }

  /** What a failure shows. */
  static String text(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return "0x" + HexFormat.of().formatHex(bytes);
    }
    return value instanceof Double d ? Double.toHexString(d) : String.valueOf(value);
  }

  private static double neighbour(double d, SplittableRandom random) {
    return switch (random.nextInt(3)) {
      case 0 -> Math.nextUp(d);
      case 1 -> Math.nextDown(d);
      default -> d;
    };
  }

  private static String randomString(SplittableRandom random) {
    int[] alphabet = {0, 1, 'a', 'b', 0xff, 0x7ff, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(6); n > 0; n--) {
      text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    return text.toString();
  }

  private static byte[] randomBytes(SplittableRandom random) {
    byte[] alphabet = {0, 0, 1, 2, 'a', -2, -1, -1};
    byte[] bytes = new byte[random.nextInt(6)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return bytes;
  }

  private static int compare(@Nullable Object a, @Nullable Object b) {
    int rank = Integer.compare(rank(a), rank(b));
    if (rank != 0 || a == null || b == null) {
      return rank;
    }
    if (a instanceof Number x && b instanceof Number y) {
      return compareNumbers(x, y);
    } else if (a instanceof Instant x && b instanceof Instant y) {
      return x.compareTo(y);
    } else if (a instanceof String x && b instanceof String y) {
      return Arrays.compare(x.codePoints().toArray(), y.codePoints().toArray());
    } else if (a instanceof byte[] x && b instanceof byte[] y) {
      return compareBytes(x, y);
    }
    return 0;
  }

  private static int rank(@Nullable Object value) {
    if (value == Missing.MISSING) {
      return 0;
    } else if (value == null) {
      return 1;
    } else if (value instanceof Boolean b) {
      return b ? 3 : 2;
    } else if (value instanceof Number) {
      return 4;
    } else if (value instanceof Instant) {
      return 5;
    }
    return value instanceof String ? 6 : 7;
  }

  private static int compareNumbers(Number a, Number b) {
    int place = Integer.compare(place(a), place(b));
    return place != 0 || place(a) != 0 ? place : decimal(a).compareTo(decimal(b));
  }

  /** Which of -Infinity, finite numbers, Infinity, NaN it belongs to. */
  private static int place(Number n) {
    double d = n.doubleValue();
    return Double.isNaN(d) ? 2 : !Double.isInfinite(d) ? 0 : d > 0 ? 1 : -1;
  }

  /** The exact value of a finite number. */
  static BigDecimal decimal(Number n) {
    return n instanceof Long v ? BigDecimal.valueOf(v) : new BigDecimal(n.doubleValue());
  }

  private static int compareBytes(byte[] a, byte[] b) {
    for (int i = 0; i < a.length && i < b.length; i++) {
      if (a[i] != b[i]) {
        return Integer.compare(a[i] & 0xff, b[i] & 0xff);
      }
    }
    return Integer.compare(a.length, b.length);
  }
}
