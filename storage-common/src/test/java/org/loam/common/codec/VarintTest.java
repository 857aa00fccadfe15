package org.loam.common.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;

class VarintTest {
  private static final int BYTES = 64;
  private long memory;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(BYTES, 8);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  @Test
  void boundariesOfEveryLengthRoundTrip() {
    for (int groups = 1; groups <= Varint.MAX_LONG_BYTES; groups++) {
      long most = groups == Varint.MAX_LONG_BYTES ? Long.MAX_VALUE : (1L << (7 * groups)) - 1;
      long least = groups == 1 ? 0 : 1L << (7 * (groups - 1));
      assertThat(roundTrip(least)).as("bytes of %d", least).isEqualTo(groups);
      assertThat(roundTrip(most)).as("bytes of %d", most).isEqualTo(groups);
    }
  }

  @Test
  void randomNumbersOfAllMagnitudesRoundTrip() {
    long seed = 42;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      roundTrip(random.nextLong() >>> 1 >>> random.nextInt(63));
    }
  }

  @Test
  void theBytesAreLittleEndianGroupsOfSevenBits() {
    long end = Varint.put(memory, 300);
    assertThat(end - memory).isEqualTo(2);
    assertThat(Mem.getByte(memory)).isEqualTo((byte) 0xac);
    assertThat(Mem.getByte(memory + 1)).isEqualTo((byte) 0x02);
  }

  @Test
  void aNumberCutOffAtTheLimitIsInvalid() {
    for (long v : new long[] {0, 128, Integer.MAX_VALUE, Long.MAX_VALUE}) {
      long end = Varint.put(memory, v);
      for (long limit = memory; limit < end; limit++) {
        assertThat(Varint.getLong(memory, limit)).isEqualTo(Varint.INVALID);
        assertThat(Varint.getInt(memory, limit)).isEqualTo(Varint.INVALID);
      }
    }
  }

  @Test
  void nothingAtOrAboveTheLimitIsRead() {
    // In the checked mode a byte beyond the allocation would be an AssertionError.
    Mem.fill(memory, BYTES, (byte) 0x80);
    long end = memory + BYTES;
    for (long a = end - 12; a <= end; a++) {
      assertThat(Varint.getLong(a, end)).isEqualTo(Varint.INVALID);
      assertThat(Varint.getInt(a, end)).isEqualTo(Varint.INVALID);
    }
  }

  @Test
  void tooLargeForAnIntIsInvalidThere() {
    long end = Varint.put(memory, Integer.MAX_VALUE + 1L);
    assertThat(Varint.getInt(memory, end)).isEqualTo(Varint.INVALID);
    assertThat(Varint.getLong(memory, end)).isEqualTo(Integer.MAX_VALUE + 1L);
  }

  @Test
  void anEncodingLongerThanNeededIsInvalid() {
    Mem.putByte(memory, (byte) 0x81);
    Mem.putByte(memory + 1, (byte) 0x00);
    assertThat(Varint.getInt(memory, memory + 2)).isEqualTo(Varint.INVALID);
    assertThat(Varint.getLong(memory, memory + 2)).isEqualTo(Varint.INVALID);
  }

  @Test
  void whateverTheBytesReadingIsInvalidOrTheOneEncodingOfTheResult() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50_000; i++) {
      int length = random.nextInt(12);
      byte[] bytes = new byte[length];
      for (int j = 0; j < length; j++) {
        bytes[j] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : random.nextInt() | 0x80);
      }
      Mem.copyIn(bytes, 0, memory, length);
      long v = Varint.getLong(memory, memory + length);
      if (v != Varint.INVALID) {
        long end = Varint.put(memory + 32, v);
        int size = (int) (end - memory - 32);
        assertThat(size).as("seed %d, value %d", seed, v).isLessThanOrEqualTo(length);
        for (int j = 0; j < size; j++) {
          assertThat(Mem.getByte(memory + 32 + j)).as("seed %d", seed).isEqualTo(bytes[j]);
        }
      }
    }
  }

  @Test
  void negativeNumbersAreRefused() {
    assertThatThrownBy(() -> Varint.put(memory, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  private int roundTrip(long v) {
    long end = Varint.put(memory, v);
    int size = (int) (end - memory);
    assertThat(Varint.size(v)).as("size of %d", v).isEqualTo(size);
    assertThat(Varint.getLong(memory, end)).isEqualTo(v);
    int expected = v <= Integer.MAX_VALUE ? (int) v : Varint.INVALID;
    assertThat(Varint.getInt(memory, end)).as("int of %d", v).isEqualTo(expected);
    return size;
  }
}
