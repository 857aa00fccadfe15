package org.loam.engine.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.TreeRole;
import org.loam.scheduler.work.StallLog;

/**
 * Schedules of an index that counts from some moment on, while others ask what its tree is, and of
 * indexes that get their extractors, while a verification asks whether they have them.
 */
@Tag("once")
@Explored
class DatasetStateScheduleTest {
  private static final int SCHEDULES = 60;
  private static final int TIMES = 30;
  private static final int LOOKS = 4 * TIMES;

  /** A dataset with a tree that is about to become an index. */
  private static final class World {
    final OpenEngine engine;
    final DatasetState state;
    final Index index;

    /** Datasets that no program has opened, and how many of them are opened or about to be. */
    final List<DatasetState> unopened;

    final AtomicInteger opened = new AtomicInteger();

    World(Simulation sim) {
      engine = SmallEngine.open(sim, SmallEngine.config());
      index =
          new Index(
              IndexDefinition.of("index", "v1", (record, keys) -> {}),
              SmallEngine.createTree(engine, "an index"));
      LsmTree records = SmallEngine.createTree(engine, "records");
      state = state(sim, records);
      unopened = Stream.generate(() -> state(sim, records)).limit(TIMES).toList();
      state.begin(index.tree());
    }

    private DatasetState state(Simulation sim, LsmTree records) {
      return new DatasetState(
          sim.env(),
          new StallLog(1),
          engine.reads().operations(),
          TreeRole.ofRecords("records", "v1"),
          records,
          List.of());
    }

    /** Its tree is an unfinished one, an index, or both. */
    void addAgainAndAgain() {
      for (int i = 0; i < TIMES; i++) {
        state.begin(index.tree());
        state.remove(index);
        state.add(index);
      }
    }

    void look() {
      for (int i = 0; i < TIMES; i++) {
        assertThat(state.owns(index.tree())).as("whether its tree is a part of it").isTrue();
      }
    }

    void open() {
      for (DatasetState one : unopened) {
        opened.incrementAndGet();
        one.attach(List.of(index));
      }
    }

    /** At the one that is opened now, as a verification does. */
    void lookAtExtractors() {
      for (int i = 0; i < LOOKS; i++) {
        DatasetState one = unopened.get(Math.max(0, opened.get() - 1));
        if (one.isAttached()) {
          assertThat(one.indexes()).as("those with extractors").containsExactly(index);
        }
      }
    }
  }

  @Test
  void theTreeOfAnIndexIsAPartOfTheDatasetAtEachMoment() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::addAgainAndAgain, world::look);
          sim.run(world.engine::close);
        });
  }

  @Test
  void theIndexesOfADatasetThatIsOpenHaveExtractors() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::open, world::lookAtExtractors);
          sim.run(world.engine::close);
        });
  }
}
