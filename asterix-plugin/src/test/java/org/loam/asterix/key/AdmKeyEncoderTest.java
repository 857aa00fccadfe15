package org.loam.asterix.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.asterix.om.types.ATypeTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;

class AdmKeyEncoderTest {
  private final KeyBuilder key = new KeyBuilder();
  private final AdmKeyEncoder encoder = new AdmKeyEncoder(key);

  /** The bytes of the format. Keys on disk have them: a line may be added, never changed. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          0e, 02
          29, 04
          01 ff, 0a 400fffffffffffff
          02 8000, 0a 3f1fffffffffffff
          03 0000000c, 0a c028000000000000
          04 0020000000000001, 0a c340000000000000 0001
          0b 3f000000, 0a bfe0000000000000
          0b 80000000, 0a 7fffffffffffffff
          0b ffc00000, 0a fff8000000000000
          0c 3fe0000000000000, 0a bfe0000000000000
          0c 8000000000000000, 0a 7fffffffffffffff
          0c 0000000000000000, 0a 8000000000000000
          09 03 0a00ff, 16 0a00ffff 0001
          0d 00, 2d 0001
          0d 05 61c080c3a9, 2d 6100ffc3a9 0001
          0d 06 eda080edb080, 2d eda080edb080 0001
          10 ffffffffffffffff, 30 7fffffffffffffff
          11 00000001, 31 80000001
          12 05265bff, 32 85265bff
          24 ffffffff, 44 7fffffff
          25 0000000000000000, 45 8000000000000000
          26 80000000000000000000000000000001, 46 00000000000000008000000000000001
          """)
  void aFieldBecomesTheseBytes(String field, String expected) {
    byte[] bytes = parse(field);
    encoder.add(bytes, 0, bytes.length);
    assertThat(HexFormat.of().formatHex(key.toBytes())).isEqualTo(expected.replace(" ", ""));
  }

  @Test
  void typesAreThoseOfAsterixDb() {
    for (ATypeTag type : ATypeTag.values()) {
      assertThat(AdmType.of(type.serialize()))
          .isNotNull()
          .returns(type.name(), AdmType::name)
          .returns(
              AdmOrder.KEY_TYPES.containsKey(type)
                  || type == ATypeTag.NULL
                  || type == ATypeTag.MISSING,
              AdmType::isKey);
    }
    assertThat(AdmType.values()).hasSameSizeAs(ATypeTag.values());
  }

  @Test
  void aTypeOfWhichNoKeyIsIsNamed() {
    byte[] before = key.add(7).toBytes();
    byte[] array = {22, 0, 0, 0, 0};
    assertThatThrownBy(() -> encoder.add(array, 0, 5))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "key field is of type array, tag 22, must be one of tinyint, smallint, integer, bigint,"
                + " binary, float, double, string, missing, datetime, date, time,"
                + " yearmonthduration, daytimeduration, uuid, null");
    for (AdmValue other : AdmSamples.ofOtherTypes()) {
      assertThatThrownBy(() -> encoder.add(other.bytes(), 0, other.bytes().length))
          .isInstanceOf(UnsupportedFormatException.class);
    }
    assertThat(key.toBytes()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''              | key field is empty, must begin with the tag of its type
          00              | key field begins with 0, which is the tag of no type
          27              | key field begins with 39, which is the tag of no type
          2b              | key field begins with 43, which is the tag of no type
          ff              | key field begins with -1, which is the tag of no type
          0e00            | key field of type missing has 1 bytes after its tag, must have 0
          04000000        | key field of type bigint has 3 bytes after its tag, must have 8
          110000000000    | key field of type date has 5 bytes after its tag, must have 4
          26              | key field of type uuid has 0 bytes after its tag, must have 16
          0d              | key field of type string has 0 bytes after its tag that do not begin with their size
          0d80            | key field of type string has 1 bytes after its tag that do not begin with their size
          09808000        | key field of type binary has 3 bytes after its tag that do not begin with their size
          098001ff        | key field of type binary has 3 bytes after its tag that do not begin with their size
          09ffffffffff7f  | key field of type binary has 6 bytes after its tag that do not begin with their size
          09ffffffff7f    | key field of type binary has 0 bytes of content, must have 34359738367 as it says
          0d026100ff      | key field of type string has 3 bytes of content, must have 2 as it says
          0d0461          | key field of type string has 1 bytes of content, must have 4 as it says
          0d0261f0        | byte 0xf0 at offset 1 of a string of 2 bytes begins no unit of modified UTF-8
          """)
  void damageIsNamed(String field, String message) {
    byte[] before = key.add(7).toBytes();
    byte[] bytes = parse(field);
    assertThatThrownBy(() -> encoder.add(bytes, 0, bytes.length))
        .isInstanceOf(CorruptionException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> encoder.addSearched(bytes, 0, bytes.length))
        .isInstanceOf(CorruptionException.class)
        .hasMessage(message);
    assertThat(key.toBytes()).isEqualTo(before);
  }

  /** What lies around the field neither completes it nor shows in its key. */
  @Test
  void onlyTheRangeIsRead() {
    for (ATypeTag type : AdmOrder.KEY_TYPES.keySet()) {
      for (AdmValue value : AdmSamples.special(type)) {
        byte[] bytes = value.bytes();
        byte[] padded = new byte[bytes.length + 40];
        Arrays.fill(padded, (byte) 0x81);
        System.arraycopy(bytes, 0, padded, 20, bytes.length);
        key.clear();
        encoder.add(padded, 20, bytes.length);
        assertThat(key.toBytes()).isEqualTo(value.key(Direction.ASCENDING));
        int step = Math.max(1, bytes.length / 50);
        for (int length = 0; length < bytes.length; length += step) {
          assertRefused(padded, 20, length);
        }
        assertRefused(padded, 20, bytes.length + 1);
      }
    }
    assertThatThrownBy(() -> encoder.add(new byte[3], 1, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** The array ends with the field, so that reading on would show. */
  @Test
  void anyBytesAreAKeyOrRefused() {
    SplittableRandom random = new SplittableRandom(5);
    int[] outcomes = new int[2];
    for (int n = 0; n < 50_000; n++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      if (bytes.length > 2) {
        bytes[0] = (byte) random.nextInt(44);
        bytes[1] = random.nextBoolean() ? (byte) (bytes.length - 2) : bytes[1];
      }
      key.clear();
      try {
        encoder.add(bytes, 0, bytes.length);
        outcomes[1]++;
      } catch (StorageException e) {
        assertThat(key.length()).isZero();
        outcomes[0]++;
      }
    }
    assertThat(Math.min(outcomes[0], outcomes[1])).isGreaterThan(500);
  }

  private void assertRefused(byte[] bytes, int offset, int length) {
    key.clear();
    try {
      encoder.add(bytes, offset, length);
      fail("%d of %s", length, HexFormat.of().formatHex(bytes));
    } catch (CorruptionException e) {
      assertThat(key.length()).isZero();
    }
  }

  private static byte[] parse(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
