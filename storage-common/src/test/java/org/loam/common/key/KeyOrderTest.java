package org.loam.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.loam.common.key.Direction.ASCENDING;
import static org.loam.common.key.Direction.DESCENDING;
import static org.loam.common.key.KeySamples.ORDER;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class KeyOrderTest {
  @ParameterizedTest
  @EnumSource(Direction.class)
  void specialValuesSortAsTheyShould(Direction direction) {
    List<@Nullable Object> values = KeySamples.special();
    List<byte[]> keys = new ArrayList<>();
    for (Object value : values) {
      keys.add(KeySamples.encode(value, direction));
    }
    for (int i = 0; i < values.size(); i++) {
      for (int j = 0; j < values.size(); j++) {
        check(values.get(i), keys.get(i), values.get(j), keys.get(j), direction);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void numbersCloserThanDoublesSortExactly(Direction direction) {
    SplittableRandom random = new SplittableRandom(1);
    for (int n = 0; n < 10_000; n++) {
      Object a = KeySamples.randomNumber(random);
      Object b = KeySamples.near(a, random);
      check(a, KeySamples.encode(a, direction), b, KeySamples.encode(b, direction), direction);
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void aNegativeZeroThatIsToldApartIsJustBelowZero(Direction direction) {
    KeyBuilder builder = new KeyBuilder().direction(direction);
    List<byte[]> keys = new ArrayList<>();
    for (double d : new double[] {-1, -Double.MIN_VALUE, -0.0, 0.0, Double.MIN_VALUE}) {
      keys.add(builder.truncate(0).addWithNegativeZero(d).toBytes());
    }
    for (int i = 1; i < keys.size(); i++) {
      int order = Arrays.compareUnsigned(keys.get(i - 1), keys.get(i));
      assertThat(direction == ASCENDING ? order : -order).isNegative();
    }
    assertThat(keys.get(3)).isEqualTo(KeySamples.encode(0L, direction));
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void randomValuesSortAsTheyShould(Direction direction) {
    SplittableRandom random = new SplittableRandom(2);
    for (int n = 0; n < 10_000; n++) {
      Object a = KeySamples.random(random);
      Object b = KeySamples.random(random);
      check(a, KeySamples.encode(a, direction), b, KeySamples.encode(b, direction), direction);
    }
  }

  @Test
  void keysOfManyPartsSortByTheFirstThatDiffers() {
    SplittableRandom random = new SplittableRandom(3);
    KeyBuilder builder = new KeyBuilder();
    int[] decidedBy = new int[4];
    for (int n = 0; n < 5_000; n++) {
      Direction[] directions = new Direction[3];
      Arrays.setAll(directions, i -> random.nextBoolean() ? ASCENDING : DESCENDING);
      List<@Nullable Object> a = new ArrayList<>();
      List<@Nullable Object> b = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        a.add(KeySamples.random(random));
        b.add(random.nextInt(3) > 0 ? a.get(i) : KeySamples.random(random));
      }
      int expected = 0;
      int part = 0;
      while (part < 3 && expected == 0) {
        expected = ORDER.compare(a.get(part), b.get(part));
        expected = directions[part] == DESCENDING ? -expected : expected;
        part++;
      }
      decidedBy[expected == 0 ? 3 : part - 1]++;
      byte[] keyA = composite(builder, a, directions);
      byte[] keyB = composite(builder, b, directions);
      if (Integer.signum(Arrays.compareUnsigned(keyA, keyB)) != Integer.signum(expected)) {
        fail("round %d: %s, %s", n, Keys.describe(keyA), Keys.describe(keyB));
      }
    }
    assertThat(decidedBy).as("the parts that decided").doesNotContain(0);
  }

  /** What follows a part may be anything, and decides only between equal parts. */
  @Test
  void noPartIsAPrefixOfAnother() {
    List<byte[]> keys = new ArrayList<>();
    for (Object value : KeySamples.special()) {
      keys.add(KeySamples.encode(value, ASCENDING));
      keys.add(KeySamples.encode(value, DESCENDING));
    }
    SplittableRandom random = new SplittableRandom(4);
    for (int n = 0; n < 10_000; n++) {
      keys.add(
          KeySamples.encode(
              KeySamples.random(random), random.nextBoolean() ? ASCENDING : DESCENDING));
    }
    keys.sort(Arrays::compareUnsigned);
    // Between a prefix and its extension in this order lie only other extensions of it.
    for (int i = 1; i < keys.size(); i++) {
      byte[] before = keys.get(i - 1);
      byte[] key = keys.get(i);
      if (Arrays.mismatch(before, key) == before.length) {
        fail("%s begins %s", Keys.describe(before), Keys.describe(key));
      }
    }
  }

  private static byte[] composite(
      KeyBuilder builder, List<@Nullable Object> values, Direction[] directions) {
    builder.clear();
    for (int i = 0; i < directions.length; i++) {
      KeySamples.add(builder.direction(directions[i]), values.get(i));
    }
    return builder.toBytes();
  }

  private static void check(
      @Nullable Object a, byte[] keyA, @Nullable Object b, byte[] keyB, Direction direction) {
    int expected = Integer.signum(ORDER.compare(a, b));
    int actual = Integer.signum(Arrays.compareUnsigned(keyA, keyB));
    if (actual != (direction == ASCENDING ? expected : -expected)) {
      fail("%s against %s, %s", KeySamples.text(a), KeySamples.text(b), direction);
    }
  }
}
