package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryLeveling.Sizes;

/**
 * Schedules of writers that wait for merges in the memory of their trees, while these end before
 * they are done.
 */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class MemoryMergingScheduleTest {
  private static final int SCHEDULES = 40;
  private static final int RUNS = 4;

  /** More than merges take; a writer that waits for ever looks more often. */
  private static final int MOST_LOOKS = 100_000;

  /** Two trees with runs that wait to be merged. */
  private static final class World {
    private final Simulation sim;
    private final OpenEngine engine;
    private final List<LsmTree> trees = new ArrayList<>();
    private final MemoryMerging merging;

    World(Simulation sim) {
      this.sim = sim;
      engine =
          SmallEngine.open(
              sim, SmallEngine.config().durability(Durability.PROCESS).writeInitialBytes(4 << 20));
      for (String name : List.of("a", "b")) {
        LsmTree tree = SmallEngine.createTree(engine, name);
        for (int i = 0; i < RUNS; i++) {
          engine
              .writes()
              .committer()
              .write(tree, new byte[] {(byte) i}, new byte[100], WriteTerms.DEFAULT);
          engine.writes().latch().underLatch(() -> assertThat(tree.freezes().settle()).isTrue());
        }
        assertThat(tree.waitingRuns()).isEqualTo(RUNS);
        trees.add(tree);
      }
      // The scheme of the engine merges nothing in memory.
      merging =
          new MemoryMerging(
              sim.env(), engine.trees()::components, () -> new Sizes(1 << 20, 1 << 20, 10));
    }

    void await(LsmTree tree) {
      merging.wake();
      int looks = 0;
      while (tree.waitingRuns() > 1 && tree.isMergingMemory()) {
        assertThat(looks++).as("looks of a writer that waits").isLessThan(MOST_LOOKS);
        sim.env().waiter().spin();
      }
    }
  }

  private static void explore(Consumer<World> end) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(
              () -> world.await(world.trees.get(0)),
              () -> world.await(world.trees.get(1)),
              () -> end.accept(world));
          sim.run(world.merging::close);
          assertThat(world.trees).noneMatch(LsmTree::isMergingMemory);
          sim.run(world.engine::close);
        });
  }

  @Test
  void noWriterWaitsForAThreadThatIsClosed() {
    explore(world -> world.merging.close());
  }

  /**
   * What is merged must be durable first: the step of one tree fails, and that of the other one.
   */
  @Test
  void noWriterWaitsForMergesThatFail() {
    explore(world -> world.engine.writes().latch().fence(new IllegalStateException("planned")));
  }

  @Test
  void allIsMergedIfNothingEndsIt() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          LsmTree tree = world.trees.get(0);
          sim.run(() -> world.await(tree), () -> world.await(world.trees.get(1)));
          sim.run(() -> sim.env().waiter().pause(1_000_000_000));
          assertThat(world.trees).allMatch(one -> one.waitingRuns() == 0);
          sim.run(world.merging::close);
          sim.run(world.engine::close);
        });
  }
}
