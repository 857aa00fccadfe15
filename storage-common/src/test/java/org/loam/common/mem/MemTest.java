package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MemTest {
  private static final int BYTES = 256;
  private long liveBefore;
  private long memory;

  @BeforeEach
  void allocate() {
    liveBefore = Mem.liveBytes();
    memory = Mem.allocate(BYTES, 64);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
    assertThat(Mem.liveBytes()).as(Mem.describeLive()).isEqualTo(liveBefore);
  }

  @Test
  void comparesAsTheArraysOfUnsignedBytesDo() {
    long seed = 3;
    SplittableRandom random = new SplittableRandom(seed);
    for (int n = 0; n < 20_000; n++) {
      byte[] a = key(random);
      byte[] b = random.nextInt(3) == 0 ? Arrays.copyOf(a, random.nextInt(40)) : key(random);
      long atA = memory;
      long atB = memory + 128;
      Mem.copyIn(a, 0, atA, a.length);
      Mem.copyIn(b, 0, atB, b.length);
      int expected = Integer.signum(Arrays.compareUnsigned(a, b));
      String what = "seed " + seed + ", " + Arrays.toString(a) + " with " + Arrays.toString(b);
      assertThat(Integer.signum(Mem.compare(atA, a.length, atB, b.length)))
          .as(what)
          .isEqualTo(expected);
      assertThat(Integer.signum(Mem.compare(a, 0, a.length, atB, b.length)))
          .as(what)
          .isEqualTo(expected);
      int common = Math.min(a.length, b.length);
      int mismatch = Arrays.mismatch(a, 0, common, b, 0, common);
      assertThat(Mem.mismatch(atA, atB, common)).isEqualTo(mismatch < 0 ? common : mismatch);
    }
  }

  /** Few bytes are copied by a loop, and many at once. */
  @Test
  void copiesAnyNumberOfBytesOutAndNoOther() {
    for (int i = 0; i < BYTES; i++) {
      Mem.putByte(memory + i, (byte) (i + 1));
    }
    for (int bytes = 0; bytes < 100; bytes++) {
      byte[] target = new byte[120];
      byte[] expected = new byte[120];
      for (int i = 0; i < bytes; i++) {
        expected[3 + i] = (byte) (7 + i + 1);
      }
      Mem.copyOut(memory + 7, target, 3, bytes);
      assertThat(target).as("%d bytes", bytes).isEqualTo(expected);
    }
  }

  private static byte[] key(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(40)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt() : 0xff * random.nextInt(2));
    }
    return bytes;
  }

  @Test
  void comparesFromAnOffsetAndRefusesOneOutside() {
    byte[] bytes = {9, 1, 2, 3, 4, 5, 6, 7, 8, 10};
    Mem.copyIn(bytes, 1, memory, 9);
    assertThat(Mem.compare(bytes, 1, 9, memory, 9)).isZero();
    assertThatThrownBy(() -> Mem.compare(bytes, 2, 9, memory, 9))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aKeyAtTheEndOfMemoryIsNotReadBeyond() {
    // In the checked mode a byte beyond the allocation would be an AssertionError.
    for (int length = 0; length <= 9; length++) {
      long at = memory + BYTES - length;
      Mem.fill(at, length, (byte) 1);
      assertThat(Mem.compare(at, length, at, length)).isZero();
      assertThat(Mem.mismatch(at, at, length)).isEqualTo(length);
    }
  }

  @Test
  void zeroBytesAreCountedUpToTheFirstWordThatIsNot() {
    Mem.fill(memory, BYTES, (byte) 0);
    assertThat(Mem.zeroBytes(memory, 0)).isZero();
    assertThat(Mem.zeroBytes(memory, BYTES)).isEqualTo(BYTES);
    for (int i = 0; i < 64; i++) {
      Mem.putByte(memory + i, (byte) 0x80);
      assertThat(Mem.zeroBytes(memory, 64)).as("byte %d", i).isEqualTo(i & -8);
      assertThat(Mem.zeroBytes(memory, i & -8)).as("before byte %d", i).isEqualTo(i & -8);
      Mem.putByte(memory + i, (byte) 0);
    }
  }

  @Test
  void aWindowShowsTheMemoryItIsAimedAt() {
    ByteBuffer window = Mem.newWindow();
    Mem.putLong(memory + 8, 42);
    Mem.aim(window, memory + 8, 16);
    assertThat(window.remaining()).isEqualTo(16);
    assertThat(window.getLong(0)).isEqualTo(42);
    window.putLong(8, 43);
    assertThat(Mem.getLong(memory + 16)).isEqualTo(43);
    assertThat(Mem.addressOf(window)).isEqualTo(memory + 8);
  }

  @Test
  void addressesAreAlignedAsAskedAndBigRegionsToHugePages() {
    for (int alignment : new int[] {1, 8, 64, 4096, 16384}) {
      long a = Mem.allocate(100, alignment);
      assertThat(a % alignment).isZero();
      Mem.free(a);
    }
    long big = Mem.allocate(4 << 20, 64);
    assertThat(big % (2 << 20)).isZero();
    Mem.putByte(big + (4 << 20) - 1, (byte) 1);
    Mem.free(big);
  }

  @Test
  void aTouchChangesNothing() {
    long pages = Mem.allocate(3 * 4096, 4096);
    Mem.fill(pages, 3 * 4096, (byte) 7);
    Mem.poison(pages, 4096);
    Mem.touch(pages, 3 * 4096);
    Mem.unpoison(pages, 4096);
    for (int i = 0; i < 3 * 4096; i++) {
      assertThat(Mem.getByte(pages + i)).isEqualTo((byte) 7);
    }
    Mem.free(pages);
  }

  @Test
  void aTouchLosesNoWriteOfAnotherThread() throws InterruptedException {
    long page = Mem.allocate(4096, 4096);
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(1);
    Thread toucher =
        new Thread(
            () -> {
              while (!ended.get()) {
                Mem.touch(page, 4096);
                begun.countDown();
              }
            });
    toucher.start();
    begun.await();
    int lost = 0;
    for (int i = 0; i < 1_000_000; i++) {
      Mem.putIntVolatile(page, i);
      lost += Mem.getIntVolatile(page) == i ? 0 : 1;
    }
    ended.set(true);
    toucher.join();
    assertThat(lost).isZero();
    Mem.free(page);
  }

  /** The system says of each page of a process whether there is memory for it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aTouchFindsMemory(@TempDir Path directory) throws IOException {
    // Bytes of a mapped file that were never used: an allocator could give used ones.
    int bytes = 64 << 20;
    MappedByteBuffer mapped;
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("pages").toFile(), "rw")) {
      mapped = file.getChannel().map(FileChannel.MapMode.PRIVATE, 0, bytes);
    }
    long pages = Mem.addressOf(mapped);
    Mem.register(pages, bytes, "pages of a file");
    assertThat(ownPages(pages, bytes)).isZero();
    Mem.touch(pages, 6 << 20);
    assertThat(ownPages(pages, 6 << 20)).isEqualTo((6 << 20) / 4096);
    assertThat(ownPages(pages + (8 << 20), bytes - (8 << 20))).isZero();
    Mem.unregister(pages);
    Mem.unmap(mapped);
  }

  private static int ownPages(long address, int bytes) throws IOException {
    byte[] words = new byte[bytes / 4096 * Long.BYTES];
    try (RandomAccessFile map = new RandomAccessFile("/proc/self/pagemap", "r")) {
      map.seek(address / 4096 * Long.BYTES);
      map.readFully(words);
    }
    int own = 0;
    for (int at = 0; at < words.length; at += Long.BYTES) {
      // Bits 56 and 62: mapped here alone, so not the page of zeros that reads see; or swapped out.
      own += (words[at + Long.BYTES - 1] & 0x41) != 0 ? 1 : 0;
    }
    return own;
  }

  @Test
  void liveMemoryIsCountedAndNamed() {
    long a = Mem.allocate(1000, 8, "leaky thing");
    assertThat(Mem.liveBytes()).isEqualTo(liveBefore + BYTES + 1000);
    assertThat(Mem.describeLive()).contains("leaky thing of 1000 bytes");
    Mem.free(a);
    assertThat(Mem.liveBytes()).isEqualTo(liveBefore + BYTES);
  }

  @Test
  void freeingTwiceIsCaughtInBothModes() {
    long a = Mem.allocate(64, 8, "the victim");
    Mem.free(a);
    assertThatThrownBy(() -> Mem.free(a))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("freed the victim of 64 bytes");
  }

  @Test
  void memoryInUseIsNotTakenForWhatWasFreedThereBefore() {
    ByteBuffer foreign = ByteBuffer.allocateDirect(64);
    long address = Mem.addressOf(foreign);
    Mem.register(address, 64, "the log before");
    Mem.unregister(address);
    Mem.register(address, 64, "the log after");
    assertThatThrownBy(() -> Mem.free(address)).hasMessageContaining("the log after");
    Mem.unregister(address);
    assertThatThrownBy(() -> Mem.free(address)).hasMessageContaining("freed the log after");
  }

  @Test
  void freeingTheMiddleOrARegisteredRangeIsCaughtInBothModes() {
    assertThatThrownBy(() -> Mem.free(memory + 8)).isInstanceOf(AssertionError.class);
    ByteBuffer foreign = ByteBuffer.allocateDirect(64);
    long address = Mem.addressOf(foreign);
    Mem.register(address, 64, "mapped log");
    assertThatThrownBy(() -> Mem.free(address))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("mapped log");
    assertThatThrownBy(() -> Mem.unregister(memory)).isInstanceOf(AssertionError.class);
    assertThat(Mem.liveBytes()).isEqualTo(liveBefore + BYTES);
    Mem.unregister(address);
    assertThatThrownBy(() -> Mem.unregister(address)).isInstanceOf(AssertionError.class);
  }

  @Test
  void registeredMemoryMayBeAccessedAndAimedAt() {
    ByteBuffer foreign = ByteBuffer.allocateDirect(64);
    long address = Mem.addressOf(foreign);
    Mem.register(address, 64, "mapped log");
    Mem.putLong(address + 56, 5);
    assertThat(Mem.aim(Mem.newWindow(), address, 64).getLong(56)).isEqualTo(5);
    assertThatThrownBy(() -> Mem.register(address + 8, 8, "overlap"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("overlap")
        .hasMessageContaining("mapped log");
    Mem.unregister(address);
  }

  @Test
  void badSizesAndAlignmentsAreRefused() {
    assertThatThrownBy(() -> Mem.allocate(0, 8, "nothing"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing: 0 bytes");
    assertThatThrownBy(() -> Mem.allocate(8, 3, "odd"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("alignment 3");
    assertThatThrownBy(() -> Mem.register(memory, 0, "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none: 0 bytes");
  }
}
