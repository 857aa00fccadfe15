package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryLeveling.Pipeline;
import org.loam.scheduler.merge.PartitionedLeveling;

/**
 * Schedules of a thread that asks what the memory of a tree holds, beside one that changes it: no
 * byte counts twice, and all counts are of one version of the tree.
 */
@Tag("once")
@Explored
class MemoryUseScheduleTest {
  private static final int SCHEDULES = 200;
  private static final int LOOKS = 12;
  private static final int WRITES = 6;
  private static final int RUNS = 3;
  private static final byte[] KEY = "key".getBytes(UTF_8);

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  /** A tree with one key, most versions of which are superseded. */
  private static final class World implements AutoCloseable {
    private final TreeWorld world;
    private final LsmTree tree;
    private long nextLsn = 1;

    World(Simulation sim) {
      TreeWorld.Sizes sizes = new TreeWorld.Sizes(4096, 64, 1 << 20, 4, 8 << 10, 1);
      world =
          new TreeWorld(
              sim, sizes, new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE), BEHAVIOUR);
      tree = world.createTree("t", BEHAVIOUR);
      write();
    }

    /** Each supersedes the one before; some take a page more. */
    void write() {
      for (int i = 0; i < WRITES; i++) {
        world.write(tree, KEY, new byte[1500], nextLsn++);
      }
    }

    void freeze() {
      world.freeze(tree, nextLsn);
    }

    void settleRuns() {
      for (int i = 0; i < RUNS; i++) {
        write();
        world.settle(tree);
      }
    }

    void look() {
      for (int i = 0; i < LOOKS; i++) {
        LsmTree.MemoryUse use = tree.memoryUse();
        assertThat(use.liveBytes()).as("live").isNotNegative();
        assertThat(use.liveBytes() + use.supersededBytes())
            .as("live and superseded")
            .isLessThanOrEqualTo(use.bytes());
        assertThat(use.frozenBytes()).as("frozen").isLessThanOrEqualTo(use.bytes());
      }
    }

    @Override
    public void close() {
      world.close();
    }
  }

  private static void explore(Consumer<World> before, Consumer<World> change) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = Schedules.prepare(sim, () -> new World(sim), before)) {
            sim.run(() -> change.accept(world), world::look);
          }
        });
  }

  @Test
  void whatAWriteSupersedesIsNotLiveAsWell() {
    explore(world -> {}, World::write);
  }

  @Test
  void theCountsBesideAFlushAreOfOneVersion() {
    explore(World::freeze, world -> assertThat(world.world.flushFrozen(world.tree)).isEqualTo(1));
  }

  /** One of indexes gives the records of the runs to another component. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theCountsBesideAMergeInMemoryAreOfOneVersion(boolean copiesData) {
    explore(
        World::settleRuns,
        world -> {
          Pipeline pipeline = new Pipeline(RUNS - 1, copiesData);
          assertThat(world.world.components(world.tree).mergeMemory(() -> pipeline)).isTrue();
        });
  }
}
