package org.loam.lsm.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of threads that are the first to take the same locks: no two hold one at a time. */
@Tag("once")
@Explored
class KeyLocksScheduleTest {
  private static final int SCHEDULES = 500;
  private static final LongSupplier LONG = () -> 1_000_000_000;

  /** Locks of a dataset that no thread has taken yet. */
  private static final class World {
    private final KeyLocks locks;
    private final AtomicInteger inside = new AtomicInteger();

    World(Simulation sim) {
      locks = new KeyLocks(sim.env().waiter(), "d");
    }

    void lock(int... some) {
      locks.lock(some);
      work(some);
    }

    /** As a writer does. */
    void tryLock(int... some) {
      if (locks.tryLock(some) || locks.tryLock(some, LONG)) {
        work(some);
      }
    }

    /** The lock of key 2 is among those of each thread. */
    private void work(int... some) {
      assertThat(inside.incrementAndGet()).as("threads inside").isEqualTo(1);
      inside.decrementAndGet();
      locks.unlock(some);
    }
  }

  @Test
  void oneThreadAtATimeHasALock() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(() -> world.tryLock(1, 2), () -> world.tryLock(2, 3), () -> world.lock(2));
          assertThat(world.inside).hasValue(0);
        });
  }
}
