package org.loam.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.loam.common.key.Direction.ASCENDING;
import static org.loam.common.key.Direction.DESCENDING;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.error.CorruptionException;

@Tag("once")
class KeyReaderTest {
  private static final Pattern MESSAGE =
      Pattern.compile("key offset (\\d+) of (\\d+), (byte 0x[0-9a-f]{2}|the end): .+");

  @ParameterizedTest
  @EnumSource(Direction.class)
  void everyValueComesBack(Direction direction) {
    for (Object value : KeySamples.special()) {
      assertComesBack(value, direction);
    }
    SplittableRandom random = new SplittableRandom(5);
    for (int n = 0; n < 5_000; n++) {
      assertComesBack(KeySamples.random(random), direction);
    }
  }

  @Test
  void numbersAreLongsWhereTheyCanBe() {
    assertThat(roundTrip(3.0)).isEqualTo(3L);
    assertThat(roundTrip(-0.0)).isEqualTo(0L);
    assertThat(roundTrip(0x1p62)).isEqualTo(1L << 62);
    assertThat(roundTrip(-0x1p63)).isEqualTo(Long.MIN_VALUE);
    assertThat(roundTrip(0x1p63)).isEqualTo(0x1p63);
    assertThat(roundTrip(Math.nextDown(-0x1p63))).isEqualTo(Math.nextDown(-0x1p63));
    assertThat(roundTrip(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(roundTrip(3.5)).isEqualTo(3.5);
    assertThat(roundTrip(Double.NaN)).isEqualTo(Double.NaN);
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aNegativeZeroThatWasToldApartComesBack(Direction direction) {
    byte[] key = new KeyBuilder().direction(direction).addWithNegativeZero(-0.0).toBytes();
    assertThat(new KeyReader(key).next(direction)).isEqualTo(-0.0);
  }

  @Test
  void partsEndWhereTheNextBegins() {
    SplittableRandom random = new SplittableRandom(6);
    KeyBuilder builder = new KeyBuilder();
    for (int n = 0; n < 2_000; n++) {
      builder.clear();
      int[] ends = new int[5];
      Direction[] directions = new Direction[ends.length];
      Object[] values = new Object[ends.length];
      for (int i = 0; i < ends.length; i++) {
        directions[i] = random.nextBoolean() ? ASCENDING : DESCENDING;
        values[i] = KeySamples.random(random);
        ends[i] = KeySamples.add(builder.direction(directions[i]), values[i]).length();
      }
      byte[] raw = new byte[1 + random.nextInt(5)];
      random.nextBytes(raw);
      byte[] padded = new byte[builder.length() + raw.length + 4];
      builder.addRaw(raw, 0, raw.length).copyTo(padded, 3);

      KeyReader reader = new KeyReader(padded, 3, builder.length());
      for (int i = 0; i < ends.length; i++) {
        if (random.nextBoolean()) {
          reader.skip(directions[i]);
        } else {
          Object value = reader.next(directions[i]);
          assertThat(KeySamples.ORDER.compare(value, values[i])).isZero();
        }
        assertThat(reader.position()).isEqualTo(ends[i]);
        assertThat(reader.hasNext()).isTrue();
      }
      byte[] rest = Arrays.copyOfRange(padded, 3 + reader.position(), 3 + builder.length());
      assertThat(rest).isEqualTo(raw);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          00         | key offset 0 of 1, byte 0x00: no tag of an ascending part
          20         | key offset 0 of 1, byte 0x20: no tag of an ascending part
          0x         | key offset 0 of 0, the end: a part should begin here
          f5         | key offset 0 of 1, byte 0xf5: no tag of an ascending part
          0a80000000 | key offset 5 of 5, the end: the part is cut off
          0a7fffffffffffffff | decodes
          0afff8000000000001 | key offset 1 of 9, byte 0xff: a number that is never written so
          0a0007ffffffffffff | key offset 1 of 9, byte 0x00: a number that is never written so
          0ac340000000000000 | key offset 9 of 9, the end: the part is cut off
          0ac34000000000000000 | key offset 10 of 10, the end: the part is cut off
          0ac3400000000000000002 | key offset 9 of 11, byte 0x00: residual 2 reaches the next double
          0ac3dfffffffffffff0400 | key offset 9 of 11, byte 0x04: residual 1024 reaches the next double
          0a3cbffffffffffffe0002 | key offset 9 of 11, byte 0x00: residual 2 reaches the next double
          0ac3dfffffffffffffffff | key offset 9 of 11, byte 0xff: residual 65535 reaches the next double
          0e800000000000000000000000 | decodes
          0e80000000000000003b9aca00 | key offset 9 of 13, byte 0x3b: a timestamp with 1000000000 nanoseconds
          0e8000000000000000ffffffff | key offset 9 of 13, byte 0xff: a timestamp with 4294967295 nanoseconds
          0e80701cd2fa95790000000000 | key offset 1 of 13, byte 0x80: a timestamp of 31556889864403200 seconds
          0e7f8fe310146413ff00000000 | key offset 1 of 13, byte 0x7f: a timestamp of -31557014167219201 seconds
          12         | key offset 1 of 1, the end: the part is cut off
          1261       | key offset 2 of 2, the end: the part is cut off
          126100     | key offset 3 of 3, the end: the part is cut off
          126100ff   | key offset 4 of 4, the end: the part is cut off
          12610002   | key offset 3 of 4, byte 0x02: neither an escaped zero nor an end
          12610000   | key offset 3 of 4, byte 0x00: neither an escaped zero nor an end
          12efbfbd0001 | decodes
          1200ff61800001 | key offset 4 of 7, byte 0x80: not UTF-8
          12c00001     | key offset 1 of 4, byte 0xc0: not UTF-8
          12c1810001   | key offset 1 of 5, byte 0xc1: not UTF-8
          12eda0800001 | key offset 1 of 6, byte 0xed: not UTF-8
          12f48080800001 | decodes
          12f49080800001 | key offset 1 of 7, byte 0xf4: not UTF-8
          1661800001 | decodes
          """)
  void damageIsNamed(String hex, String outcome) {
    byte[] key = HexFormat.of().parseHex(hex.replace("0x", ""));
    KeyReader reader = new KeyReader(key);
    if (outcome.equals("decodes")) {
      reader.next(ASCENDING);
      assertThat(reader.hasNext()).isFalse();
    } else {
      assertThatThrownBy(() -> reader.next(ASCENDING))
          .isInstanceOf(CorruptionException.class)
          .hasMessage(outcome);
      assertThat(reader.position()).isZero();
      boolean isNumber = hex.startsWith("0a");
      assertThatThrownBy(() -> reader.nextLong(ASCENDING))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(isNumber ? outcome : "a number should begin here");
      assertThatThrownBy(() -> reader.nextDouble(ASCENDING))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(isNumber ? outcome : "a number should begin here");
      assertThat(reader.position()).isZero();
    }
  }

  @Test
  void aPartOfTheOtherDirectionIsNamed() {
    byte[] key = new KeyBuilder().addNull().direction(DESCENDING).add(5).toBytes();
    KeyReader reader = new KeyReader(key);
    assertThat(reader.next(ASCENDING)).isNull();
    assertThatThrownBy(() -> reader.skip(ASCENDING))
        .hasMessage("key offset 1 of 10, byte 0xf5: no tag of an ascending part");
    assertThatThrownBy(() -> new KeyReader(key).next(DESCENDING))
        .hasMessage("key offset 0 of 10, byte 0x04: no tag of a descending part");
    assertThat(reader.next(DESCENDING)).isEqualTo(5L);
    assertThatThrownBy(() -> new KeyReader(key, 1, 9).skip(ASCENDING))
        .hasMessage("key offset 0 of 9, byte 0xf5: no tag of an ascending part");
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aPartCutOffAnywhereIsDamaged(Direction direction) {
    for (Object value : KeySamples.special()) {
      byte[] key = KeySamples.encode(value, direction);
      for (int length = 0; length < key.length; length++) {
        // The bytes cut off still follow: they must not be read.
        if (endOfPart(key, 0, length, direction) >= 0) {
          fail("%s is whole with %d bytes", KeySamples.text(value), length);
        }
      }
    }
  }

  /** A key has one encoding, so whatever still decodes after damage is the key of another value. */
  @ParameterizedTest
  @EnumSource(Direction.class)
  void everyDamagedByteIsRefusedOrMakesAnotherKey(Direction direction) {
    int[] outcomes = new int[2];
    SplittableRandom random = new SplittableRandom(9);
    for (Object value : KeySamples.special()) {
      byte[] key = KeySamples.encode(value, direction);
      byte[] padded = new byte[key.length + 8];
      for (int i = 0; i < key.length; i++) {
        for (int bits : new int[] {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
          Arrays.fill(padded, (byte) random.nextInt(-1, 2));
          System.arraycopy(key, 0, padded, 4, key.length);
          padded[4 + i] ^= (byte) bits;
          int end = endOfPart(padded, 4, key.length, direction);
          outcomes[end < 0 ? 0 : 1]++;
        }
      }
    }
    assertThat(outcomes[0]).as("refused").isGreaterThan(1000);
    assertThat(outcomes[1]).as("another key").isGreaterThan(1000);
  }

  @Test
  void everyValueOfEveryByteIsRefusedOrMakesAnotherKey() {
    for (Object value :
        List.of(0L, (1L << 53) + 1, Long.MAX_VALUE, 0.1, "a\0\u00e9\ud800\udc00", new byte[2])) {
      byte[] key = KeySamples.encode(value, ASCENDING);
      for (int i = 0; i < key.length; i++) {
        byte intact = key[i];
        for (int b = 0; b < 256; b++) {
          key[i] = (byte) b;
          int end = endOfPart(key, 0, key.length, ASCENDING);
          if (b == (intact & 0xff)) {
            assertThat(end).isEqualTo(key.length);
          }
        }
        key[i] = intact;
      }
    }
  }

  @Test
  void aRangeOutsideOfTheArrayIsRefused() {
    assertThatThrownBy(() -> new KeyReader(new byte[3], 1, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static void assertComesBack(@Nullable Object value, Direction direction) {
    byte[] key = KeySamples.encode(value, direction);
    KeyReader reader = new KeyReader(key);
    Object back = reader.next(direction);
    assertThat(reader.hasNext()).isFalse();
    if (value instanceof Number n) {
      assertThat(reader.reset(key, 0, key.length).nextLong(direction))
          .isEqualTo(((Number) back).longValue());
      assertThat(reader.hasNext()).isFalse();
      assertThat(reader.reset(key, 0, key.length).nextDouble(direction))
          .isEqualTo((Double) ((Number) back).doubleValue());
      assertThat(reader.hasNext()).isFalse();
    }
    if (value instanceof Number n && isLong(n)) {
      assertThat(back).isEqualTo(KeySamples.decimal(n).longValueExact());
    } else {
      assertThat(back).isEqualTo(value instanceof Double d && d.isNaN() ? Double.NaN : value);
    }
  }

  private static boolean isLong(Number n) {
    if (n instanceof Long) {
      return true;
    }
    double d = n.doubleValue();
    return d == Math.rint(d) && d >= -0x1p63 && d < 0x1p63;
  }

  private static @Nullable Object roundTrip(Object number) {
    return new KeyReader(KeySamples.encode(number, ASCENDING)).next(ASCENDING);
  }

  /** The key of a value that was read: it is -0.0 only if that was told apart. */
  private static byte[] encodeAsRead(@Nullable Object value, Direction direction) {
    return value instanceof Double d && d == 0
        ? new KeyBuilder().direction(direction).addWithNegativeZero(d).toBytes()
        : KeySamples.encode(value, direction);
  }

  /**
   * Reads a part of a key that may be damaged, checks that all agree on it, and returns the offset
   * of its end, or -1 if it was refused.
   */
  private static int endOfPart(byte[] bytes, int offset, int length, Direction direction) {
    KeyReader reader = new KeyReader(bytes, offset, length);
    try {
      Object value = reader.next(direction);
      int end = reader.position();
      byte[] part = Arrays.copyOfRange(bytes, offset, offset + end);
      KeyReader skipping = new KeyReader(bytes, offset, length);
      skipping.skip(direction);
      if (end > length
          || skipping.position() != end
          || !Arrays.equals(encodeAsRead(value, direction), part)) {
        fail("%s ends at %d of %s", KeySamples.text(value), end, KeySamples.text(bytes));
      }
      return end;
    } catch (CorruptionException e) {
      Matcher message = MESSAGE.matcher(e.getMessage());
      if (!message.matches()
          || Integer.parseInt(message.group(1)) > length
          || Integer.parseInt(message.group(2)) != length
          || reader.position() != 0) {
        fail("at " + reader.position(), e);
      }
      return -1;
    }
  }
}
