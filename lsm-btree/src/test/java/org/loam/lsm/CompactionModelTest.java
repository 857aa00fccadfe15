package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SoakSeeds;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.StepResult;

/**
 * Compactions of a tree whose writes, flushes and other merges go on: each ends, and then no level
 * above the last one has an entry that was on disk at the request. Trees with more levels than a
 * merge reads, whether they are compacted or not.
 */
@Tag("once")
class CompactionModelTest {
  private static final int SEEDS = 10;
  private static final int KEYS = 400;
  private static final int MOST_OPEN = 4;

  /** So many turns take a compaction that ends, and several times as many. */
  private static final int MOST_TURNS = 20_000;

  /** One tree and what runs on it. */
  private static final class Model implements AutoCloseable {
    private final Random random;
    private final Simulation sim;
    private final TreeWorld world;
    private final LsmTree tree;
    private final ComponentChanges components;
    private final TreeMap<byte[], byte[]> content = new TreeMap<>(TreeWorld.BYTES);
    private final List<BackgroundOperation> open = new ArrayList<>();
    private final Map<BackgroundOperation, MergePlan> plans = new HashMap<>();
    private final int valueBytes;

    /** Writes are of keys that grow, or of any keys. */
    private final boolean ascends;

    private long nextLsn = 1;

    /** Merges that ran beside one of the compaction. */
    long beside;

    /** Merges of the compaction to a level above the last one. */
    long steps;

    Model(long seed) {
      random = new Random(seed * 0x9e3779b97f4a7c15L);
      valueBytes = 20 + random.nextInt(600);
      ascends = random.nextInt(4) == 0;
      Selection[] selections = Selection.values();
      int minMerge = 1 + random.nextInt(4);
      int most = minMerge + random.nextInt(3);
      TreeBehaviour behaviour =
          TreeWorld.behaviour(
              new PartitionedLeveling(
                  new PartitionedLeveling.Settings(
                      2 + random.nextInt(3),
                      minMerge,
                      most,
                      1.5,
                      selections[random.nextInt(selections.length)],
                      true,
                      random.nextBoolean())),
              256L << random.nextInt(7));
      sim = Simulation.seeded(seed);
      world =
          new TreeWorld(
              sim,
              new TreeWorld.Sizes(4096, 512, 12 << 10, 3 + random.nextInt(22), 16 << 10, MOST_OPEN),
              new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE),
              behaviour);
      world.ranges = new RangeSizes(1 << random.nextInt(5), 1 + random.nextInt(16 << 10));
      tree = world.createTree("t", behaviour);
      components = world.components(tree);
    }

    private static byte[] key(int i) {
      return String.format("key%07d", i).getBytes(UTF_8);
    }

    private void writeSome() {
      int from = random.nextInt(KEYS);
      boolean isNarrow = random.nextBoolean();
      for (int i = random.nextInt(30); i >= 0 && world.writeQuota.usedPages() < 300; i--) {
        int any = isNarrow ? (from + random.nextInt(20)) % KEYS : random.nextInt(KEYS);
        byte[] key = key(ascends ? (int) nextLsn : any);
        byte[] value = random.nextInt(5) == 0 ? null : new byte[random.nextInt(valueBytes)];
        world.write(tree, key, value, nextLsn++);
        if (value == null) {
          content.remove(key);
        } else {
          content.put(key, value);
        }
      }
    }

    private void flush() {
      world.freeze(tree, nextLsn);
      world.flushFrozen(tree);
    }

    /** As a worker does: the first plan that can start; sometimes another one. */
    private void openMerge() {
      if (open.size() == MOST_OPEN) {
        return;
      }
      RunMode mode = RunMode.values()[random.nextInt(RunMode.values().length)];
      List<MergePlan> offered =
          new ArrayList<>(components.mergePolicy().plan(components.shape(), mode));
      int skipped = random.nextInt(4) == 0 ? random.nextInt(offered.size() + 1) : 0;
      for (MergePlan plan : offered.subList(skipped, offered.size())) {
        BackgroundOperation merge = components.open(plan);
        if (merge != null) {
          beside += !open.isEmpty() && components.isCompacting() ? 1 : 0;
          steps += components.isCompacting() && plan.targetLevel() < Level.LAST ? 1 : 0;
          open.add(merge);
          plans.put(merge, plan);
          return;
        }
      }
    }

    private void advance() {
      BackgroundOperation merge = open.get(random.nextInt(open.size()));
      if (random.nextInt(200) == 0) {
        open.remove(merge);
        merge.abort();
        return;
      }
      StepResult result = merge.step(1 + random.nextInt(20_000));
      if (result == StepResult.NEEDS_FORCE) {
        merge.force();
      } else if (result == StepResult.DONE) {
        open.remove(merge);
      }
    }

    private void turn() {
      int dice = random.nextInt(24);
      if (dice == 0) {
        writeSome();
        flush();
      } else if (dice < 8) {
        openMerge();
      } else if (!open.isEmpty()) {
        advance();
      }
      components.shape().check();
    }

    /** Fills levels, with merges on their way at the end. */
    void fill(int turns) {
      for (int i = 0; i < turns; i++) {
        turn();
      }
      flush();
    }

    void compact() {
      long requestLsn = nextLsn;
      components.requestCompaction();
      int turns = 0;
      while (components.isCompacting()) {
        turn();
        assertThat(++turns).as("turns of a compaction").isLessThan(MOST_TURNS);
        if (random.nextInt(400) == 0) {
          // Another client: what it asks for is more.
          flush();
          requestLsn = nextLsn;
          components.requestCompaction();
          components.endCompactionRequest();
        }
      }
      components.endCompactionRequest();
      for (Place place : tree.disk().places()) {
        if (place.level() != Level.LAST) {
          assertThat(place.table().table().meta().lsns().min())
              .as("LSN in level %d", place.level())
              .isGreaterThanOrEqualTo(requestLsn);
        }
      }
      world.check(tree, content, List.of(), PointRead.LATEST_PUBLISHED);
    }

    @Override
    public void close() {
      open.forEach(BackgroundOperation::abort);
      world.close();
      sim.close();
    }
  }

  private static Model run(long seed) {
    try (Model model = new Model(seed)) {
      for (int i = 0; i < 3; i++) {
        model.fill(model.random.nextInt(1500));
        model.compact();
      }
      return model;
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
    }
  }

  @Test
  void aCompactionEndsUnderWritesAndLeavesNothingOfBefore() {
    long beside = 0;
    long steps = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Model model = run(seed);
      beside += model.beside;
      steps += model.steps;
    }
    assertThat(beside).as("merges beside").isGreaterThan(SEEDS / 2);
    assertThat(steps).as("merges above the last level").isGreaterThan(SEEDS / 2);
  }

  @Test
  @Tag("soak")
  void theSameForLong() {
    SoakSeeds.some(200).forEach(CompactionModelTest::run);
  }

  // ---- A tree on which nothing runs.

  /** One tree in a world in which a merge reads three runs. */
  private static final class Quiet implements AutoCloseable {
    private final Simulation sim = Simulation.seeded(1);
    private final TreeWorld world;
    private final LsmTree tree;
    private final ComponentChanges components;
    private long nextLsn = 1;

    Quiet(PartitionedLeveling.Settings settings) {
      TreeBehaviour behaviour = TreeWorld.behaviour(new PartitionedLeveling(settings), 64 << 10);
      world =
          new TreeWorld(
              sim,
              new TreeWorld.Sizes(4096, 64, 1 << 20, 3, 8 << 10, 1),
              new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE),
              behaviour);
      tree = world.createTree("t", behaviour);
      components = world.components(tree);
    }

    void flush(int... keys) {
      for (int key : keys) {
        world.write(tree, Model.key(key), new byte[10], nextLsn++);
      }
      world.freeze(tree, nextLsn);
      world.flushFrozen(tree);
    }

    /** Merges all of L0 into a level. */
    void mergeL0(int targetLevel) {
      TreeShape shape = components.shape();
      List<Component> inputs = shape.l0().stream().flatMap(List::stream).toList();
      MergePlan plan = MergePlan.of(shape.treeId(), inputs, Level.L0, targetLevel, 1);
      TreeWorld.finish(Objects.requireNonNull(components.open(plan)));
    }

    @Override
    public void close() {
      world.close();
      sim.close();
    }
  }

  /** So a compaction ends while newer entries of any keys come to lie in the same tables. */
  @Test
  void whatIsMergedWithNewerEntriesIsToGoDownInTheSameKeys() {
    try (Quiet quiet = new Quiet(PartitionedLeveling.Settings.DEFAULT)) {
      ComponentChanges components = quiet.components;
      quiet.flush(5, 6);
      components.requestCompaction();
      quiet.flush(1, 5, 9);
      quiet.mergeL0(Level.LAST - 1);
      assertThat(quiet.tree.disk().tables()).hasSize(1);
      assertThat(components.mergePolicy()).isInstanceOf(FullMerge.class);
      assertThat(((FullMerge) components.mergePolicy()).wanted().values())
          .containsExactly(new KeyRange(Model.key(5), Model.key(6)));
      components.endCompactionRequest();
    }
  }

  /** With more levels than a merge reads it fenced the engine: some inputs had no buffer. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 12})
  void aTreeWithMoreLevelsThanAMergeReadsIsCompacted(int levels) {
    mergeAll(levels, PartitionedLeveling.Settings.DEFAULT, true);
  }

  /** Its write memory has become so large that one level would do, and L0 is due. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 12})
  void aTreeWithMoreLevelsThanAMergeReadsIsMerged(int levels) {
    mergeAll(
        levels,
        new PartitionedLeveling.Settings(10, 1, 1, 1.5, Selection.CHOOSE_BEST, true, true),
        false);
  }

  private static void mergeAll(
      int levels, PartitionedLeveling.Settings settings, boolean isCompacted) {
    try (Quiet quiet = new Quiet(settings)) {
      // A component in each of so many levels over the same keys, and one in L0.
      for (int level = Level.LAST; level > Level.LAST - levels; level--) {
        quiet.flush(0, 100, 200);
        quiet.mergeL0(level);
      }
      quiet.flush(0, 100, 200);
      LsmTree tree = quiet.tree;
      assertThat(tree.disk().runCount()).isEqualTo(levels + 1);
      if (isCompacted) {
        quiet.components.requestCompaction();
      }
      while (quiet.components.isCompacting() || tree.disk().runCount() > 1) {
        assertThat(quiet.world.merge(tree)).isTrue();
      }
      assertThat(tree.disk().runCount()).isOne();
      assertThat(tree.disk().run(0).level()).isEqualTo(Level.LAST);
      assertThat(tree.disk().entries()).isEqualTo(3);
    }
  }
}
