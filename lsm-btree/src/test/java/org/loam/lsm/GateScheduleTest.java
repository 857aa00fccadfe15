package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.WriteControl;

/**
 * Schedules of a move of memory beside a flush that comes into place: whichever is later, the gate
 * is what the constraint says of the tables and of the memory that there are then.
 */
@Tag("once")
@Explored
class GateScheduleTest {
  private static final int SCHEDULES = 300;

  /** More than all tables have. */
  private static final long MUCH = 1 << 30;

  /** A tree with a table, and entries that are frozen; L0 may have as many bytes as memory. */
  private static final class World implements AutoCloseable {
    private final AtomicLong memoryBytes = new AtomicLong(MUCH);
    private final TreeWorld trees;
    private final LsmTree tree;
    private final long tableBytes;

    World(Simulation sim) {
      TreeBehaviour behaviour =
          new TreeBehaviour(
              new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT),
              shape -> shape.l0Bytes() > shape.memoryComponentBytes() ? StallCause.L0_STOP : null,
              WriteControl.STOP,
              10,
              memoryBytes::get);
      trees =
          new TreeWorld(
              sim,
              new TreeWorld.Sizes(4096, 32, 1 << 20, 4, 8 << 10, 1),
              new TreeWorld.Host(() -> 4, TreeWorld.OPEN_GATE),
              behaviour);
      tree = trees.createTree("t", behaviour);
      freezeSome(1);
      trees.flushFrozen(tree);
      tableBytes = trees.components(tree).shape().l0Bytes();
      freezeSome(2);
    }

    private void freezeSome(long lsn) {
      trees.write(tree, "key".getBytes(UTF_8), new byte[3000], lsn);
      trees.freeze(tree, lsn + 1);
    }

    void flush() {
      trees.flushFrozen(tree);
    }

    void move(long bytes) {
      memoryBytes.set(bytes);
      trees.components(tree).memoryMoved();
    }

    void scan(int times) {
      for (int i = 0; i < times; i++) {
        tree.noteScan();
      }
    }

    @Nullable StallCause violation() {
      return tree.gate().violation();
    }

    @Override
    public void close() {
      trees.close();
    }
  }

  /** Either alone leaves the gate open. */
  @Test
  void lessMemoryAndMoreTablesShutTheGate() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            sim.run(world::flush, () -> world.move(world.tableBytes));
            assertThat(world.violation()).isEqualTo(StallCause.L0_STOP);
          }
        });
  }

  @Test
  void moreMemoryOpensTheGateThatAFlushShuts() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            world.move(world.tableBytes);
            assertThat(world.violation()).isNull();
            sim.run(world::flush, () -> world.move(MUCH));
            assertThat(world.violation()).isNull();
          }
        });
  }

  /** Each counts once, in what that flush forgets or after it. */
  @Test
  void scansBesideAFlushAllCount() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = new World(sim)) {
            sim.run(world::flush, () -> world.scan(2), () -> world.scan(3));
            TreeShape shape = world.trees.components(world.tree).shape();
            assertThat(shape.lately().flushedPerScan())
                .isCloseTo(shape.l0Bytes() / 5.0, withinPercentage(1));
          }
        });
  }
}
