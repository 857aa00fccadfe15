package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.Monitor;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.work.BackgroundOperation;

/**
 * Schedules of a flush beside the end of a merge. The merge deletes the files of its inputs, which
 * may take long, and the flush does not wait for that.
 */
@Tag("once")
@Explored
class UnusedFilesScheduleTest {
  private static final int SCHEDULES = 100;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  /** A deletion that takes until a flush has ended: whatever waits for both waits forever. */
  private static final class SlowDeletion {
    private final Monitor monitor;
    private boolean begun;
    private boolean flushed;

    SlowDeletion(Simulation sim) {
      monitor = sim.env().waiter().newMonitor("slow deletion");
    }

    void delete() {
      monitor.lock();
      try {
        begun = true;
        monitor.signalAll();
        while (!flushed) {
          monitor.await();
        }
      } finally {
        monitor.unlock();
      }
    }

    void awaitBegun() {
      monitor.lock();
      try {
        while (!begun) {
          monitor.await();
        }
      } finally {
        monitor.unlock();
      }
    }

    void noteFlushed() {
      monitor.lock();
      try {
        flushed = true;
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
    }
  }

  private static void write(TreeWorld world, LsmTree tree, long lsn) {
    world.write(tree, "key".getBytes(UTF_8), new byte[100], lsn);
    world.freeze(tree, lsn + 1);
  }

  @Test
  void aFlushDoesNotWaitUntilTheInputsOfAMergeAreDeleted() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (TreeWorld world = world(sim)) {
            LsmTree tree = world.createTree("t", BEHAVIOUR);
            for (long lsn = 1; lsn <= 2; lsn++) {
              write(world, tree, lsn);
              world.flushFrozen(tree);
            }
            world.components(tree).requestCompaction();
            BackgroundOperation merge = Objects.requireNonNull(world.openMerge(tree));
            write(world, tree, 3);
            // Releases come in order: this one is before those of the merge's inputs.
            SlowDeletion deletion = new SlowDeletion(sim);
            int reader = world.fileEpochs.enter();
            world.fileEpochs.retire(deletion::delete);
            world.fileEpochs.exit(reader);
            sim.run(
                () -> TreeWorld.finish(merge),
                () -> {
                  deletion.awaitBegun();
                  world.flushFrozen(tree);
                  deletion.noteFlushed();
                });
            assertThat(tree.disk().runCount()).isEqualTo(2);
          }
        });
  }

  private static TreeWorld world(Simulation sim) {
    TreeWorld.Sizes sizes = new TreeWorld.Sizes(4096, 32, 1 << 20, 4, 8 << 10, 1);
    return new TreeWorld(sim, sizes, new TreeWorld.Host(() -> 4, TreeWorld.OPEN_GATE), BEHAVIOUR);
  }
}
