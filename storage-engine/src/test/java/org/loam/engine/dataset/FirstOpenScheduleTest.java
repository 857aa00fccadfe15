package org.loam.engine.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.dataset.DatasetState.Index;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Schedules of two threads that open a dataset for the first time, one of which adds an index: the
 * other one must not take it away, nor exchange an extractor that is in use.
 */
@Tag("once")
@Explored
class FirstOpenScheduleTest {
  private static final int SCHEDULES = 200;
  private static final String NAME = "records";

  /** An engine with a dataset that no program has opened yet. */
  private static final class World {
    final OpenEngine engine;
    final LsmTree tree;
    @Nullable IndexDefinition used;

    World(Simulation sim) {
      try (OpenEngine before = open(sim)) {
        before.datasets().create(NAME, "v1", List.of(index("index")));
      }
      engine = open(sim);
      tree = SmallEngine.createTree(engine, "another");
    }

    private static OpenEngine open(Simulation sim) {
      return SmallEngine.open(sim, SmallEngine.config().durability(Durability.PROCESS));
    }

    /** A program has extractors of its own. */
    private static IndexDefinition index(String name) {
      return IndexDefinition.of(name, "v1", (record, keys) -> {});
    }

    DatasetState open() {
      return engine.datasets().open(NAME, "v1", List.of(index("index")));
    }

    void openAndAdd() {
      DatasetState state = open();
      used = state.indexes().get(0).definition();
      // Past the gate: no thread writes.
      state.add(new Index(index("later"), tree));
    }

    /** It is refused if it comes after the other index, which it does not know. */
    void openOnly() {
      IllegalArgumentException refused =
          catchThrowableOfType(IllegalArgumentException.class, this::open);
      if (refused != null) {
        assertThat(refused).hasMessageContaining("[index, later]");
      }
    }
  }

  @Test
  void theSecondOneChangesNothing() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::openAndAdd, world::openOnly);
          List<Index> indexes = world.engine.datasets().require(NAME).indexes();
          assertThat(indexes)
              .extracting(index -> index.definition().name())
              .containsExactly("index", "later");
          assertThat(indexes.get(0).definition()).isSameAs(world.used);
          Schedules.finish(sim, world.engine::close);
        });
  }
}
