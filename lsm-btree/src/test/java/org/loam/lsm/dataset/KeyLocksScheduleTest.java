package org.loam.lsm.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/**
 * Schedules of threads that are the first to take the same locks: no two hold one at a time, and
 * none is inside after a wait for the holders behind a gate that was shut.
 */
@Tag("once")
@Explored
class KeyLocksScheduleTest {
  private static final int SCHEDULES = 500;
  private static final long PAUSE_NANOS = 1_000_000;
  private static final LongSupplier LONG = () -> 1_000_000_000;

  /** Locks of a dataset that no thread has taken yet. */
  private static final class World {
    private final Simulation sim;
    private final KeyLocks locks;
    private final AtomicInteger inside = new AtomicInteger();

    /** Where writers look when they have their locks. */
    private volatile boolean isShut;

    private volatile boolean isAlone;

    World(Simulation sim) {
      this.sim = sim;
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

    /** As a writer does that finds the gate of its dataset open, or gives its locks back. */
    void writeUnlessShut(int... some) {
      locks.lock(some);
      if (!isShut) {
        inside.incrementAndGet();
        assertThat(isAlone).isFalse();
        inside.decrementAndGet();
      }
      locks.unlock(some);
    }

    /** As the drop of an index does. */
    void shut() {
      isShut = true;
      locks.awaitHolders();
      assertThat(inside).as("threads inside").hasValue(0);
      isAlone = true;
      sim.env().waiter().pause(PAUSE_NANOS);
      isAlone = false;
      isShut = false;
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

  @Test
  void noThreadIsInsideOnceTheHoldersHaveEnded() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          sim.run(() -> world.writeUnlessShut(1, 2), () -> world.writeUnlessShut(3), world::shut);
        });
  }
}
