package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.BackgroundOperation;

/** Schedules of a thread that looks whether a compaction is done, without a lock. */
@Tag("once")
@Explored
class CompactionScheduleTest {
  private static final int SCHEDULES = 400;
  private static final int LOOKS = 8;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  /** Of write memory so small that no part goes further than to the next level. */
  private static final TreeBehaviour ONE_LEVEL_AT_A_TIME =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1);

  /** A tree with a table in L0: few steps take it to another level. */
  private static final class World implements AutoCloseable {
    private final TreeWorld trees;
    private final LsmTree tree;
    private final ComponentChanges components;
    private long endLsn = 1;

    World(Simulation sim) {
      this(sim, BEHAVIOUR);
    }

    World(Simulation sim, TreeBehaviour behaviour) {
      trees =
          new TreeWorld(
              sim,
              new TreeWorld.Sizes(4096, 32, 1 << 20, 4, 8 << 10, 1),
              new TreeWorld.Host(() -> endLsn, TreeWorld.OPEN_GATE),
              behaviour);
      tree = trees.createTree("t", behaviour);
      components = trees.components(tree);
      write(new byte[100]);
    }

    /** To a table of its own. */
    void write(byte @Nullable [] value) {
      trees.write(tree, "key".getBytes(UTF_8), value, endLsn);
      endLsn++;
      trees.freeze(tree, endLsn);
      trees.flushFrozen(tree);
    }

    /** Takes the table to the level above the last one. */
    BackgroundOperation openMoveAboveTheLast() {
      TreeShape shape = components.shape();
      List<Component> inputs = shape.l0().stream().flatMap(List::stream).toList();
      return Objects.requireNonNull(
          components.open(MergePlan.of(shape.treeId(), inputs, Level.L0, Level.LAST - 1, 1)));
    }

    void compact() {
      while (components.isCompacting()) {
        if (!trees.merge(tree)) {
          trees.env.waiter().spin();
        }
      }
    }

    /** Another merge than the compaction's takes the table of L0 to a level far above the last. */
    void moveFarAbove() {
      TreeShape shape = components.shape();
      List<Component> inputs = shape.l0().stream().flatMap(List::stream).toList();
      if (!inputs.isEmpty()) {
        MergePlan plan = MergePlan.of(shape.treeId(), inputs, Level.L0, Level.LAST - 4, 1);
        BackgroundOperation move = components.open(plan);
        if (move != null) {
          TreeWorld.finish(move);
        }
      }
    }

    void look() {
      for (int i = 0; i < LOOKS; i++) {
        if (!components.isCompacting()) {
          requireCompact();
        }
      }
    }

    void requireCompact() {
      int slot = trees.fileEpochs.enter();
      try {
        DiskVersion disk = tree.disk();
        assertThat(disk.runCount()).isEqualTo(1);
        assertThat(disk.run(0).level()).isEqualTo(Level.LAST);
      } finally {
        trees.fileEpochs.exit(slot);
      }
    }

    @Override
    public void close() {
      trees.close();
    }
  }

  @Test
  void whatIsSaidToBeDoneShows() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            world.components.requestCompaction();
            sim.run(world::compact, world::look);
            world.requireCompact();
          }
        });
  }

  /** What a merge under way takes to another level than the last one is still to go there. */
  @Test
  void aMergeThatBeganBeforeDoesNotEndIt() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            BackgroundOperation move = world.openMoveAboveTheLast();
            world.components.requestCompaction();
            sim.run(
                () -> {
                  TreeWorld.finish(move);
                  world.compact();
                },
                world::look);
            world.requireCompact();
          }
        });
  }

  /** It has a part for each of several levels, and other merges beside it. */
  @Test
  void aCompactionInPartsIsDoneWithItsLastOne() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim, ONE_LEVEL_AT_A_TIME)) {
            world.components.requestCompaction();
            world.compact();
            world.write(new byte[100]);
            world.components.requestCompaction();
            sim.run(world::compact, world::moveFarAbove, world::look);
            world.requireCompact();
          }
        });
  }

  /** Whichever was first: a request that something waits for outlives the others. */
  @Test
  void requestsThatEndLeaveTheOthers() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            Runnable ask = world.components::requestCompaction;
            Runnable askInVain =
                () -> {
                  world.components.requestCompaction();
                  world.components.endCompactionRequest();
                };
            sim.run(askInVain, ask, askInVain);
            assertThat(world.components.mergePolicy()).isInstanceOf(FullMerge.class);
            world.compact();
            world.requireCompact();
          }
        });
  }

  /** Whatever the merge that is under way at the request has kept for a reader that is gone. */
  @Test
  void aRequestAfterTheEndOfAReaderLeavesNothingOfWhatTheReaderNeeded() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            long readLsn = world.trees.reads.register();
            world.write(null);
            world.components.requestCompaction();
            world.compact();
            assertThat(world.tree.disk().entries()).isEqualTo(2);
            world.components.requestCompaction();
            sim.run(
                world::compact,
                () -> {
                  world.trees.reads.release(readLsn);
                  world.components.requestCompaction();
                });
            world.compact();
            assertThat(world.tree.disk().entries()).isZero();
          }
        });
  }

  @Test
  void withoutARequestMergesAreAsBefore() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            Runnable askInVain =
                () -> {
                  world.components.requestCompaction();
                  world.components.endCompactionRequest();
                };
            sim.run(askInVain, askInVain);
            assertThat(world.components.mergePolicy()).isEqualTo(BEHAVIOUR.mergePolicy());
          }
        });
  }
}
