package org.loam.engine.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.Opening;
import org.loam.engine.tree.Schema.NewTree;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.TreeRole;
import org.loam.scheduler.work.StallLog;

/** Schedules of an index that counts from some moment on, while others ask what its tree is. */
@Tag("once")
@Explored
class DatasetStateScheduleTest {
  private static final int SCHEDULES = 60;
  private static final int TIMES = 30;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(32 << 10)
          .writeInitialBytes(512 << 10)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(128 << 10)
          .build();

  /** A dataset with a tree that is about to become an index. */
  private static final class World {
    final OpenEngine engine;
    final DatasetState state;
    final Index index;

    World(Simulation sim) {
      engine =
          OpenEngine.open(
              sim.env(), sim.directory(), CONFIG, new Opening.Given(null, null, List.of()));
      index =
          new Index(IndexDefinition.of("index", "v1", (record, keys) -> {}), newTree("an index"));
      state =
          new DatasetState(
              sim.env(),
              new StallLog(1),
              engine.reads().operations(),
              TreeRole.ofRecords("records", "v1"),
              newTree("records"),
              List.of());
      state.begin(index.tree());
    }

    private LsmTree newTree(String name) {
      LsmTree[] made = new LsmTree[1];
      NewTree tree = new NewTree(name, 0, "");
      engine
          .schema()
          .underChanges(
              () -> engine.schema().create(List.of(tree), trees -> made[0] = trees.get(0)));
      return made[0];
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
          World[] made = new World[1];
          sim.run(
              () -> {
                SwitchPoints.hold();
                made[0] = new World(sim);
                SwitchPoints.release();
              });
          World world = made[0];
          sim.run(world::addAgainAndAgain, world::look);
          sim.run(world.engine::close);
        });
  }
}
