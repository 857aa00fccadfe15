package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.error.FencedException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;

/**
 * Schedules of a thread that asks workers at rest for a flush or a compaction, and waits for its
 * end or for a fence. The simulation finds a wait that no signal ends.
 */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class BackgroundScheduleTest {
  private static final int SCHEDULES = 50;
  private static final long PAUSE_NANOS = 1_000_000_000;

  /** Of simulated time, and far more than a compaction takes. */
  private static final long SOON_NANOS = 500_000_000;

  /** An engine with a tree, two writes of which are in L0, and no other one to be flushed. */
  private static final class World {
    private final OpenEngine engine;
    private final LsmTree tree;
    private final Simulation sim;
    private @Nullable Throwable thrown;
    private long tookNanos;

    World(Simulation sim) {
      this.sim = sim;
      engine = SmallEngine.open(sim, SmallEngine.config().mergesWhenQuiet(false));
      tree = SmallEngine.createTree(engine, "t");
      for (int i = 0; i < 2; i++) {
        write();
        engine.maintenance().flush(tree);
      }
      // The workers have looked at what was flushed, and rest.
      sim.env().waiter().pause(PAUSE_NANOS);
    }

    private void write() {
      engine.writes().committer().write(tree, new byte[] {1}, new byte[100], WriteTerms.DEFAULT);
    }

    void writeAndFlush() {
      thrown =
          catchThrowable(
              () -> {
                write();
                engine.maintenance().flush(tree);
              });
    }

    void compact() {
      long begun = nanoTime();
      thrown = catchThrowable(() -> engine.maintenance().compact(tree));
      tookNanos = nanoTime() - begun;
    }

    private long nanoTime() {
      return sim.env().clock().nanoTime();
    }

    void fence() {
      engine.writes().latch().fence(new IllegalStateException("planned"));
    }
  }

  private static void explore(
      Consumer<World> ask, Consumer<World> meanwhile, Consumer<World> verdict) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(() -> ask.accept(world), () -> meanwhile.accept(world));
          verdict.accept(world);
          sim.run(world.engine::close);
        });
  }

  @Test
  void aFlushThatIsAskedForIsDone() {
    explore(
        World::writeAndFlush,
        world -> {},
        world -> {
          assertThat(world.thrown).isNull();
          assertThat(world.tree.hasFrozen()).isFalse();
        });
  }

  /** Not only when a timer wakes a worker. */
  @Test
  void aCompactionThatIsAskedForIsDoneAtOnce() {
    explore(
        World::compact,
        world -> {},
        world -> {
          assertThat(world.thrown).isNull();
          assertThat(world.tree.disk().runCount()).isEqualTo(1);
          assertThat(world.tookNanos).isLessThan(SOON_NANOS);
        });
  }

  @Test
  void aFenceEndsTheWaitForAFlush() {
    explore(World::writeAndFlush, World::fence, BackgroundScheduleTest::requireDoneOrFenced);
  }

  @Test
  void aFenceEndsTheWaitForACompaction() {
    explore(World::compact, World::fence, BackgroundScheduleTest::requireDoneOrFenced);
  }

  private static void requireDoneOrFenced(World world) {
    if (world.thrown != null) {
      assertThat(world.thrown).isInstanceOf(FencedException.class);
    }
  }
}
