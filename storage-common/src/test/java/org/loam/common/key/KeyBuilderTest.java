package org.loam.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.common.key.Direction.ASCENDING;
import static org.loam.common.key.Direction.DESCENDING;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyBuilderTest {
  private final KeyBuilder builder = new KeyBuilder();

  @Test
  void aDirectionHoldsUntilChangedOrCleared() {
    byte[] key = builder.add(true).direction(DESCENDING).addNull().add(false).toBytes();
    assertThat(key).containsExactly(0x07, ~0x04, ~0x06);
    assertThat(builder.clear().add(true).toBytes()).containsExactly(0x07);
    assertThat(builder.direction(DESCENDING).direction(ASCENDING).addNull().toBytes())
        .containsExactly(0x07, 0x04);
  }

  @Test
  void rawBytesStayAsTheyAre() {
    byte[] raw = {9, 0, -1, 5, 9};
    builder.direction(DESCENDING).addMissing().addRaw(raw, 1, 3).addRaw(raw, 5, 0);
    assertThat(builder.toBytes()).containsExactly(~0x02, 0, -1, 5);
    assertThatThrownBy(() -> builder.addRaw(raw, 3, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(builder.length()).isEqualTo(4);
  }

  @Test
  void bytesMayBePartOfAnArray() {
    byte[] array = {9, 0, -1, 9};
    byte[] part = builder.add(array, 1, 2).toBytes();
    assertThat(part).isEqualTo(builder.clear().add(new byte[] {0, -1}).toBytes());
    assertThatThrownBy(() -> builder.add(array, 3, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(builder.toBytes()).isEqualTo(part);
  }

  @Test
  void keysMayShareWhatTheyBeginWith() {
    int shared = builder.add("city").length();
    byte[] first = builder.add(1).toBytes();
    byte[] second = builder.truncate(shared).add(2).toBytes();
    assertThat(first).isEqualTo(new KeyBuilder().add("city").add(1).toBytes());
    assertThat(second).isEqualTo(new KeyBuilder().add("city").add(2).toBytes());
    assertThatThrownBy(() -> builder.truncate(17))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("newLength is 17, must be 0 to length, 16");
    assertThatThrownBy(() -> builder.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(builder.toBytes()).isEqualTo(second);
  }

  @Test
  void withTheBeginningOfAStringBeginItsExtensions() {
    for (Direction direction : Direction.values()) {
      byte[] prefix = builder.clear().direction(direction).addBeginning("ab").toBytes();
      byte[] end = Keys.afterPrefix(prefix);
      for (String text :
          List.of("ab", "ab\0", "abc", "ab\uffff", "ab\udbff\udfff", "a", "aa", "ac")) {
        byte[] key = builder.clear().direction(direction).add(text).toBytes();
        boolean inRange =
            Arrays.compareUnsigned(prefix, key) <= 0 && Arrays.compareUnsigned(key, end) < 0;
        assertThat(inRange).as(text).isEqualTo(text.startsWith("ab"));
      }
    }
  }

  @Test
  void copiesToAPlace() {
    byte[] target = {1, 1, 1, 1};
    builder.addNull().add(true).copyTo(target, 1);
    assertThat(target).containsExactly(1, 0x04, 0x07, 1);
    builder.copyTo(target, 2);
    assertThat(target).containsExactly(1, 0x04, 0x04, 0x07);
    assertThatThrownBy(() -> builder.copyTo(target, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void keysOfAllLengthsFindRoom() {
    for (int n = 0; n < 300; n++) {
      for (String unit : List.of("\0", "\uffff", "\ud800\udc00")) {
        assertRoom(unit.repeat(n));
      }
      assertRoom(new byte[n]);
      byte[] raw = new byte[n];
      assertThat(new KeyBuilder().addRaw(raw, 0, n).addRaw(raw, 0, n).toBytes()).hasSize(2 * n);
    }
  }

  @Test
  void halfASurrogatePairIsRefusedAndLeavesNoTrace() {
    byte[] before = builder.add(1).toBytes();
    refuses("ab\ud800", 2, "d800");
    refuses("\ud800\ud800\udc00", 0, "d800");
    refuses("\ud800x", 0, "d800");
    refuses("a\udfffb", 1, "dfff");
    refuses("\ud83d\ude00\udc00\ud800", 2, "dc00");
    assertThat(builder.toBytes()).isEqualTo(before);
  }

  private static void assertRoom(Object value) {
    KeyBuilder builder = new KeyBuilder();
    KeyReader reader = new KeyReader(KeySamples.add(builder, value).toBytes());
    assertThat(reader.next(ASCENDING)).isEqualTo(value);
    KeySamples.add(builder.truncate(0).add(1), value);
    assertThat(builder.length()).isEqualTo(9 + reader.position());
  }

  private void refuses(String value, int index, String found) {
    assertThatThrownBy(() -> builder.add(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "string has 0x%s at index %d, must have surrogates in pairs only", found, index);
  }
}
