package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;

/** {@link RangeBounds} finds what a walk through all bounds finds. */
@Tag("once")
class RangeBoundsTest {
  private static final int ROUNDS = 2_000;

  @Test
  void aKeyIsInTheRangeAboveTheLastBoundThatIsNotAboveIt() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] prefix = bytes(random, random.nextInt(12));
      TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
      for (int i = random.nextInt(32); i > 0; i--) {
        sorted.add(random.nextInt(8) == 0 ? bytes(random, 3) : key(prefix, random));
      }
      RangeBounds bounds = RangeBounds.of(List.copyOf(sorted));
      assertThat(bounds.ranges()).isEqualTo(sorted.size() + 1);
      for (byte[] bound : sorted) {
        check(bounds, sorted, bound);
        check(bounds, sorted, Arrays.copyOf(bound, bound.length + 1));
        check(bounds, sorted, Arrays.copyOf(bound, Math.max(0, bound.length - 1)));
      }
      for (int i = 0; i < 32; i++) {
        check(bounds, sorted, key(prefix, random));
      }
    }
  }

  private static void check(RangeBounds bounds, TreeSet<byte[]> sorted, byte[] key) {
    int expected = sorted.headSet(key, true).size();
    assertThat(bounds.rangeOf(key)).as(Arrays.toString(key)).isEqualTo(expected);
    long address = Mem.allocate(Math.max(1, key.length), Long.BYTES);
    try {
      Mem.copyIn(key, 0, address, key.length);
      assertThat(bounds.rangeOf(address, key.length)).as(Arrays.toString(key)).isEqualTo(expected);
    } finally {
      Mem.free(address);
    }
  }

  /** Short and of few values, so that heads are often equal. */
  private static byte[] key(byte[] prefix, SplittableRandom random) {
    byte[] rest = bytes(random, random.nextInt(12));
    byte[] key = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, key, prefix.length, rest.length);
    return key;
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (random.nextInt(3) == 0 ? 0 : random.nextInt(4) * 85);
    }
    return bytes;
  }
}
