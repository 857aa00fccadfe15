package org.loam.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeysTest {
  private static final int LENGTH = Keys.LENGTH_BYTES;

  private static byte[] key(long identity) {
    byte[] key = Keys.newBuffer();
    Keys.write(identity, key);
    return key;
  }

  @Test
  void aKeyIsThePrefixAndSixteenDigits() {
    assertThat(new String(key(0x0123456789abcdefL), StandardCharsets.US_ASCII))
        .isEqualTo("user:0123456789abcdef");
    assertThat(new String(key(0xfedcba9876543210L), StandardCharsets.US_ASCII))
        .isEqualTo("user:fedcba9876543210");
  }

  @Test
  void readingGivesBackWhatWasWritten() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100_000; i++) {
      long identity = random.nextLong();
      assertThat(Keys.read(key(identity), LENGTH)).isEqualTo(identity);
    }
    assertThat(Keys.read(key(0), LENGTH)).isZero();
    assertThat(Keys.read(key(-1), LENGTH)).isEqualTo(-1);
  }

  @Test
  void keysSortAsUnsignedIdentities() {
    SplittableRandom random = new SplittableRandom(8);
    for (int i = 0; i < 100_000; i++) {
      long a = random.nextLong();
      long b = random.nextLong();
      assertThat(Integer.signum(Arrays.compareUnsigned(key(a), key(b))))
          .isEqualTo(Integer.signum(Long.compareUnsigned(a, b)));
    }
  }

  @Test
  void noTwoRecordsShareAnIdentity() {
    Set<Long> seen = new HashSet<>();
    for (long index = 0; index < 300_000; index++) {
      assertThat(seen.add(Keys.identity(index))).isTrue();
      assertThat(seen.add(Keys.identity(Keys.FIRST_ABSENT_INDEX + index))).isTrue();
    }
  }

  @Test
  void ascendingIndexesAreScatteredOverTheKeySpace() {
    int[] counts = new int[256];
    int records = 256_000;
    for (long index = 0; index < records; index++) {
      counts[(int) (Keys.identity(index) >>> 56)]++;
    }
    // A thousand each, standard deviation 32: six of them on either side.
    assertThat(Arrays.stream(counts).min().getAsInt()).isGreaterThan(800);
    assertThat(Arrays.stream(counts).max().getAsInt()).isLessThan(1200);
  }

  @Test
  void aForeignKeyIsRefused() {
    byte[] foreign = "other0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> Keys.read(foreign, LENGTH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("other0123456789abcdef");
    assertThatThrownBy(() -> Keys.read(key(1), LENGTH - 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
