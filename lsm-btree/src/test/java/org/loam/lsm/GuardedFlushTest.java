package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.work.BackgroundOperation;

/** Flushes and merges are cut at the same keys, so that merges out of L0 run beside each other. */
class GuardedFlushTest {
  private static final int KEYS = 400;
  private static final TreeWorld.Sizes SIZES =
      new TreeWorld.Sizes(4096, 768, 128 << 10, 24, 16 << 10, 4);

  private final TreeMap<byte[], byte[]> content = new TreeMap<>(TreeWorld.BYTES);
  private final List<byte[]> keys = new ArrayList<>();
  private final Random random = new Random(3);
  private long nextLsn = 1;

  private interface Body {
    void run(TreeWorld world, LsmTree tree);
  }

  private void inTree(Body body) {
    var policy =
        new PartitionedLeveling(
            new PartitionedLeveling.Settings(
                10, 2, 2, 1.5, PartitionedLeveling.Selection.CHOOSE_BEST, true, true));
    var behaviour = TreeWorld.behaviour(policy, 512 << 10);
    try (Simulation sim = Simulation.seeded(1);
        TreeWorld world =
            new TreeWorld(
                sim, SIZES, new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE), behaviour)) {
      body.run(world, world.createTree("t", behaviour));
      world.check(world.trees.get(0), content, keys, PointRead.LATEST_PUBLISHED);
    }
  }

  @Test
  void mergesOutOfL0RunBesideEachOther() {
    inTree(
        (world, tree) -> {
          flushAll(world, tree, 1000);
          world.components(tree).requestCompaction();
          mergeOne(world, tree);
          List<Component> last = world.components(tree).shape().level(Level.LAST);
          assertThat(last).hasSizeGreaterThan(4);

          // By size alone both would be cut elsewhere.
          flushAll(world, tree, 1300);
          flushAll(world, tree, 1500);
          assertThat(world.components(tree).shape().l0()).hasSize(2);
          for (List<Component> group : world.components(tree).shape().l0()) {
            assertThat(group).hasSizeGreaterThan(4);
            for (Component piece : group) {
              assertThat(meets(piece, last)).as("tables below " + piece).isEqualTo(1);
            }
          }

          BackgroundOperation first = openOne(world, tree);
          BackgroundOperation second = openOne(world, tree);
          assertThat(first).isNotNull();
          assertThat(second).as("a merge of another range, while the first runs").isNotNull();
          TreeWorld.finish(second);
          TreeWorld.finish(first);
          for (MergePlan ignored = next(world, tree);
              ignored != null;
              ignored = next(world, tree)) {
            mergeOne(world, tree);
          }
          assertThat(world.components(tree).shape().l0Depth()).isEqualTo(1);
        });
  }

  /** A component too small for its pieces is flushed whole. */
  @Test
  void aSmallComponentIsNotCut() {
    inTree(
        (world, tree) -> {
          flushAll(world, tree, 1000);
          world.components(tree).requestCompaction();
          mergeOne(world, tree);
          write(world, tree, 0, 10);
          write(world, tree, KEYS - 1, 10);
          world.freeze(tree, nextLsn);
          world.flushFrozen(tree);
          assertThat(world.components(tree).shape().l0().get(0)).hasSize(1);
        });
  }

  /** A table over two that are far apart would be merged with all that lies between them. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "7, 2"})
  void smallComponentsShareATableOnlyIfTheyAreNeighbours(int range, int tables) {
    inTree(
        (world, tree) -> {
          world.ranges = new RangeSizes(8, 1);
          flushAll(world, tree, 1500);
          world.components(tree).requestCompaction();
          mergeOne(world, tree);
          MemoryRanges ranges = tree.version().memory;
          assertThat(ranges.count()).isEqualTo(8);
          write(world, tree, 0, 10);
          for (int i = 1; i < ranges.count(); i++) {
            write(world, tree, number(ranges.bounds().low(i)), 10);
          }
          int before = tablesOfL0(world, tree);
          Set<MemoryComponent> two = Set.of(ranges.range(0).active(), ranges.range(range).active());
          world.freeze(tree, nextLsn, two::contains);
          assertThat(world.flushFrozen(tree)).isEqualTo(1);
          assertThat(tablesOfL0(world, tree) - before).isEqualTo(tables);
        });
  }

  private static int tablesOfL0(TreeWorld world, LsmTree tree) {
    return world.components(tree).shape().l0().stream().mapToInt(List::size).sum();
  }

  private static int number(byte[] key) {
    return Integer.parseInt(new String(key, StandardCharsets.UTF_8).substring("key".length()));
  }

  private void flushAll(TreeWorld world, LsmTree tree, int valueBytes) {
    for (int i = 0; i < KEYS; i++) {
      write(world, tree, i, valueBytes);
    }
    world.freeze(tree, nextLsn);
    assertThat(world.flushFrozen(tree)).isEqualTo(1);
  }

  private void write(TreeWorld world, LsmTree tree, int number, int valueBytes) {
    byte[] key = String.format("key%05d", number).getBytes(StandardCharsets.UTF_8);
    byte[] value = new byte[valueBytes];
    random.nextBytes(value);
    world.write(tree, key, value, nextLsn++);
    if (content.put(key, value) == null) {
      keys.add(key);
    }
  }

  private static long meets(Component piece, List<Component> level) {
    return level.stream().filter(c -> c.range().overlaps(piece.range())).count();
  }

  private static @Nullable MergePlan next(TreeWorld world, LsmTree tree) {
    ComponentChanges components = world.components(tree);
    List<MergePlan> plans = components.mergePolicy().plan(components.shape(), RunMode.RUNNING);
    return plans.isEmpty() ? null : plans.get(plans.size() - 1);
  }

  private static @Nullable BackgroundOperation openOne(TreeWorld world, LsmTree tree) {
    MergePlan plan = next(world, tree);
    return plan == null ? null : world.components(tree).open(plan);
  }

  private static void mergeOne(TreeWorld world, LsmTree tree) {
    BackgroundOperation merge = openOne(world, tree);
    assertThat(merge).isNotNull();
    TreeWorld.finish(merge);
  }
}
