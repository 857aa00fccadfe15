package org.loam.common.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;

class HeadsTest {
  private static final int BYTES = 256;
  private long memory;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(BYTES, 64);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  @Test
  void orderIsThatOfTheBytes() {
    long seed = 3;
    SplittableRandom random = new SplittableRandom(seed);
    for (int n = 0; n < 20_000; n++) {
      byte[] a = key(random);
      byte[] b = random.nextInt(3) == 0 ? Arrays.copyOf(a, random.nextInt(40)) : key(random);
      Mem.copyIn(a, 0, memory, a.length);
      Mem.copyIn(b, 0, memory + 128, b.length);
      String what = "seed " + seed + ", " + Arrays.toString(a) + " with " + Arrays.toString(b);

      long headA = Heads.of(memory, a.length);
      long headB = Heads.of(memory + 128, b.length);

      assertThat(Heads.of(a)).as(what).isEqualTo(headA);
      if (headA != headB) {
        assertThat(Long.compare(headA, headB))
            .as(what)
            .isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
      } else {
        // Equal heads: the first 8 bytes are equal once padded.
        assertThat(Arrays.copyOf(a, 8)).as(what).isEqualTo(Arrays.copyOf(b, 8));
      }
    }
  }

  @Test
  void aHeadBehindSomeBytesIsThatOfTheRest() {
    SplittableRandom random = new SplittableRandom(4);
    for (int n = 0; n < 20_000; n++) {
      byte[] key = key(random);
      Mem.copyIn(key, 0, memory, key.length);
      int from = random.nextInt(key.length + 1);
      assertThat(Heads.of(memory, key.length, from))
          .isEqualTo(Heads.of(Arrays.copyOfRange(key, from, key.length)));
    }
  }

  @Test
  void aKeyAtTheEndOfMemoryIsNotReadBeyond() {
    // In the checked mode a byte beyond the allocation would be an AssertionError.
    for (int length = 0; length <= 9; length++) {
      long at = memory + BYTES - length;
      byte[] key = new byte[length];
      Arrays.fill(key, (byte) 1);
      Mem.copyIn(key, 0, at, length);
      assertThat(Heads.of(at, length)).isEqualTo(Heads.of(key));
    }
  }

  private static byte[] key(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(40)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt() : 0xff * random.nextInt(2));
    }
    return bytes;
  }
}
