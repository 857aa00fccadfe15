package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/**
 * Schedules of the commit of a bulk load and a reader, until power is lost. The load is durable
 * without the log: what a reader saw of it stays, and so do the writes before it.
 */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class LoadsScheduleTest {
  private static final int SCHEDULES = 100;
  private static final int LOOKS = 100;
  private static final byte[] KEY = "key".getBytes(UTF_8);

  /** An engine that forces no writes, with one, and a load that is to be committed. */
  private static final class World {
    private final Simulation sim;
    private final Engine engine;
    private final Tree written;
    private final Tree loaded;
    private final BulkLoad load;
    private boolean seen;

    World(Simulation sim) {
      this.sim = sim;
      engine = open(sim);
      written = engine.createTree("written");
      loaded = engine.createTree("loaded");
      load = loaded.bulkLoad();
      load.add(KEY, KEY);
      written.put(KEY, KEY);
    }

    static Engine open(Simulation sim) {
      return Engine.open(
          sim.env(), sim.directory(), SmallEngine.config().durability(Durability.PROCESS).build());
    }

    void losePower() {
      sim.crash(CrashKind.POWER_LOSS);
    }

    void lookUntilPowerIsLost() {
      for (int i = 0; i < LOOKS && !seen; i++) {
        seen = loaded.get(KEY) != null;
      }
      losePower();
    }

    /** Opens the database again. */
    void verify() {
      try (Engine again = open(sim)) {
        boolean isThere = again.tree("loaded").get(KEY) != null;
        if (seen) {
          assertThat(isThere).as("what a reader saw is there").isTrue();
        }
        if (isThere) {
          assertThat(again.tree("written").get(KEY)).as("written before").isEqualTo(KEY);
        }
      }
    }
  }

  private static void explore(Consumer<World> before, Consumer<World> beside) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim), before);
          sim.run(world.load::commit, () -> beside.accept(world));
          Schedules.finish(sim, world::verify);
        });
  }

  @Test
  void aLoadSurvivesALossOfPowerOnlyWithTheWritesBeforeIt() {
    explore(world -> {}, World::losePower);
  }

  /** What was written before is durable, so that the commit does not wait for it. */
  @Test
  void whatWasSeenOfALoadSurvivesALossOfPower() {
    explore(
        world -> world.engine.open().writes().latch().awaitDurable(), World::lookUntilPowerIsLost);
  }
}
