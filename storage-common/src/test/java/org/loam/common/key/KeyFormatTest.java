package org.loam.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.common.key.Direction.ASCENDING;
import static org.loam.common.key.Direction.DESCENDING;

import java.time.Instant;
import java.util.HexFormat;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of format version 1. Keys on disk have them: a line may be added, never changed. */
class KeyFormatTest {
  @ParameterizedTest
  @MethodSource("golden")
  void aPartHasTheseBytes(@Nullable Object value, String hex) {
    assertThat(hex(KeySamples.encode(value, ASCENDING))).isEqualTo(hex);
    byte[] complement = HexFormat.of().parseHex(hex.replace(" ", ""));
    for (int i = 0; i < complement.length; i++) {
      complement[i] = (byte) ~complement[i];
    }
    assertThat(KeySamples.encode(value, DESCENDING)).isEqualTo(complement);
  }

  @ParameterizedTest
  @MethodSource("goldenOfHosts")
  void aPartForAHostHasTheseBytes(BiConsumer<KeyBuilder, HostParts> part, String hex) {
    KeyBuilder key = new KeyBuilder();
    part.accept(key, new HostParts(key));
    byte[] ascending = key.toBytes();
    assertThat(hex(ascending)).isEqualTo(hex);
    part.accept(key.clear().direction(DESCENDING), new HostParts(key));
    byte[] descending = key.toBytes();
    for (int i = 0; i < ascending.length; i++) {
      assertThat(descending[i]).isEqualTo((byte) ~ascending[i]);
    }
  }

  static Stream<Arguments> goldenOfHosts() {
    return Stream.of(
        host((key, host) -> key.addWithNegativeZero(-0.0), "0a 7fffffffffffffff"),
        host((key, host) -> key.addWithNegativeZero(0.0), "0a 8000000000000000"),
        host((key, host) -> key.addWithNegativeZero(0x1p53), "0a c340000000000000 0000"),
        host((key, host) -> host.addTag(0x20), "20"),
        host((key, host) -> host.addInt(0x7e, -2), "7e 7ffffffe"),
        host((key, host) -> host.addLong(0x31, 3), "31 8000000000000003"),
        host(
            (key, host) -> host.addLongs(0x46, -1, Long.MIN_VALUE),
            "46 7fffffffffffffff 0000000000000000"),
        host((key, host) -> addString(host, ""), "2d 0001"),
        host((key, host) -> addString(host, "a\0\u00e9"), "2d 6100ffc3a9 0001"),
        host((key, host) -> addString(host, "\ud800\udc00"), "2d eda080edb080 0001"));
  }

  private static void addString(HostParts host, String value) {
    byte[] bytes = HostPartsTest.modifiedUtf8(value);
    host.addString(0x2d, bytes, 0, bytes.length);
  }

  private static Arguments host(BiConsumer<KeyBuilder, HostParts> part, String hex) {
    return Arguments.of(part, hex.replace(" ", ""));
  }

  static Stream<Arguments> golden() {
    return Stream.of(
        part(Missing.MISSING, "02"),
        part(null, "04"),
        part(false, "06"),
        part(true, "07"),
        part(Double.NEGATIVE_INFINITY, "0a 000fffffffffffff"),
        part(-Double.MAX_VALUE, "0a 0010000000000000"),
        part(Long.MIN_VALUE, "0a 3c1fffffffffffff 0000"),
        part(-0x1p63, "0a 3c1fffffffffffff 0000"),
        part(Long.MIN_VALUE + 1, "0a 3c1fffffffffffff 0001"),
        part(-(1L << 53) - 1, "0a 3cbffffffffffffe 0001"),
        part(-(1L << 53), "0a 3cbfffffffffffff"),
        part(-1L, "0a 400fffffffffffff"),
        part(-Double.MIN_VALUE, "0a 7ffffffffffffffe"),
        part(0L, "0a 8000000000000000"),
        part(-0.0, "0a 8000000000000000"),
        part(Double.MIN_VALUE, "0a 8000000000000001"),
        part(0.5, "0a bfe0000000000000"),
        part(1L, "0a bff0000000000000"),
        part(12.0, "0a c028000000000000"),
        part((1L << 53) - 1, "0a c33fffffffffffff"),
        part(1L << 53, "0a c340000000000000 0000"),
        part((1L << 53) + 1, "0a c340000000000000 0001"),
        part((1L << 53) + 2, "0a c340000000000001 0000"),
        part(Long.MAX_VALUE, "0a c3dfffffffffffff 03ff"),
        part(0x1p63, "0a c3e0000000000000"),
        part(1e300, "0a fe37e43c8800759c"),
        part(Double.POSITIVE_INFINITY, "0a fff0000000000000"),
        part(Double.NaN, "0a fff8000000000000"),
        part(Instant.MIN, "0e 7f8fe31014641400 00000000"),
        part(Instant.parse("1969-12-31T23:59:59.999999999Z"), "0e 7fffffffffffffff 3b9ac9ff"),
        part(Instant.EPOCH, "0e 8000000000000000 00000000"),
        part(Instant.parse("2020-01-01T00:00:00.5Z"), "0e 800000005e0be100 1dcd6500"),
        part(Instant.MAX, "0e 80701cd2fa9578ff 3b9ac9ff"),
        part("", "12 0001"),
        part("abc", "12 616263 0001"),
        part("a\0b", "12 6100ff62 0001"),
        part("\u00e9\u20ac", "12 c3a9e282ac 0001"),
        part("\uffff", "12 efbfbf 0001"),
        part("\ud800\udc00", "12 f0908080 0001"),
        part(new byte[0], "16 0001"),
        part(new byte[] {0x0a, 0, (byte) 0xff}, "16 0a00ffff 0001"));
  }

  private static Arguments part(@Nullable Object value, String hex) {
    return Arguments.of(value, hex.replace(" ", ""));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
