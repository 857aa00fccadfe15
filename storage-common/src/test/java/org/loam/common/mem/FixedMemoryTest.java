package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.loam.common.error.ClosedException;

class FixedMemoryTest {
  @Test
  void blocksAreCountedNamedAndFreedAtClose() {
    long before = Mem.liveBytes();
    FixedMemory fixed = new FixedMemory(10_000);
    long ring = fixed.allocate("log ring", 4096, 4096);
    fixed.allocate("merge buffer", 1000, 64);
    fixed.allocate("merge buffer", 500, 64);
    assertThat(ring % 4096).isZero();
    assertThat(fixed.usedBytes()).isEqualTo(5596);
    assertThat(fixed.blocks())
        .extracting(block -> block.name() + " " + block.bytes())
        .containsExactly("log ring 4096", "merge buffer 500", "merge buffer 1000");
    assertThat(Mem.liveBytes()).isEqualTo(before + 5596);
    fixed.free(ring);
    assertThat(fixed.usedBytes()).isEqualTo(1500);
    fixed.close();
    fixed.close();
    assertThat(fixed.usedBytes()).isZero();
    assertThat(Mem.liveBytes()).isEqualTo(before);
    assertThatThrownBy(() -> fixed.allocate("late", 8, 8)).isInstanceOf(ClosedException.class);
  }

  @Test
  void theLimitHoldsAndARefusalTakesNothing() {
    try (FixedMemory fixed = new FixedMemory(1000)) {
      fixed.allocate("a", 900, 8);
      assertThatThrownBy(() -> fixed.allocate("page table", 101, 8))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("page table: 101 bytes")
          .hasMessageContaining("100 of 1000");
      fixed.allocate("b", 100, 8);
      assertThat(fixed.usedBytes()).isEqualTo(1000);
    }
  }

  @Test
  void freeingWhatIsNotABlockIsCaught() {
    try (FixedMemory fixed = new FixedMemory(1000)) {
      long a = fixed.allocate("a", 100, 8);
      assertThatThrownBy(() -> fixed.free(a + 8)).isInstanceOf(AssertionError.class);
      fixed.free(a);
      assertThatThrownBy(() -> fixed.free(a)).isInstanceOf(AssertionError.class);
    }
  }
}
