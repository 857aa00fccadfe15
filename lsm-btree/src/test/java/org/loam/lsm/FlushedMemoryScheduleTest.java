package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;

/**
 * Memory that a flush is about to give back counts as leaving until it is back. A look takes no
 * lock that the flush holds: it counts what is frozen, then what was retired, then what is in use.
 */
@Tag("once")
@Explored
class FlushedMemoryScheduleTest {
  private static final int SCHEDULES = 200;
  private static final int LOOKS = 12;

  /** As many as a whole flush has accesses. */
  private static final int MANY_LOOKS = 300;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  /** Adds up what the tree tells. */
  private static final class Sum implements TreeServices.Returns {
    private final AtomicLong retiredBytes = new AtomicLong();

    @Override
    public void leaves(long bytes) {
      retiredBytes.addAndGet(bytes);
    }

    @Override
    public void returned(long bytes) {
      retiredBytes.addAndGet(-bytes);
    }
  }

  @Test
  void memoryThatComesBackCountsUntilItIsThere() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Sum returns = new Sum();
          try (TreeWorld world = world(sim, returns)) {
            LsmTree tree = world.createTree("t", BEHAVIOUR);
            for (int i = 0; i < 3; i++) {
              world.write(tree, ("key" + i).getBytes(UTF_8), new byte[3000], 1 + i);
            }
            world.freeze(tree, 4);
            sim.run(() -> world.flushFrozen(tree), () -> look(world, tree, returns));
            assertThat(returns.retiredBytes).hasValue(0);
            assertThat(world.writeQuota.usedPages()).isZero();
          }
        });
  }

  @Test
  void memoryThatNoFlushHasWrittenCountsAsUnflushed() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (TreeWorld world = world(sim, new Sum())) {
            LsmTree tree = world.createTree("t", BEHAVIOUR);
            world.write(tree, "first".getBytes(UTF_8), new byte[9000], 1);
            world.freeze(tree, 2);
            long firstBytes = tree.frozenBytes();
            world.write(tree, "second".getBytes(UTF_8), new byte[3000], 2);
            world.freeze(tree, 3);
            long secondBytes = tree.frozenBytes() - firstBytes;
            sim.run(
                () -> TreeWorld.finish(world.openFlush(tree)),
                () -> {
                  for (int i = 0; i < LOOKS; i++) {
                    assertThat(tree.unflushedBytes()).isGreaterThanOrEqualTo(secondBytes);
                  }
                });
            assertThat(tree.unflushedBytes()).isEqualTo(secondBytes);
          }
        });
  }

  /** When the memory of a flush that failed is gone, what is left counts again. */
  @Test
  void memoryCountsAsUnflushedAgainBeforeThatOfTheFailedFlushIsGone() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (TreeWorld world = world(sim, new Sum())) {
            LsmTree tree = world.createTree("t", BEHAVIOUR);
            world.write(tree, "first".getBytes(UTF_8), new byte[9000], 1);
            world.freeze(tree, 2);
            long firstBytes = tree.frozenBytes();
            world.write(tree, "second".getBytes(UTF_8), new byte[3000], 2);
            world.freeze(tree, 3);
            long secondBytes = tree.frozenBytes() - firstBytes;
            world.openFlush(tree).abort();
            assertThat(tree.unflushedBytes()).isZero();
            sim.run(
                () -> TreeWorld.finish(world.openFlush(tree)),
                () -> {
                  for (int i = 0; i < MANY_LOOKS; i++) {
                    if (tree.frozenBytes() == secondBytes) {
                      assertThat(tree.unflushedBytes()).isEqualTo(secondBytes);
                    }
                  }
                });
            assertThat(tree.unflushedBytes()).isEqualTo(secondBytes);
          }
        });
  }

  private static TreeWorld world(Simulation sim, TreeServices.Returns returns) {
    TreeWorld.Sizes sizes = new TreeWorld.Sizes(4096, 32, 1 << 20, 4, 8 << 10, 1);
    return new TreeWorld(
        sim, sizes, new TreeWorld.Host(() -> 4, TreeWorld.OPEN_GATE), BEHAVIOUR, returns);
  }

  private static void look(TreeWorld world, LsmTree tree, Sum returns) {
    for (int i = 0; i < LOOKS; i++) {
      long leaving = tree.frozenBytes() + returns.retiredBytes.get();
      long used = (long) world.writeQuota.usedPages() * world.sizes.pageBytes();
      assertThat(used).as("used, of which %d are leaving", leaving).isLessThanOrEqualTo(leaving);
    }
  }
}
