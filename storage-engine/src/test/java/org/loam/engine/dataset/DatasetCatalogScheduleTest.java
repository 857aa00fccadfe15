package org.loam.engine.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Schedules of a dataset that comes, while another thread asks whose its trees are: one that
 * belongs to no dataset is open to writes past the indexes.
 */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class DatasetCatalogScheduleTest {
  private static final int SCHEDULES = 200;
  private static final int LOOKS = 400;
  private static final IndexDefinition INDEX =
      IndexDefinition.of("index", "v1", (record, keys) -> {});

  /** An engine without datasets. */
  private static final class World {
    final OpenEngine engine;

    World(Simulation sim) {
      engine = SmallEngine.open(sim, SmallEngine.config());
    }

    void create() {
      engine.datasets().create("records", "v1", List.of(INDEX));
    }

    void look() {
      for (int i = 0; i < LOOKS; i++) {
        look("records");
        look("records/index");
      }
    }

    private void look(String name) {
      LsmTree tree = engine.trees().byName(name);
      if (tree != null) {
        assertThat(engine.datasets().ownerOf(tree)).isEqualTo("records");
      }
    }

    void lookAtTrees() {
      for (int i = 0; i < LOOKS; i++) {
        if (engine.datasets().has("records")) {
          assertThat(engine.trees().byName("records")).isNotNull();
          assertThat(engine.trees().byName("records/index")).isNotNull();
        }
      }
    }

    void lookAtStates() {
      for (int i = 0; i < LOOKS; i++) {
        assertThat(engine.datasets().states()).allMatch(DatasetState::isAttached);
      }
    }
  }

  /** The close is no matter of a test, and takes no switch. */
  private static void explore(Consumer<World> look) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::create, () -> look.accept(world));
          Schedules.finish(sim, world.engine::close);
        });
  }

  @Test
  void theTreesOfADatasetAreItsOwnFromTheirFirstMoment() {
    explore(World::look);
  }

  /** The log is kept for the writes of trees that are listed, and of no others. */
  @Test
  void theTreesOfADatasetThatIsFoundAreListed() {
    explore(World::lookAtTrees);
  }

  @Test
  void aDatasetThatIsFoundKnowsItsExtractors() {
    explore(World::lookAtStates);
  }
}
