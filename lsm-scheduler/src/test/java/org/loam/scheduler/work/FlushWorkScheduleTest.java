package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.DiskFullException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Schedules of workers that look for a flush while one comes up, or while one fails. */
@Tag("once")
@Explored
class FlushWorkScheduleTest {
  private static final int SCHEDULES = 300;
  private static final int MEMORY_ENTRIES = 4;
  private static final long PAUSE_NANOS = 2_000_000_000;

  /** Rests are over at once, and it is never quiet: no other look comes. */
  private static BackgroundWorkers.Settings settings(int flushWorkers) {
    return new BackgroundWorkers.Settings(
        flushWorkers, 1, 4, MEMORY_ENTRIES, 1, 1, BackgroundWorkers.Settings.NEVER);
  }

  /** Workers at rest, and a tree whose memory is full. */
  private static final class World {
    private final StorageEnv env;
    private final FakeEngine engine;
    private final FakeEngine.Tree tree;
    private final BackgroundWorkers workers;

    World(Simulation sim, int flushWorkers) {
      env = sim.env();
      engine = new FakeEngine(env, 1);
      tree =
          engine.newTree(
              new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT),
              ComponentConstraint.l0Stop(99),
              MEMORY_ENTRIES);
      for (int key = 0; key < MEMORY_ENTRIES; key++) {
        tree.put(key);
      }
      workers = engine.start(new RateLimiter(env, 0), settings(flushWorkers));
      workers.awaitIdle();
    }

    /** Freezes what memory has. */
    void write() {
      tree.put(MEMORY_ENTRIES);
    }

    void failOnce() {
      engine.hook =
          (operation, quantumBytes) -> {
            if (engine.faults.isEmpty() && operation.ioClass() == IoClass.FLUSH) {
              throw new DiskFullException("planned", 1, 0);
            }
          };
    }
  }

  private static void explore(int flushWorkers, Consumer<World> plan) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim, flushWorkers));
          plan.accept(world);
          sim.run(world::write, world.workers::signal);
          sim.run(() -> world.env.waiter().pause(PAUSE_NANOS));
          assertThat(world.engine.broken).isEmpty();
          assertThat(world.tree.pending).as("waits to be flushed").isEmpty();
          sim.run(world.workers::close);
        });
  }

  /** The worker had found none, and had not come to rest yet. */
  @Test
  void aFlushThatComesUpBesideALookIsDone() {
    explore(1, world -> {});
  }

  /** As long as the flush that failed is not given up, the other worker finds none. */
  @Test
  void aFlushThatFailsIsDoneByAWorkerThatLooksMeanwhile() {
    explore(2, World::failOnce);
  }
}
