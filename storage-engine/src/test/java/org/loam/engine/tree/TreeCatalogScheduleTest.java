package org.loam.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Schedules of a tree that comes and goes while another thread looks which there are. */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class TreeCatalogScheduleTest {
  private static final int SCHEDULES = 400;
  private static final int LOOKS = 5;

  /** A tree of an engine, and an empty catalog. */
  private static final class World {
    final OpenEngine engine;
    final OpenTree open;
    final TreeCatalog catalog;

    World(Simulation sim) {
      engine = SmallEngine.open(sim, SmallEngine.config());
      LsmTree tree = SmallEngine.createTree(engine, "t");
      open = new OpenTree(tree, engine.trees().componentsOf(tree));
      catalog = new TreeCatalog(sim.env().waiter());
    }

    void add() {
      catalog.add(open);
    }

    void remove() {
      catalog.remove(open.tree());
    }

    void look() {
      for (int i = 0; i < LOOKS; i++) {
        for (LsmTree tree : catalog.list()) {
          assertThat(catalog.componentsOf(tree)).isSameAs(open.components());
          assertThat(catalog.components()).containsExactly(open.components());
        }
      }
    }

    /** In the other order: what has no components any more is not listed either. */
    void lookBack() {
      for (int i = 0; i < LOOKS; i++) {
        if (!catalog.has(open.tree())) {
          assertThat(catalog.list()).isEmpty();
        }
      }
    }
  }

  @Test
  void aTreeHasItsComponentsAsLongAsItIsListed() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::add, world::look);
          sim.run(world::remove, world::lookBack);
          Schedules.finish(sim, world.engine::close);
        });
  }
}
