package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryLeveling.Pipeline;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Schedules of a merge, beside flushes, a change of what is merged, and memory that comes back. */
@Tag("once")
@Explored
class PipelineMergesScheduleTest {
  private static final int SCHEDULES = 200;
  private static final int RUNS = 3;
  private static final byte[] KEY = "key".getBytes(UTF_8);

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  /** A tree of one key, each run of which has a version that a reader needs. */
  private static final class World implements AutoCloseable {
    private final TreeWorld world;
    private final LsmTree tree;
    private final TreeMap<Long, byte[]> seen = new TreeMap<>();
    private long nextLsn = 1;

    /** Runs are merged in levels from now on, of which a flush takes some. */
    private volatile boolean hasLevels;

    World(Simulation sim) {
      TreeWorld.Sizes sizes = new TreeWorld.Sizes(4096, 64, 1 << 20, 4, 8 << 10, 1);
      world =
          new TreeWorld(
              sim, sizes, new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE), BEHAVIOUR);
      tree = world.createTree("t", BEHAVIOUR);
      settleRuns();
    }

    private void settleRuns() {
      for (int i = 0; i < RUNS; i++) {
        byte[] value = new byte[3000];
        value[0] = (byte) nextLsn;
        world.write(tree, KEY, value, nextLsn++);
        world.settle(tree);
        seen.put(world.reads.register(), value);
      }
    }

    /** What was a pipeline until other runs came, while the merge was about to begin. */
    private Pipeline changed() {
      world.freeze(tree, nextLsn);
      world.flushFrozen(tree);
      settleRuns();
      hasLevels = true;
      return new Pipeline(RUNS - 1, false);
    }

    void merge() {
      world.components(tree).mergeMemory(this::changed);
    }

    void flushOldest(Simulation sim) {
      while (!hasLevels) {
        sim.env().waiter().spin();
      }
      world.freezeFirst(tree, nextLsn, 1);
      world.flushFrozen(tree);
    }

    void check() {
      seen.forEach((lsn, value) -> assertThat(world.get(tree, KEY, lsn)).isEqualTo(value));
      seen.keySet().forEach(world.reads::release);
    }

    @Override
    public void close() {
      world.close();
    }
  }

  @Test
  void aFlushOfSomeRunsLeavesTheOthersWhole() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (World world = Schedules.prepare(sim, () -> new World(sim))) {
            sim.run(world::merge, () -> world.flushOldest(sim));
            world.check();
          }
        });
  }

  /** A tree with a merge of many entries to do. */
  private static final class LongMerge implements AutoCloseable {
    private static final int KEYS = 150;

    private final TreeWorld world;
    private final LsmTree tree;
    private final boolean copiesData;
    private long nextLsn = 1;

    LongMerge(Simulation sim, boolean copiesData) {
      this.copiesData = copiesData;
      TreeWorld.Sizes sizes = new TreeWorld.Sizes(4096, 64, 1 << 20, 4, 8 << 10, 1);
      world =
          new TreeWorld(
              sim, sizes, new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE), BEHAVIOUR);
      tree = world.createTree("t", BEHAVIOUR);
      for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < KEYS; i++) {
          world.write(tree, (run + "-" + i).getBytes(UTF_8), new byte[10], nextLsn++);
        }
        world.settle(tree);
      }
    }

    void merge() {
      assertThat(mergeIfAny()).isTrue();
    }

    boolean mergeIfAny() {
      return world.components(tree).mergeMemory(() -> new Pipeline(RUNS - 1, copiesData));
    }

    /** Whether memory that had to wait for the merge came back before its end. */
    boolean comesBackMeanwhile(Simulation sim) {
      AtomicInteger runs = new AtomicInteger();
      world.memoryEpochs.retire(() -> runs.set(tree.runs().size()));
      boolean waits = runs.get() == 0;
      while (runs.get() == 0) {
        sim.env().waiter().spin();
        world.memoryEpochs.collect();
      }
      return waits && runs.get() == RUNS;
    }

    /**
     * Flushes the runs while the merge is out of the epoch, and keeps it out until then.
     *
     * @return whether the merge was out, not before its begin or at its end
     */
    boolean flushWhileOut(Simulation sim) {
      Thread flusher = Thread.currentThread();
      List<Integer> slots = new ArrayList<>();
      AtomicReference<Thread> left = new AtomicReference<>();
      world.memoryEpochs.retire(
          () -> {
            Thread thread = Thread.currentThread();
            // On the thread of the merge, which has just left: nothing else is inside.
            while (thread != flusher && slots.size() < world.memoryEpochs.slots()) {
              slots.add(world.memoryEpochs.enter());
            }
            left.set(thread);
          });
      while (left.get() == null) {
        sim.env().waiter().spin();
        world.memoryEpochs.collect();
      }
      slots.forEach(world.memoryEpochs::exit);
      world.freeze(tree, nextLsn);
      world.flushFrozen(tree);
      return left.get() != flusher;
    }

    @Override
    public void close() {
      world.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMergeLeavesAloneWhatWasFlushedWhileItWasOut(boolean copiesData) {
    AtomicInteger whileOut = new AtomicInteger();
    Schedules.explore(
        SCHEDULES,
        sim -> {
          try (LongMerge merge = Schedules.prepare(sim, () -> new LongMerge(sim, copiesData))) {
            sim.run(merge::mergeIfAny, () -> whileOut.addAndGet(merge.flushWhileOut(sim) ? 1 : 0));
            assertThat(merge.tree.runs()).isEmpty();
            merge.world.memoryEpochs.collect();
            assertThat(merge.world.writeQuota.usedPages()).isZero();
          }
        });
    assertThat(whileOut.get()).as("schedules in which it was").isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void memoryComesBackWhileAMergeRuns(boolean copiesData) {
    AtomicInteger meanwhile = new AtomicInteger();
    Schedules.explore(
        SCHEDULES / 4,
        sim -> {
          try (LongMerge merge = Schedules.prepare(sim, () -> new LongMerge(sim, copiesData))) {
            sim.run(merge::merge, () -> meanwhile.addAndGet(merge.comesBackMeanwhile(sim) ? 1 : 0));
            assertThat(merge.tree.runs()).hasSize(1);
          }
        });
    assertThat(meanwhile.get()).as("schedules in which it did").isPositive();
  }
}
