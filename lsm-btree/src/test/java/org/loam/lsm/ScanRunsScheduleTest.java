package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Schedules of a thread that reads ahead for a scan, while the table comes out of use. */
@Tag("once")
@Explored
class ScanRunsScheduleTest {
  private static final int SCHEDULES = 100;

  /** Half of them fill the first batch. */
  private static final int ROWS = 80;

  private static final int VALUE_BYTES = 3000;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1 << 20);

  /** A tree with one table, and a scan of it that has shown its first batch. */
  private static final class World implements AutoCloseable {
    private final Simulation sim;
    private final TreeWorld world;
    private final LsmTree tree;
    private final List<Runnable> pieces = new ArrayList<>();
    private boolean begun;

    World(Simulation sim) {
      this.sim = sim;
      TreeWorld.Sizes sizes = new TreeWorld.Sizes(8 << 10, 64, 4 << 20, 4, 16 << 10, 1);
      world =
          new TreeWorld(
              sim, sizes, new TreeWorld.Host(() -> ROWS + 1, TreeWorld.OPEN_GATE), BEHAVIOUR);
      world.helpers = pieces::add;
      tree = world.createTree("t", BEHAVIOUR);
      for (int i = 0; i < ROWS; i++) {
        world.write(tree, new byte[] {(byte) i}, new byte[VALUE_BYTES], 1 + i);
      }
      world.freeze(tree, ROWS + 1);
      world.flushFrozen(tree);
      long readLsn = world.reads.register();
      TreeScan.Range range = new TreeScan.Range(null, null, true, ReadIntent.QUERY, ROWS);
      assertThat(new TreeScan(tree, range, readLsn, new ScanBatch()).fetch(world.workspace))
          .isTrue();
      world.reads.release(readLsn);
      assertThat(pieces).hasSize(1);
    }

    void readAhead() {
      begun = true;
      pieces.get(0).run();
    }

    void drop() {
      world.latch.lock();
      try {
        tree.markDropped();
      } finally {
        world.latch.unlock();
      }
      world.components(tree).discard(() -> {});
      world.components(tree).deleteUnused();
      assertThat(begun || hasTable()).as("the table is there for the read").isTrue();
    }

    boolean hasTable() {
      return sim.disk().files().stream().anyMatch(path -> path.toString().endsWith(".sst"));
    }

    @Override
    public void close() {
      world.close();
    }
  }

  @Test
  void aTableStaysUntilWhatIsReadAheadOfItIsRead() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = Schedules.prepare(sim, () -> new World(sim))) {
            sim.run(world::readAhead, world::drop);
            world.world.fileEpochs.collect();
            assertThat(world.hasTable()).as("when nothing reads it any more").isFalse();
          }
        });
  }
}
