package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.ComponentChanges;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.StepResult;

/** Schedules of statistics that are read while the engine works. */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class StatisticsScheduleTest {
  private static final int SCHEDULES = 100;
  private static final int TIMES = 2;

  /** An engine with a tree, a write of which is in L0. */
  private static final class World {
    private final Engine engine;
    private final Tree tree;

    World(Simulation sim) {
      engine =
          Engine.open(
              sim.env(),
              sim.directory(),
              SmallEngine.config()
                  .durability(Durability.SYNC)
                  .mergeThreads(1)
                  .mergesWhenQuiet(false)
                  .build());
      tree = engine.createTree("t");
      put(0);
      tree.flush();
      // The worker that merges looks at what was flushed, and rests.
      sim.env().waiter().pause(1_000_000_000);
    }

    void put(int i) {
      tree.put(new byte[] {1}, new byte[] {(byte) i});
    }

    void write() {
      for (int i = 1; i <= TIMES; i++) {
        put(i);
      }
    }

    /** Moves the table to the last level; how that goes on is no matter of this test. */
    void compact() {
      ComponentChanges components = engine.open().trees().components().get(0);
      SwitchPoints.hold();
      components.requestCompaction();
      List<MergePlan> plans = components.mergePolicy().plan(components.shape(), RunMode.RUNNING);
      BackgroundOperation move = Objects.requireNonNull(components.open(plans.get(0)));
      assertThat(move.step(1)).isEqualTo(StepResult.DONE);
      SwitchPoints.release();
    }

    /** What is flushed gives its memory back at once if no reader is inside. */
    void flush() {
      for (int i = 1; i <= TIMES; i++) {
        put(2 * i);
        put(2 * i + 1);
        tree.flush();
      }
    }

    void lookAtTheMemory() {
      for (int i = 0; i < TIMES; i++) {
        EngineStatistics now = engine.statistics();
        require(now.memory().writeUse(), Long.MAX_VALUE);
        TreeStatistics one = now.trees().get(0);
        require(one.writeUse(), one.memoryBytes());
      }
    }

    private static void require(EngineStatistics.WriteUse use, long mostBytes) {
      assertThat(use.liveBytes()).as("live").isNotNegative();
      assertThat(use.liveBytes() + use.supersededBytes())
          .as("of all")
          .isLessThanOrEqualTo(mostBytes);
      assertThat(use.leavingBytes()).as("leaving").isLessThanOrEqualTo(mostBytes);
    }

    void lookAtTheLog() {
      for (int i = 0; i < TIMES; i++) {
        EngineStatistics.Log log = engine.statistics().log();
        assertThat(log.durableLsn()).as("durable end").isLessThanOrEqualTo(log.endLsn());
      }
    }

    void lookAtTheTree() {
      for (int i = 0; i < TIMES; i++) {
        TreeStatistics now = engine.statistics().trees().get(0);
        boolean hasL0 = now.levels().stream().anyMatch(level -> level.level() == 0);
        assertThat(now.l0().depth()).as("depth of L0").isEqualTo(hasL0 ? 1 : 0);
      }
    }
  }

  @Test
  void whatIsDurableIsWritten() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::write, world::lookAtTheLog);
          sim.run(world.engine::close);
        });
  }

  @Test
  void theLevelsOfATreeAreThoseOfOneMoment() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::compact, world::lookAtTheTree);
          sim.run(world.engine::close);
        });
  }

  @Test
  void theMemoryOfATreeIsThatOfOneMoment() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::flush, world::lookAtTheMemory);
          sim.run(world.engine::close);
        });
  }
}
