package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.Mem;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Schedules of a scan that copies more of a memory component, while the component goes. */
@Tag("once")
@Explored
class ScanMemoryScheduleTest {
  private static final int SCHEDULES = 1000;
  private static final byte[] FIRST = {1};
  private static final byte[] SECOND = {2};

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  /** A tree with two keys in memory, and a scan that has copied the first of them. */
  private static final class World implements AutoCloseable {
    private final TreeWorld world;
    private final LsmTree tree;
    private final ScanMemory memory;

    World(Simulation sim) {
      TreeWorld.Sizes sizes = new TreeWorld.Sizes(4096, 32, 1 << 20, 4, 8 << 10, 1);
      world =
          new TreeWorld(sim, sizes, new TreeWorld.Host(() -> 3, TreeWorld.OPEN_GATE), BEHAVIOUR);
      tree = world.createTree("t", BEHAVIOUR);
      world.write(tree, FIRST, FIRST, 1);
      world.write(tree, SECOND, SECOND, 2);
      TreeScan.Range oneRow = new TreeScan.Range(null, null, true, ReadIntent.QUERY, 1);
      memory = new ScanMemory(tree, new ScanProgress(oneRow, 3), new ScanBatch());
      Workspace workspace = world.workspace;
      memory.copy(
          workspace, new MemoryInput.Scratch(workspace.scratch(), workspace.scratchBytes()));
      assertThat(input().copied()).isEqualTo(1);
    }

    private MemoryInput input() {
      return memory.inputs()[0];
    }

    void copyMore() {
      if (input().next()) {
        assertThat(Mem.compare(SECOND, 0, 1, input().keyAddress(), input().keyLength())).isZero();
      } else {
        assertThat(memory.isCutShort()).isTrue();
      }
    }

    void drop() {
      world.latch.lock();
      try {
        tree.markDropped();
      } finally {
        world.latch.unlock();
      }
      world.components(tree).discard(() -> {});
    }

    @Override
    public void close() {
      memory.close();
      world.close();
    }
  }

  @Test
  void aScanCopiesNothingOfAComponentThatIsGone() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = Schedules.prepare(sim, () -> new World(sim))) {
            sim.run(world::copyMore, world::drop);
          }
        });
  }
}
