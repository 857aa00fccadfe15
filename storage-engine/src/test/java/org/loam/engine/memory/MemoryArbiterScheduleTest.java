package org.loam.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.memory.MemoryArbiter.Progress;

/** Schedules of a move beside a writer, flushes, a cache that fills, and loans. */
@Tag("once")
@Explored
class MemoryArbiterScheduleTest {
  private static final int SCHEDULES = 500;

  private static void move(Simulation sim, ArbiterWorld world, int targetPages) {
    world.target(targetPages);
    while (world.arbiter.advance() != Progress.DONE) {
      world.check();
      sim.env().waiter().pause(1);
    }
  }

  private static void sizes(ArbiterWorld world, int writePages) {
    assertThat(world.arbiter.own()).isEqualTo(writePages);
    assertThat(world.arbiter.lent()).isZero();
    assertThat(world.write.targetPages()).isEqualTo(writePages);
    assertThat(world.cache.targetPages()).isEqualTo(world.pool.pageCount() - writePages);
  }

  @Test
  void aLargerWriteMemoryIsReachedBesideACacheThatFills() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ArbiterWorld world = new ArbiterWorld(32)) {
            world.fillCache();
            sim.run(() -> move(sim, world, 36), world::fillCache, world::fillCache);
            sizes(world, 36);
            world.write(36);
          }
        });
  }

  /** A writer that stays below the threshold meets no refusal, however small write memory gets. */
  @Test
  void aMoveRefusesNoWriter() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ArbiterWorld world = new ArbiterWorld(32)) {
            world.arbiter.flushesAt(.75);
            world.write(20);
            Runnable writer =
                () -> {
                  for (int i = 0; i < 3; i++) {
                    world.write(3);
                    world.flush(3);
                  }
                  world.flush(12);
                };
            sim.run(() -> move(sim, world, 16), writer);
            sizes(world, 16);
          }
        });
  }

  @Test
  void loansGoBackWhateverTheTarget() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ArbiterWorld world = new ArbiterWorld(32)) {
            world.fillCache();
            world.write(32);
            Runnable writer =
                () -> {
                  while (!world.write()) {
                    assertThat(world.arbiter.borrow(4)).isTrue();
                    sim.env().waiter().pause(1);
                  }
                  world.flush(33);
                };
            sim.run(() -> move(sim, world, 24), writer, world::fillCache);
            sizes(world, 24);
          }
        });
  }

  /** What was to leave has left, or stays for good. */
  @Test
  void aMoveThatEndsBesideFlushesLosesNoPage() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (ArbiterWorld world = new ArbiterWorld(32)) {
            world.arbiter.flushesAt(.75);
            world.write(30);
            world.target(16);
            Runnable move =
                () -> {
                  world.arbiter.advance();
                  world.arbiter.stay();
                };
            sim.run(move, () -> world.flush(15));
            int pages = world.arbiter.own();
            assertThat(world.arbiter.targetBytes()).isEqualTo(pages * ArbiterWorld.PAGE_BYTES);
            sizes(world, pages);
          }
        });
  }
}
