package org.loam.common.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;

class Hash64Test {
  private static final int BYTES = 512;
  private long memory;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(BYTES, 64);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  /** The vectors published with wyhash 4.2. */
  @Test
  void isWyhash() {
    assertThat(hash("", 0)).isEqualTo(0x93228a4de0eec5a2L);
    assertThat(hash("a", 1)).isEqualTo(0xc5bac3db178713c4L);
    assertThat(hash("abc", 2)).isEqualTo(0xa97f2f7b1d9b3314L);
    assertThat(hash("message digest", 3)).isEqualTo(0x786d1f1df3801df4L);
    assertThat(hash("abcdefghijklmnopqrstuvwxyz", 4)).isEqualTo(0xdca5a8138ad37c87L);
    String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    assertThat(hash(letters, 5)).isEqualTo(0xb9e734f117cfaf70L);
    assertThat(hash("1234567890".repeat(8), 6)).isEqualTo(0x6cc5eab49a92d617L);
  }

  @Test
  void bytesOnTheHeapAndAtAnAddressHashAlike() {
    SplittableRandom random = new SplittableRandom(1);
    for (int length = 0; length <= 200; length++) {
      byte[] bytes = new byte[length + 5];
      random.nextBytes(bytes);
      // At the end of the memory, so that the checked mode sees a byte read too far.
      long address = memory + BYTES - length;
      Mem.copyIn(bytes, 3, address, length);
      long hash = Hash64.of(address, length);
      assertThat(Hash64.of(bytes, 3, length)).as("length %d", length).isEqualTo(hash);
      assertThat(Hash64.of(address, length, 0)).isEqualTo(hash);
      assertThat(Hash64.of(address, length, 1)).isNotEqualTo(hash);
    }
  }

  @Test
  void aFlippedBitOfTheInputFlipsEachBitOfTheResultHalfTheTime() {
    // A single byte has too few pairs of neighbours for statistics.
    for (int length : new int[] {2, 3, 4, 8, 11, 16, 17, 40, 48, 100}) {
      long seed = length;
      SplittableRandom random = new SplittableRandom(seed);
      int samples = 4000;
      int[] flips = new int[64];
      byte[] bytes = new byte[length];
      for (int n = 0; n < samples; n++) {
        random.nextBytes(bytes);
        long hash = Hash64.of(bytes, 0, length);
        int bit = random.nextInt(8 * length);
        bytes[bit >>> 3] ^= (byte) (1 << (bit & 7));
        count(flips, hash ^ Hash64.of(bytes, 0, length));
      }
      assertHalf(flips, samples, "length " + length + ", seed " + seed);
    }
  }

  @Test
  void aFlippedBitOfANumberFlipsEachBitOfTheResultHalfTheTime() {
    SplittableRandom random = new SplittableRandom(9);
    int samples = 4000;
    for (int bit = 0; bit < 64; bit++) {
      int[] flips = new int[64];
      for (int n = 0; n < samples; n++) {
        long v = random.nextLong();
        count(flips, Hash64.of(v) ^ Hash64.of(v ^ (1L << bit)));
      }
      assertHalf(flips, samples, "bit " + bit);
    }
  }

  @Test
  void similarKeysNeitherCollideNorCrowdTheLowOrHighBits() {
    int keys = 1 << 16;
    int cells = 1 << 10;
    Set<Long> seen = new HashSet<>();
    int[] low = new int[cells];
    int[] high = new int[cells];
    int[] ofNumber = new int[cells];
    for (int i = 0; i < keys; i++) {
      byte[] key = String.format(Locale.ROOT, "user%010d", i).getBytes(US_ASCII);
      long hash = Hash64.of(key, 0, key.length);
      assertThat(seen.add(hash)).isTrue();
      low[(int) hash & (cells - 1)]++;
      high[(int) (hash >>> 54)]++;
      ofNumber[(int) (Hash64.of((long) i << 32) >>> 54)]++;
    }
    // 64 per cell are expected with a deviation of 8: six deviations either way.
    for (int[] counts : new int[][] {low, high, ofNumber}) {
      for (int count : counts) {
        assertThat(count).isBetween(16, 112);
      }
    }
  }

  /** Filters on disk depend on these. */
  @Test
  void theHashOfANumberNeverChanges() {
    assertThat(Hash64.of(0L)).isZero();
    assertThat(Hash64.of(1L)).isEqualTo(0x5692161d100b05e5L);
    assertThat(Hash64.of(-1L)).isEqualTo(0xb4d055fcf2cbbd7bL);
  }

  private long hash(String text, long seed) {
    byte[] bytes = text.getBytes(US_ASCII);
    Mem.copyIn(bytes, 0, memory, bytes.length);
    return Hash64.of(memory, bytes.length, seed);
  }

  private static void count(int[] flips, long difference) {
    for (int i = 0; i < 64; i++) {
      flips[i] += (int) (difference >>> i) & 1;
    }
  }

  /** Six standard deviations, sqrt(samples) / 2 each, either way. */
  private static void assertHalf(int[] flips, int samples, String what) {
    double slack = 3 * Math.sqrt(samples);
    for (int i = 0; i < 64; i++) {
      assertThat((double) flips[i])
          .as("bit %d of the result, %s", i, what)
          .isBetween(samples / 2.0 - slack, samples / 2.0 + slack);
    }
  }
}
