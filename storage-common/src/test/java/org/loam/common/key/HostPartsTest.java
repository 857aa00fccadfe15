package org.loam.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.loam.common.key.Direction.ASCENDING;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.error.CorruptionException;

class HostPartsTest {
  private static final int TAG = 0x2d;

  private final KeyBuilder key = new KeyBuilder();
  private final HostParts host = new HostParts(key);

  @ParameterizedTest
  @EnumSource(Direction.class)
  void stringsSortByTheirUnits(Direction direction) {
    SplittableRandom random = new SplittableRandom(11);
    char[] units = {
      0, 1, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff
    };
    List<String> strings = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    for (int n = 0; n < 1_000; n++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(4); length > 0; length--) {
        text.append(units[random.nextInt(units.length)]);
      }
      strings.add(text.toString());
      keys.add(encode(text.toString(), direction));
    }
    for (int i = 0; i < strings.size(); i++) {
      for (int j = 0; j < i; j++) {
        int expected = Integer.signum(strings.get(i).compareTo(strings.get(j)));
        int actual = Integer.signum(Arrays.compareUnsigned(keys.get(i), keys.get(j)));
        if (actual != (direction == ASCENDING ? expected : -expected)) {
          fail(Keys.describe(keys.get(i)) + " against " + Keys.describe(keys.get(j)));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void numbersSortSigned(Direction direction) {
    long[] values = {
      Long.MIN_VALUE, Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE, Long.MAX_VALUE
    };
    List<byte[]> longs = new ArrayList<>();
    List<byte[]> ints = new ArrayList<>();
    List<byte[]> pairs = new ArrayList<>();
    for (long value : values) {
      key.clear().direction(direction);
      host.addLong(TAG, value);
      longs.add(key.toBytes());
      if (value == (int) value) {
        key.truncate(0);
        host.addInt(TAG, (int) value);
        ints.add(key.toBytes());
      }
      for (long second : values) {
        key.truncate(0);
        host.addLongs(TAG, value, second);
        pairs.add(key.toBytes());
      }
    }
    for (List<byte[]> keys : List.of(longs, ints, pairs)) {
      for (int i = 1; i < keys.size(); i++) {
        int order = Arrays.compareUnsigned(keys.get(i - 1), keys.get(i));
        assertThat(direction == ASCENDING ? order : -order).isNegative();
      }
    }
  }

  @Test
  void partsOfHostsAreAfterAllOthersAndSortByTag() {
    host.addTag(0x20);
    byte[] first = key.toBytes();
    for (Object value : KeySamples.special()) {
      assertThat(Arrays.compareUnsigned(KeySamples.encode(value, ASCENDING), first)).isNegative();
    }
    key.clear();
    host.addLong(0x20, Long.MAX_VALUE);
    byte[] large = key.toBytes();
    key.clear();
    host.addLong(0x21, Long.MIN_VALUE);
    assertThat(Arrays.compareUnsigned(large, key.toBytes())).isNegative();
  }

  @Test
  void partsOfAllLengthsFindRoom() {
    for (int n = 0; n < 300; n++) {
      for (String unit : List.of("\0", "a", "\u00e9", "\uffff")) {
        byte[] bytes = modifiedUtf8(unit.repeat(n));
        KeyBuilder fresh = new KeyBuilder();
        HostParts parts = new HostParts(fresh);
        parts.addString(TAG, bytes, 0, bytes.length);
        int size = fresh.length();
        parts.addLongs(TAG, 1, 2);
        assertThat(size).isEqualTo(1 + bytes.length + 2);
        assertThat(fresh.length()).isEqualTo(size + 17);
      }
    }
  }

  /** What follows the range must neither be read nor complete a unit. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "bf",
        "c0",
        "c081",
        "c0bf",
        "c180",
        "c1bf",
        "c2",
        "c27f",
        "c2c0",
        "df",
        "e0",
        "e080",
        "e09fbf",
        "e0a0",
        "e0a07f",
        "ed",
        "eda0",
        "edc080",
        "ef80c0",
        "f0",
        "f0908080",
        "f4808080",
        "f8",
        "ff"
      })
  void whatIsNoUnitIsRefused(String hex) {
    byte[] before = key.add(7).toBytes();
    byte[] bytes = HexFormat.of().parseHex("8080" + "61c3a9" + hex + "8080");
    assertThatThrownBy(() -> host.addString(TAG, bytes, 2, bytes.length - 4))
        .isInstanceOf(CorruptionException.class)
        .hasMessage(
            "byte 0x%s at offset 3 of a string of %d bytes begins no unit of modified UTF-8",
            hex.substring(0, 2), bytes.length - 4);
    assertThat(key.toBytes()).isEqualTo(before);
  }

  @Test
  void aZeroMayBeOneByte() {
    byte[] one = {'a', 0, 'b'};
    host.addString(TAG, one, 0, 3);
    assertThat(key.toBytes()).isEqualTo(encode("a\0b", ASCENDING));
  }

  @Test
  void onlyTagsOfHostsAreTaken() {
    for (int tag : new int[] {-1, 0, 0x12, 0x1f, 0x7f, 0xff, 0x120}) {
      assertThatThrownBy(() -> host.addTag(tag))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("tag is %d, must be 0x20 to 0x7e", tag);
      assertThatThrownBy(() -> host.addString(tag, new byte[1], 0, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> host.addString(TAG, new byte[1], 1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(key.length()).isZero();
  }

  static byte[] modifiedUtf8(String value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      new DataOutputStream(out).writeUTF(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] withLength = out.toByteArray();
    return Arrays.copyOfRange(withLength, 2, withLength.length);
  }

  private static byte[] encode(String value, Direction direction) {
    byte[] bytes = modifiedUtf8(value);
    KeyBuilder key = new KeyBuilder().direction(direction);
    new HostParts(key).addString(TAG, bytes, 0, bytes.length);
    return key.toBytes();
  }
}
