package org.loam.common.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;

class Crc32cTest {
  private static final int BYTES = 64 * 1024;
  private final byte[] bytes = new byte[BYTES];
  private long memory;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(BYTES, 64);
    new SplittableRandom(5).nextBytes(bytes);
    Mem.copyIn(bytes, 0, memory, BYTES);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  @Test
  void hasTheValuesOfTheStandard() {
    byte[] digits = "123456789".getBytes(US_ASCII);
    Mem.copyIn(digits, 0, memory, digits.length);
    assertThat(Crc32c.of(memory, digits.length)).isEqualTo(0xe3069283);
    // RFC 3720, B.4: 32 bytes of zeroes, of ones.
    Mem.fill(memory, 32, (byte) 0);
    assertThat(Crc32c.of(memory, 32)).isEqualTo(0x8a9136aa);
    Mem.fill(memory, 32, (byte) 0xff);
    assertThat(Crc32c.of(memory, 32)).isEqualTo(0x62a8ab43);
    assertThat(Crc32c.of(memory, 0)).isZero();
  }

  @Test
  void piecesChainToTheWhole() {
    Crc32c checksum = new Crc32c();
    SplittableRandom random = new SplittableRandom(6);
    for (int n = 0; n < 200; n++) {
      int length = random.nextInt(4000);
      int cut = random.nextInt(length + 1);
      int whole = Crc32c.of(memory, length);
      assertThat(checksum.reset().update(memory, cut).update(memory + cut, length - cut).value())
          .isEqualTo(whole);
      assertThat(checksum.reset().update(bytes, 0, cut).update(memory + cut, length - cut).value())
          .isEqualTo(whole);
    }
  }

  @Test
  void aSeedIsSixteenBytesInFront() {
    ByteBuffer seed = ByteBuffer.allocate(16).putLong(0x0123456789abcdefL).putLong(-2).flip();
    CRC32C expected = new CRC32C();
    expected.update(seed);
    expected.update(bytes, 0, 1000);
    int crc = Crc32c.seeded(0x0123456789abcdefL, -2, memory, 1000);
    assertThat(crc).isEqualTo((int) expected.getValue());
    Crc32c checksum = new Crc32c();
    checksum.update(memory, 3);
    assertThat(checksum.reset().seed(0x0123456789abcdefL, -2).update(memory, 1000).value())
        .isEqualTo(crc);
    assertThat(Crc32c.seeded(0x0123456789abcdefL, -1, memory, 1000)).isNotEqualTo(crc);
  }

  @Test
  void anyChangedBitShows() {
    int length = 200;
    int crc = Crc32c.of(memory, length);
    for (int bit = 0; bit < 8 * length; bit++) {
      long at = memory + (bit >>> 3);
      byte old = Mem.getByte(at);
      Mem.putByte(at, (byte) (old ^ 1 << (bit & 7)));
      assertThat(Crc32c.of(memory, length)).as("bit %d", bit).isNotEqualTo(crc);
      Mem.putByte(at, old);
    }
  }

  @Test
  void threadsDoNotDisturbEachOther() throws InterruptedException {
    int[] expected = new int[64];
    for (int i = 0; i < 64; i++) {
      expected[i] = Crc32c.seeded(i, 1, memory + i * 1024L, 1024);
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 130; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < 300; n++) {
                  int i = n & 63;
                  assertThat(Crc32c.seeded(i, 1, memory + i * 1024L, 1024)).isEqualTo(expected[i]);
                }
              });
      thread.setUncaughtExceptionHandler((failed, e) -> failure.compareAndSet(null, e));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
  }
}
