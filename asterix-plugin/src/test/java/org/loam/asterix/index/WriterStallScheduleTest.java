package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of writers that come to an index at once. */
@Explored
class WriterStallScheduleTest {
  private static final int SCHEDULES = 1000;

  /** Counts stalls; the end of a stall counts once, as in the statistics. */
  private static final class World {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final WriterStall stall = new WriterStall(this::begin);

    private Runnable begin() {
      begun.incrementAndGet();
      AtomicInteger ends = new AtomicInteger();
      return () -> ended.addAndGet(ends.getAndIncrement() == 0 ? 1 : 0);
    }
  }

  @Test
  void writersThatAreKeptOutTogetherAreOneStall() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World();
          Runnable keptOut = world.stall::begin;
          sim.run(keptOut, keptOut, keptOut);
          assertThat(world.begun).hasValue(1);
          assertThat(world.ended).hasValue(0);
          world.stall.end();
          assertThat(world.ended).hasValue(1);
        });
  }

  /** A writer that ends one stall must not forget another one, which has begun meanwhile. */
  @Test
  void aStallThatBeginsAsAnotherOneEndsIsEndedToo() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World();
          world.stall.begin();
          sim.run(world.stall::end, world.stall::end, world.stall::begin);
          world.stall.end();
          assertThat(world.ended.get()).as("ended").isEqualTo(world.begun.get());
        });
  }
}
