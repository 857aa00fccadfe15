package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryLeveling.Sizes;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Schedules of merges in memory, and a writer that waits for them as long as they go on. */
@Tag("once")
@Explored
class MemoryMergesScheduleTest {
  private static final int SCHEDULES = 200;
  private static final int RUNS = 4;

  /** More than merges take; a writer that waits for ever looks more often. */
  private static final int MOST_LOOKS = 100_000;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  /** A tree with runs of two pages that wait to be merged. */
  private static final class World implements AutoCloseable {
    private final Simulation sim;
    private final TreeWorld world;
    private final LsmTree tree;
    private long nextLsn = 1;

    World(Simulation sim, int freePages) {
      this.sim = sim;
      TreeWorld.Sizes sizes =
          new TreeWorld.Sizes(4096, 2 * RUNS + freePages, 1 << 20, 4, 8 << 10, 1);
      world =
          new TreeWorld(
              sim, sizes, new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE), BEHAVIOUR);
      tree = world.createTree("t", BEHAVIOUR);
      for (int i = 0; i < RUNS; i++) {
        world.write(tree, ("key" + i).getBytes(UTF_8), new byte[100], nextLsn++);
        world.settle(tree);
      }
    }

    void merge() {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = world.components(tree).mergeMemory(() -> new Sizes(1 << 20, 1 << 20, 10));
      }
    }

    /** Flushes all that is in memory. */
    void flush() {
      world.freeze(tree, nextLsn);
      world.flushFrozen(tree);
    }

    void await() {
      int looks = 0;
      while (tree.waitingRuns() > 1 && tree.isMergingMemory()) {
        assertThat(looks++).as("looks of a writer that waits").isLessThan(MOST_LOOKS);
        sim.env().waiter().spin();
      }
    }

    @Override
    public void close() {
      world.close();
    }
  }

  /** With one free page no step of a merge has memory; with many, all are done. */
  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void aWriterWaitsAsLongAsMergesGoOn(int freePages) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = Schedules.prepare(sim, () -> new World(sim, freePages))) {
            assertThat(world.tree.waitingRuns()).isEqualTo(RUNS);
            sim.run(world::merge, world::await);
            assertThat(world.tree.waitingRuns()).isEqualTo(freePages == 1 ? RUNS : 0);
            assertThat(world.tree.isMergingMemory()).isFalse();
          }
        });
  }

  /**
   * A flush takes runs while a step copies them: the copy, which shows nowhere, is given back. The
   * close of the world requires that no page is left.
   */
  @Test
  void aStepThatComesTooLateLeavesNoMemory() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = Schedules.prepare(sim, () -> new World(sim, 20))) {
            sim.run(world::merge, world::flush);
            assertThat(world.tree.runs()).isEmpty();
          }
        });
  }
}
