package org.loam.engine.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.Committer;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.WriteControl;
import org.loam.scheduler.work.WriteGate;

/** Schedules of writers at a gate: each has its turn before it locks a key or commits. */
@Tag("once")
@Explored
class WriterTurnsScheduleTest {
  private static final int SCHEDULES = 60;
  private static final int SCHEDULES_OF_BUILDS = 100;
  private static final byte[] KEY = {1};
  private static final byte[] RECORD = new byte[100];

  private static final long PAUSE_NANOS = 1_000_000;

  /** At this rate a record takes a tenth of a second. */
  private static final double BYTES_PER_SECOND = 1000;

  /** What a record takes, less the credit for time that was not used. */
  private static final long TURN_NANOS = 90_000_000;

  /** An engine with a dataset and a tree beside it. */
  private static final class World {
    final Simulation sim;
    final OpenEngine engine;
    final DatasetState state;
    final LsmTree other;
    final Committer committer;
    final long firstEnd;

    World(Simulation sim) {
      this.sim = sim;
      engine = SmallEngine.open(sim, SmallEngine.config().durability(Durability.PROCESS));
      state = engine.datasets().create("records", "v1", List.of());
      other = SmallEngine.createTree(engine, "other");
      committer = engine.writes().committer();
      firstEnd = appliedEnd();
    }

    static void explore(Consumer<World> test) {
      explore(SCHEDULES, test);
    }

    static void explore(int schedules, Consumer<World> test) {
      Schedules.explore(
          schedules,
          sim -> {
            World world = Schedules.prepare(sim, () -> new World(sim));
            test.accept(world);
            sim.run(world.engine::close);
          });
    }

    WriteGate gate() {
      return state.records().gate();
    }

    long nanoTime() {
      return sim.env().clock().nanoTime();
    }

    long appliedEnd() {
      return engine.writes().latch().appliedEnd();
    }

    void writeRecord() {
      engine.datasetWriter().write(state, KEY, RECORD, WriteTerms.DEFAULT);
    }

    void writeOne() {
      committer.write(state.records(), KEY, RECORD, WriteTerms.DEFAULT);
    }

    /** The gate is that of its second tree. */
    void writeBatch() {
      PreparedBatch batch = new PreparedBatch(2);
      batch.put(other, KEY, RECORD);
      batch.put(state.records(), KEY, RECORD);
      committer.write(batch, WriteTerms.DEFAULT);
    }
  }

  @Test
  void aWriterThatWaitsForItsTurnHasNoKeyLocked() {
    World.explore(
        world -> {
          world.gate().set(StallCause.L0_STOP);
          world.sim.run(
              world::writeRecord,
              () -> {
                world.state.withoutWriters(() -> {});
                world.gate().set(null);
              });
        });
  }

  @Test
  void nothingIsWrittenWhileTheGateIsShut() {
    World.explore(
        world -> {
          world.gate().set(StallCause.L0_STOP);
          world.sim.run(
              world::writeRecord,
              world::writeOne,
              world::writeBatch,
              () -> {
                long appliedEnd = world.appliedEnd();
                world.gate().set(null);
                assertThat(appliedEnd).isEqualTo(world.firstEnd);
              });
        });
  }

  /** The build has seen what was written before it; what comes later knows of the index. */
  @Test
  void nothingIsWrittenWhileAnIndexIsBuilt() {
    World.explore(
        SCHEDULES_OF_BUILDS,
        world ->
            world.sim.run(
                world::writeRecord,
                () ->
                    world.state.build(
                        "index",
                        () -> {
                          long appliedEnd = world.appliedEnd();
                          world.sim.env().waiter().pause(PAUSE_NANOS);
                          assertThat(world.appliedEnd()).isEqualTo(appliedEnd);
                        })));
  }

  /** Its size is not known before it has passed: it is counted before its record shows. */
  @Test
  void whatComesAfterARecordThatShowsWaitsForIt() {
    World.explore(
        world -> {
          WriteControl limit = new WriteControl.Limit(BYTES_PER_SECOND);
          world.gate().update(null, limit, new WriteControl.L0(0, 1, 0, 0));
          long start = world.nanoTime();
          world.sim.run(
              world::writeRecord,
              () -> {
                while (world.appliedEnd() == world.firstEnd) {
                  world.sim.env().waiter().spin();
                }
                world.gate().pass(1, WriteGate.NO_DEADLINE, () -> {});
                assertThat(world.nanoTime() - start).isGreaterThanOrEqualTo(TURN_NANOS);
              });
        });
  }
}
