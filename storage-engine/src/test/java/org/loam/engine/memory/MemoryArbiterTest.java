package org.loam.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.engine.memory.MemoryArbiter.Progress;

@Tag("once")
class MemoryArbiterTest {
  private static final int WRITE_PAGES = 64;

  private final ArbiterWorld world = new ArbiterWorld(WRITE_PAGES);
  private final MemoryArbiter arbiter = world.arbiter;

  private void closed() {
    world.close();
  }

  private void sizes(int writePages) {
    assertThat(arbiter.own()).isEqualTo(writePages);
    assertThat(world.write.targetPages()).isEqualTo(writePages);
    assertThat(world.cache.targetPages()).isEqualTo(world.pool.pageCount() - writePages);
    assertThat(world.cache.excessPages()).isZero();
  }

  @Test
  void memoryThatIsNotUsedMovesAtOnce() {
    world.target(100);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(100);
    world.target(20);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(20);
    closed();
  }

  @Test
  void aStepIsASixteenthOfWriteMemory() {
    world.target(120);
    assertThat(arbiter.advance()).isEqualTo(Progress.MOVED);
    sizes(68);
    world.target(30);
    assertThat(arbiter.advance()).isEqualTo(Progress.MOVED);
    sizes(64);
    closed();
  }

  /** From sixteen times as much on a sixteenth would be more. */
  @Test
  void aStepIsAtMostEightMebibytes() {
    int most = (8 << 20) / ArbiterWorld.PAGE_BYTES;
    try (ArbiterWorld large = new ArbiterWorld(20 * most)) {
      large.target(10 * most);
      assertThat(large.arbiter.advance()).isEqualTo(Progress.MOVED);
      assertThat(large.arbiter.own()).isEqualTo(19 * most);
      assertThat(large.arbiter.advance()).isEqualTo(Progress.MOVED);
      assertThat(large.arbiter.own()).isEqualTo(18 * most);
      large.target(20 * most);
      assertThat(large.arbiter.advance()).isEqualTo(Progress.MOVED);
      assertThat(large.arbiter.own()).isEqualTo(19 * most);
    }
  }

  @Test
  void aStepUpCountsWhenTheCacheHasGivenItsPagesUp() {
    world.fillCache();
    world.pin(ArbiterWorld.CACHE_PAGES - 2);
    world.target(128);
    assertThat(world.move()).isEqualTo(Progress.NEEDS_CACHE);
    assertThat(arbiter.own()).isEqualTo(WRITE_PAGES);
    world.pin(0);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(128);
    closed();
  }

  @Test
  void aStepDownWaitsUntilWhatIsUsedIsBelowTheThreshold() {
    arbiter.flushesAt(.75);
    world.write(48);
    world.target(32);
    assertThat(world.move()).isEqualTo(Progress.NEEDS_FLUSH);
    assertThat(arbiter.own()).as("flushes begin by the next size").isEqualTo(60);
    assertThat(world.write.targetPages()).as("writers have what they had").isEqualTo(64);
    world.flush(2);
    assertThat(world.write.targetPages()).as("46 of 60 are too many").isEqualTo(64);
    world.flush(1);
    assertThat(world.write.targetPages()).as("45 of 60").isEqualTo(60);
    world.flush(21);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(32);
    closed();
  }

  @Test
  void aTargetMayChangeInAMove() {
    world.write(64);
    world.target(20);
    assertThat(world.move()).isEqualTo(Progress.NEEDS_FLUSH);
    assertThat(arbiter.own()).isEqualTo(60);
    world.target(62);
    assertThat(arbiter.own()).as("what has not left may stay").isEqualTo(62);
    assertThat(world.move()).isEqualTo(Progress.NEEDS_FLUSH);
    world.target(70);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(70);
    world.flush(64);
    sizes(70);
    closed();
  }

  @Test
  void aMoveThatIsToEndKeepsWhatHasNotLeft() {
    world.write(64);
    world.target(20);
    assertThat(world.move()).isEqualTo(Progress.NEEDS_FLUSH);
    assertThat(arbiter.own()).isEqualTo(60);
    arbiter.stay();
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(64);
    world.flush(64);
    sizes(64);
    closed();
  }

  /** What the cache still owes arrives; a loan goes back. */
  @Test
  void aMoveThatIsToEndTakesWhatIsArriving() {
    world.fillCache();
    world.pin(ArbiterWorld.CACHE_PAGES - 2);
    world.write(64);
    world.target(128);
    assertThat(world.move()).isEqualTo(Progress.NEEDS_CACHE);
    arbiter.stay();
    assertThat(arbiter.targetBytes()).isEqualTo(68 * ArbiterWorld.PAGE_BYTES);
    world.pin(0);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    assertThat(arbiter.borrow(10)).isTrue();
    arbiter.stay();
    assertThat(world.move()).isEqualTo(Progress.DONE);
    assertThat(arbiter.own()).isEqualTo(68);
    world.flush(64);
    sizes(68);
    closed();
  }

  /**
   * Where a tuner adds to write memory, this is not lent; where it takes, a loan still goes back.
   */
  @Test
  void loansAndTargetsAreApart() {
    world.write(64);
    assertThat(arbiter.borrow(10)).isTrue();
    assertThat(arbiter.lent()).isEqualTo(10);
    world.write(10);
    world.target(72);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    assertThat(arbiter.lent()).isEqualTo(10);
    assertThat(arbiter.own()).isEqualTo(72);
    world.flush(30);
    assertThat(arbiter.lent()).isZero();
    sizes(72);
    assertThat(arbiter.borrow(20)).isTrue();
    world.write(45);
    world.target(40);
    assertThat(world.move()).isEqualTo(Progress.NEEDS_FLUSH);
    world.flush(89);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(40);
    closed();
  }

  @Test
  void theCacheKeepsWhatItNeeds() {
    assertThat(arbiter.borrow(90)).isTrue();
    world.write(150);
    world.target(150);
    assertThat(world.move()).as("until the loan is back").isEqualTo(Progress.NEEDS_CACHE);
    world.flush(100);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(150);
    assertThat(arbiter.borrow(15)).isFalse();
    closed();
  }

  @Test
  void aTargetThatLeavesASideTooLittleIsRefused() {
    assertThatThrownBy(() -> world.target(15))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "target of write memory: 60KiB, must be in 64KiB .. 656KiB, which"
                + " leaves the buffer cache 256 pages");
    assertThatThrownBy(() -> world.target(165)).hasMessageContaining("660KiB, must be in");
    world.target(16);
    world.target(164);
    assertThat(world.move()).isEqualTo(Progress.DONE);
    sizes(164);
    closed();
  }
}
