package org.loam.common.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.loam.common.key.Direction.ASCENDING;
import static org.loam.common.key.Direction.DESCENDING;

import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeysTest {
  @Test
  void theEndOfAPrefixIsItsLastByteThatCanGrowPlusOne() {
    assertThat(Keys.afterPrefix(new byte[] {1, 2})).containsExactly(1, 3);
    assertThat(Keys.afterPrefix(new byte[] {1, 0x7f})).containsExactly(1, 0x80);
    assertThat(Keys.afterPrefix(new byte[] {1, -1, -1})).containsExactly(2);
    assertThat(Keys.afterPrefix(new byte[] {-1, -1})).isNull();
    assertThat(Keys.afterPrefix(new byte[0])).isNull();
    byte[] prefix = {5};
    Keys.afterPrefix(prefix);
    assertThat(prefix).containsExactly(5);
  }

  @Test
  void aKeyIsBeforeTheEndExactlyIfItIsNotAboveThePrefix() {
    SplittableRandom random = new SplittableRandom(7);
    byte[] alphabet = {0, 1, -2, -1};
    for (int n = 0; n < 20_000; n++) {
      byte[] prefix = randomKey(random, alphabet);
      byte[] key = randomKey(random, alphabet);
      boolean within =
          key.length >= prefix.length
              && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
      byte[] end = Keys.afterPrefix(prefix);
      boolean inRange =
          Arrays.compareUnsigned(key, prefix) >= 0
              && (end == null || Arrays.compareUnsigned(key, end) < 0);
      if (inRange != within) {
        fail("%s, %s", KeySamples.text(key), KeySamples.text(prefix));
      }
    }
  }

  @Test
  void describesEveryType() {
    KeyBuilder key =
        new KeyBuilder()
            .addMissing()
            .addNull()
            .add(false)
            .add(12)
            .add(-1.5)
            .add(Double.NaN)
            .add("a\"b\\\n\u00e9")
            .add(Instant.parse("2020-01-01T00:00:00Z"))
            .add(new byte[] {0x0a, -1});
    assertThat(Keys.describe(key.toBytes()))
        .isEqualTo(
            "[missing, null, false, 12, -1.5, NaN, \"a\\\"b\\\\\\u000a\u00e9\","
                + " 2020-01-01T00:00:00Z, 0x0aff]");
    assertThat(Keys.describe(new byte[0])).isEqualTo("[]");
  }

  @Test
  void describesDescendingPartsAndBytesThatAreNoParts() {
    KeyBuilder key = new KeyBuilder().direction(DESCENDING).add("x").direction(ASCENDING).add(1);
    assertThat(Keys.describe(key.addRaw(new byte[] {0x75, 0, 7}, 0, 3).toBytes()))
        .isEqualTo("[\"x\" desc, 1, raw 0x750007 'u..']");
    assertThat(Keys.describe(new byte[] {0x12, 0x61, 0})).isEqualTo("[raw 0x126100 '.a.']");
    assertThat(Keys.describe(new byte[] {0x7e, 0x20, 0x7f})).isEqualTo("[raw 0x7e207f '~ .']");
    assertThat(Keys.describe(new byte[] {0x12, 0x1f, -1})).isEqualTo("[raw 0x121fff]");
  }

  @Test
  void describesAnyBytes() {
    SplittableRandom random = new SplittableRandom(8);
    byte[] tags = {0x02, 0x04, 0x07, 0x0a, 0x0e, 0x12, 0x16, ~0x0a, ~0x12, 0, 1, -1, 0x61};
    for (int n = 0; n < 5_000; n++) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = random.nextBoolean() ? bytes[i] : tags[random.nextInt(tags.length)];
      }
      assertThat(Keys.describe(bytes)).startsWith("[").endsWith("]");
    }
  }

  private static byte[] randomKey(SplittableRandom random, byte[] alphabet) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return key;
  }
}
