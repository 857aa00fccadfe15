package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What only the checked mode catches. */
@EnabledIfSystemProperty(named = "loam.mem.check", matches = "true")
class CheckedMemTest {
  private static final int BYTES = 4096 * 3;
  private long memory;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(BYTES, 4096, "three pages");
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  @Test
  void accessOutsideOfAnAllocationIsCaughtThoughAnotherOneFollows() {
    long next = Mem.allocate(64, 8, "neighbour");
    for (Runnable access :
        new Runnable[] {
          () -> Mem.getByte(memory - 1),
          () -> Mem.getByte(memory + BYTES),
          () -> Mem.getLong(memory + BYTES - 7),
          () -> Mem.putInt(memory + BYTES - 3, 1),
          () -> Mem.copy(memory, next, 65),
          () -> Mem.fill(memory, BYTES + 1, (byte) 0),
          () -> Mem.fill(memory, -1, (byte) 0),
          () -> Mem.aim(Mem.newWindow(), memory + 1, BYTES),
          () -> Mem.copyIn(new byte[2], 0, memory + BYTES - 1, 2),
          () -> Mem.getLong(Long.MAX_VALUE - 3),
        }) {
      assertThatThrownBy(access::run)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("outside of live memory");
    }
    Mem.free(next);
  }

  @Test
  void nothingIsAllowedAnywhere() {
    Mem.copy(memory + BYTES, memory, 0);
    assertThat(Mem.aim(Mem.newWindow(), memory + BYTES, 0).remaining()).isZero();
  }

  @Test
  void accessAfterFreeingNamesWhatWasFreed() {
    long a = Mem.allocate(100, 8, "short-lived");
    Mem.free(a);
    assertThatThrownBy(() -> Mem.getByte(a + 10))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("1 bytes at 0x" + Long.toHexString(a + 10))
        .hasMessageContaining("offset 10 in the freed short-lived of 100 bytes");
  }

  @Test
  void aPoisonedPageIsCaughtAndItsNeighboursAreNot() {
    Mem.poison(memory + 4096, 4096);
    Mem.getByte(memory + 4095);
    Mem.getByte(memory + 8192);
    Mem.fill(memory, 4096, (byte) 0);
    for (long a : new long[] {memory + 4096, memory + 5000, memory + 8191}) {
      assertThatThrownBy(() -> Mem.putByte(a, (byte) 1))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("poisoned")
          .hasMessageContaining("offset " + (a - memory) + " in three pages of " + BYTES);
    }
    assertThatThrownBy(() -> Mem.fill(memory, BYTES, (byte) 0)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Mem.getLong(memory + 4095)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Mem.getLong(memory + 8185)).isInstanceOf(AssertionError.class);
    Mem.unpoison(memory + 4096, 4096);
    Mem.fill(memory, BYTES, (byte) 0);
  }

  @Test
  void blocksOf64BytesArePoisonedOneByOne() {
    for (int block = 0; block < BYTES / 64; block++) {
      long a = memory + 64L * block;
      Mem.poison(a, 64);
      for (int other = Math.max(0, block - 70); other < BYTES / 64; other++) {
        long b = memory + 64L * other;
        if (other == block) {
          assertThatThrownBy(() -> Mem.getByte(b + 63)).isInstanceOf(AssertionError.class);
        } else {
          Mem.getByte(b);
          Mem.getByte(b + 63);
        }
      }
      Mem.unpoison(a, 64);
    }
  }

  @Test
  void partsOfBlocksStayReadableWhenPoisonedAndTurnReadableWhenUnpoisoned() {
    Mem.poison(memory + 10, 200);
    Mem.getByte(memory + 63);
    assertThatThrownBy(() -> Mem.getByte(memory + 64)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Mem.getByte(memory + 191)).isInstanceOf(AssertionError.class);
    Mem.getByte(memory + 192);
    Mem.unpoison(memory + 100, 1);
    Mem.getByte(memory + 64);
    assertThatThrownBy(() -> Mem.getByte(memory + 128)).isInstanceOf(AssertionError.class);
    Mem.poison(memory + 1, 3);
    Mem.getByte(memory + 2);
  }

  @Test
  void theLastBlockOfARangeIsWholeThoughTheRangeEndsInIt() {
    long a = Mem.allocate(100, 64, "odd size");
    Mem.poison(a, 100);
    assertThatThrownBy(() -> Mem.getByte(a + 99)).isInstanceOf(AssertionError.class);
    Mem.free(a);
  }

  @Test
  void poisoningOutsideOfAnAllocationIsCaught() {
    assertThatThrownBy(() -> Mem.poison(memory + 4096, BYTES)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Mem.unpoison(memory - 64, 64)).isInstanceOf(AssertionError.class);
  }

  @Test
  void freshMemoryAtAnAddressThatWasPoisonedBeforeIsReadable() {
    for (int i = 0; i < 16; i++) {
      long a = Mem.allocate(4096, 4096, "again");
      Mem.fill(a, 4096, (byte) 0);
      Mem.poison(a, 4096);
      Mem.free(a);
    }
  }
}
