package org.loam.asterix.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.asterix.om.base.AInt64;
import org.apache.asterix.om.base.AString;
import org.apache.asterix.om.types.ATypeTag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;

class AdmKeyFieldsTest {
  private static final List<ATypeTag> TYPES = List.copyOf(AdmOrder.KEY_TYPES.keySet());

  private static byte[] key(List<byte[]> fields) {
    KeyBuilder key = new KeyBuilder();
    AdmKeyEncoder encoder = new AdmKeyEncoder(key);
    fields.forEach(field -> encoder.add(field, 0, field.length));
    return key.toBytes();
  }

  private static AdmKeyFields fields(ATypeTag... types) {
    byte[] tags = new byte[types.length];
    for (int i = 0; i < tags.length; i++) {
      tags[i] = types[i].serialize();
    }
    return new AdmKeyFields(tags);
  }

  /** Reads a key that is somewhere in an array, and checks that all of these come back. */
  private static void check(AdmKeyFields fields, List<byte[]> values) {
    byte[] key = key(values);
    byte[] array = new byte[key.length + 7];
    Arrays.fill(array, (byte) 0x2d);
    System.arraycopy(key, 0, array, 3, key.length);
    fields.read(array, 3, key.length);
    for (int i = 0; i < values.size(); i++) {
      byte[] value = values.get(i);
      int start = fields.start(i);
      assertThat(Arrays.copyOfRange(fields.array(), start, start + fields.length(i)))
          .as(HexFormat.of().formatHex(value))
          .isEqualTo(value);
      assertThat(fields.has(i, value, 0, value.length)).isTrue();
      assertThat(fields.has(i, value, 0, value.length - 1)).isFalse();
    }
  }

  @Test
  void aFieldComesBack() {
    for (ATypeTag type : TYPES) {
      AdmKeyFields fields = fields(type);
      check(fields, List.of(AdmSamples.MISSING.bytes()));
      check(fields, List.of(AdmSamples.NULL.bytes()));
      AdmSamples.special(type).forEach(value -> check(fields, List.of(value.bytes())));
      SplittableRandom random = new SplittableRandom(8);
      for (int n = 0; n < 3000; n++) {
        check(fields, List.of(AdmSamples.random(type, random).bytes()));
      }
    }
  }

  @Test
  void fieldsComeBackInTheirOrder() {
    SplittableRandom random = new SplittableRandom(7);
    for (int n = 0; n < 500; n++) {
      ATypeTag[] types = new ATypeTag[1 + random.nextInt(4)];
      Arrays.setAll(types, i -> TYPES.get(random.nextInt(TYPES.size())));
      AdmKeyFields fields = fields(types);
      for (int key = 0; key < 10; key++) {
        List<byte[]> values = new ArrayList<>();
        for (ATypeTag type : types) {
          AdmValue unknown = random.nextBoolean() ? AdmSamples.NULL : AdmSamples.MISSING;
          AdmValue value = random.nextInt(8) == 0 ? unknown : AdmSamples.random(type, random);
          values.add(value.bytes());
        }
        check(fields, values);
      }
    }
  }

  /** The key is that of another value, too: the field cannot be left out of what is stored. */
  @ParameterizedTest
  @CsvSource({
    "FLOAT, 0b7fc00001", // a NaN
    "FLOAT, 0bffc00000",
    "DOUBLE, 0c7ff8000000000001",
    "DOUBLE, 0cfff8000000000000",
    "STRING, 0d0100", // a zero in one byte
    "STRING, 0d03610062",
    "BIGINT, 0300000005", // a number of another type, if it were there
    "BIGINT, 0c4014000000000000",
    "BIGINT, 0c4014800000000000",
    "TINYINT, 040000000000000100",
    "DOUBLE, 040020000000000001",
    "FLOAT, 0c3fb999999999999a",
    "STRING, 040000000000000005",
    "ANY, 040000000000000005",
  })
  void whatDoesNotComeBackIsNoticed(ATypeTag type, String hex) {
    byte[] value = HexFormat.of().parseHex(hex);
    byte[] next = AdmValue.of(new AString("next")).bytes();
    AdmKeyFields fields = fields(type, ATypeTag.STRING);
    byte[] key = key(List.of(value, next));
    fields.read(key, 0, key.length);
    assertThat(fields.has(0, value, 0, value.length)).isFalse();
    assertThat(fields.has(1, next, 0, next.length)).isTrue();
  }

  @Test
  void onlyNumbersNeedTheTypeOfTheIndex() {
    List<ATypeTag> others = new ArrayList<>(TYPES);
    others.removeIf(type -> Objects.requireNonNull(AdmType.of(type.serialize())).isNumber());
    assertThat(others).hasSize(8);
    for (ATypeTag type : others) {
      List<byte[]> value = List.of(AdmSamples.special(type).get(1).bytes());
      check(fields(ATypeTag.ANY), value);
      check(fields(ATypeTag.BIGINT), value);
    }
  }

  @Test
  void whatIsCutOffIsDamage() {
    for (ATypeTag type : TYPES) {
      byte[] key = AdmSamples.special(type).get(1).key(Direction.ASCENDING);
      AdmKeyFields fields = fields(type);
      for (int length = 0; length < key.length; length++) {
        int end = length;
        assertThatThrownBy(() -> fields.read(key, 0, end))
            .as("%d of %s", length, type)
            .isInstanceOf(CorruptionException.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0a, of 1, the end: the part is cut off",
    "2d610002, has no end of a string at offset 0",
    "2d6100, has no end of a string at offset 0",
    "160000, has no end of a binary at offset 0",
    "31800000, has no field at offset 0",
    "2f00, has no field at offset 0",
    "60, has no field at offset 0",
    "ff, has no field at offset 0",
    "06, has no field at offset 0",
    "0a800000000000000002, has more than its fields at offset 9",
  })
  void damageIsNamed(String hex, String message) {
    byte[] key = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> fields(ATypeTag.BIGINT).read(key, 0, key.length))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(message);
  }

  @Test
  void oneFieldTooFewIsDamage() {
    byte[] key = key(List.of(AdmValue.of(new AInt64(1)).bytes()));
    assertThatThrownBy(() -> fields(ATypeTag.BIGINT, ATypeTag.BIGINT).read(key, 0, key.length))
        .isInstanceOf(CorruptionException.class);
  }

  @Test
  void aTypeThatThereIsNotIsRefused() {
    for (byte tag : new byte[] {-1, 0, 39, 100}) {
      assertThatThrownBy(() -> new AdmKeyFields(new byte[] {tag}))
          .isInstanceOf(UnsupportedFormatException.class);
    }
  }
}
