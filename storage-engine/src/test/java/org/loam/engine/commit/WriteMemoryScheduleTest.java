package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Epochs;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;

/**
 * Schedules of a look at the memory that is on its way out, while a flush takes it from its tree.
 */
@Tag("once")
@Explored
class WriteMemoryScheduleTest {
  private static final int SCHEDULES = 100;
  private static final int LOOKS = 100;

  /** An engine with a tree that has a record in memory. */
  private static final class World {
    private final OpenEngine engine;
    private final LsmTree tree;
    private final CommitLatch latch;

    World(Simulation sim) {
      engine = SmallEngine.open(sim, SmallEngine.config());
      tree = SmallEngine.createTree(engine, "t");
      latch = engine.writes().latch();
      engine.writes().committer().write(tree, new byte[] {1}, new byte[1000], WriteTerms.DEFAULT);
    }

    /** As long as a reader is inside, what a flush has written does not come back. */
    void freezeAndLook() {
      WriteMemory memory = engine.writes().memory().pages();
      Epochs readers = engine.memory().memoryEpochs();
      int slot = readers.enter();
      try {
        long[] frozenBytes = new long[1];
        latch.underLatch(
            () -> {
              engine.writes().memory().freezer().freeze(tree, latch.appliedEnd(), FlushCause.USER);
              frozenBytes[0] = tree.frozenBytes();
            });
        assertThat(frozenBytes[0]).isPositive();
        for (int i = 0; i < LOOKS; i++) {
          latch.underLatch(
              () -> assertThat(memory.leavingBytes()).isGreaterThanOrEqualTo(frozenBytes[0]));
        }
      } finally {
        readers.exit(slot);
      }
    }
  }

  /** If some of it did not count for a moment, more would be frozen than is needed. */
  @Test
  void memoryThatIsOnItsWayOutCountsUntilItIsBack() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::freezeAndLook);
          sim.run(world.engine::close);
        });
  }
}
