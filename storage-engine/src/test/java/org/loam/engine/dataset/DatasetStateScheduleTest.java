package org.loam.engine.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.TreeRole;
import org.loam.scheduler.work.StallLog;

/** Schedules of an index that counts from some moment on, while others ask what its tree is. */
@Tag("once")
@Explored
class DatasetStateScheduleTest {
  private static final int SCHEDULES = 60;
  private static final int TIMES = 30;

  /** A dataset with a tree that is about to become an index. */
  private static final class World {
    final OpenEngine engine;
    final DatasetState state;
    final Index index;

    World(Simulation sim) {
      engine = SmallEngine.open(sim, SmallEngine.config());
      index =
          new Index(
              IndexDefinition.of("index", "v1", (record, keys) -> {}),
              SmallEngine.createTree(engine, "an index"));
      state =
          new DatasetState(
              sim.env(),
              new StallLog(1),
              engine.reads().operations(),
              TreeRole.ofRecords("records", "v1"),
              SmallEngine.createTree(engine, "records"),
              List.of());
      state.begin(index.tree());
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
}
