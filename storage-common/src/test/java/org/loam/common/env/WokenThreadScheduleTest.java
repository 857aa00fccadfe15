package org.loam.common.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of a thread that others wake and close. */
@Tag("once")
@Explored
class WokenThreadScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int PATIENCE = 100;

  /** What the body has to do, and has done. */
  private static final class World {
    private final Simulation sim;
    private final AtomicInteger wanted = new AtomicInteger();
    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final WokenThread thread;

    World(Simulation sim) {
      this.sim = sim;
      this.thread = new WokenThread(sim.env(), "worker", "worker", this::work);
    }

    private void work() {
      begun.incrementAndGet();
      while (thread.await(Long.MAX_VALUE)) {
        seen.set(wanted.get());
      }
      ended.incrementAndGet();
    }

    void want() {
      wanted.incrementAndGet();
      thread.wake();
    }
  }

  @Test
  void noWakeUpIsLost() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(world::want, world::want);
          sim.run(
              () -> {
                for (int i = 0; i < PATIENCE && world.seen.get() < 2; i++) {
                  world.sim.env().waiter().pause(1_000);
                }
                world.thread.close();
              });
          assertThat(world.seen).hasValue(2);
          assertThat(world.begun).hasValue(1);
          assertThat(world.ended).hasValue(1);
        });
  }

  @Test
  void noThreadOutlivesTheClose() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(
              world::want,
              () -> {
                world.thread.close();
                int begun = world.begun.get();
                assertThat(world.ended).hasValue(begun);
                world.want();
                assertThat(world.begun).hasValue(begun);
              });
          assertThat(world.ended).hasValue(world.begun.get());
        });
  }
}
