package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.mem.Epochs;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of a file that comes out of use beside the look of a worker. */
@Explored
class FileLookScheduleTest {
  private static final int SCHEDULES = 500;
  private static final long PAUSE_NANOS = 2_000_000_000;

  /** It is never quiet: no other look comes. */
  private static final BackgroundWorkers.Settings SETTINGS =
      new BackgroundWorkers.Settings(1, 1, 4, 1, 1, 1, BackgroundWorkers.Settings.NEVER);

  /** Workers, and a reader that keeps the file. */
  private static final class World {
    private final StorageEnv env;
    private final Epochs readers;
    private final int reader;
    private final BackgroundWorkers workers;
    private boolean deleted;

    World(Simulation sim) {
      env = sim.env();
      readers = new Epochs(env.waiter(), 2);
      reader = readers.enter();
      FakeEngine engine = new FakeEngine(env, 1);
      engine.unusedFiles =
          () -> {
            readers.collect();
            return readers.retiredCount() > 0;
          };
      workers = engine.start(new RateLimiter(env, 0), SETTINGS);
      workers.awaitIdle();
    }

    void retire() {
      readers.retire(() -> deleted = true);
      workers.signal();
    }

    void leave() {
      readers.exit(reader);
      env.waiter().pause(PAUSE_NANOS);
    }
  }

  @Test
  void noFileIsForgotten() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::retire, world.workers::signal);
          sim.run(world::leave);
          assertThat(world.deleted).isTrue();
          sim.run(world.workers::close);
        });
  }
}
