package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.StepResult;

/**
 * Random flushes and merges of a tree against a map: after every step, point reads and scans show
 * of every key the newest version and never one that was superseded or deleted, for the present and
 * for every snapshot, whatever is in the middle of being flushed or merged.
 */
final class TreeModel {
  private static final int KEYS = 48;

  private static final int[] RANGES = {1, 2, 5, 16};

  /** What was there at a registered read LSN. */
  private record Moment(long readLsn, TreeMap<byte[], byte[]> content) {}

  private final long seed;
  private final Random random;
  private final TreeMap<byte[], byte[]> content = new TreeMap<>(TreeWorld.BYTES);
  private final List<byte[]> keys = new ArrayList<>();
  private final List<Moment> moments = new ArrayList<>();
  private final List<BackgroundOperation> open = new ArrayList<>();
  private final TreeBehaviour behaviour;
  private final boolean snapshots;
  private long nextLsn = 1;
  private final RangeSizes ranges;

  /** Of runs that stay in memory and are merged there; null if all is flushed that is frozen. */
  private final MemoryLeveling.@Nullable Sizes levels;

  /** Like that, of a pipeline. */
  private final MemoryLeveling.@Nullable Pipeline pipeline;

  long merges;
  long moves;

  /** Merges within the last level. */
  long rewrites;

  long mostRanges;
  long partialFlushes;
  long memoryMerges;
  long indexMerges;
  long mostMemoryLevels;

  TreeModel(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.snapshots = random.nextInt(3) > 0;
    Selection[] selections = Selection.values();
    int minMerge = 1 + random.nextInt(4);
    this.behaviour =
        TreeWorld.behaviour(
            new PartitionedLeveling(
                new PartitionedLeveling.Settings(
                    2 + random.nextInt(3),
                    minMerge,
                    minMerge + random.nextInt(3),
                    1.5,
                    selections[random.nextInt(selections.length)],
                    true,
                    random.nextBoolean())),
            (4L << random.nextInt(7)) << 10);
    this.levels =
        seed % 3 == 0
            ? new MemoryLeveling.Sizes(
                (8 + random.nextInt(40)) << 10,
                (4 + random.nextInt(40)) << 10,
                2 + random.nextInt(3))
            : null;
    this.pipeline =
        seed % 6 == 1
            ? new MemoryLeveling.Pipeline(1 + random.nextInt(4), random.nextBoolean())
            : null;
    int most = levels == null && pipeline == null ? RANGES[random.nextInt(RANGES.length)] : 1;
    this.ranges = new RangeSizes(most, 1 + random.nextInt(16 << 10));
    // The empty key, unsigned order, keys that are prefixes of others, and the longest.
    keys.add(new byte[0]);
    for (int i = 1; i < KEYS - 1; i++) {
      keys.add(new byte[] {(byte) (i * 7), (byte) i, 0}.clone());
      if (i % 8 == 0) {
        keys.set(i, new byte[] {(byte) ((i - 1) * 7)});
      }
    }
    keys.add(new byte[1024]);
  }

  private TreeWorld world(Simulation sim) {
    TreeWorld world =
        new TreeWorld(
            sim,
            TreeWorld.Sizes.SMALL,
            new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE),
            behaviour);
    world.ranges = ranges;
    return world;
  }

  void run(int steps) {
    try (Simulation sim = Simulation.seeded(seed)) {
      TreeWorld world = world(sim);
      LsmTree tree = world.createTree("t", behaviour);
      for (int step = 0; step < steps; step++) {
        if (random.nextInt(60) == 0) {
          reopenAfterFlush(world, tree);
          world = world(sim);
          tree = world.trees.get(0);
        }
        act(world, tree);
        world.components(tree).shape().check();
        check(world, tree);
      }
      reopenAfterFlush(world, tree);
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
    }
  }

  private void act(TreeWorld world, LsmTree tree) {
    int dice = random.nextInt(20);
    if (dice < 8) {
      write(world, tree);
      mergeInMemory(world, tree);
    } else if (dice < 11) {
      freeze(world, tree);
      add(world.openFlush(tree));
    } else if (dice < 14) {
      startMerge(world.components(tree));
    } else if (dice == 14 && random.nextInt(4) == 0) {
      world.components(tree).requestCompaction();
    } else if (dice == 15 && snapshots) {
      moments.add(new Moment(world.reads.register(), new TreeMap<>(content)));
    } else if (dice == 16 && !moments.isEmpty()) {
      world.reads.release(moments.remove(random.nextInt(moments.size())).readLsn());
    } else if (dice == 17 && !open.isEmpty() && random.nextInt(3) == 0) {
      open.remove(random.nextInt(open.size())).abort();
    } else if (!open.isEmpty()) {
      advance(open.get(random.nextInt(open.size())));
    }
  }

  /** Lets what was written stay in memory, and does some steps of merges there. */
  private void mergeInMemory(TreeWorld world, LsmTree tree) {
    if (levels == null && pipeline == null) {
      return;
    }
    if (random.nextInt(3) > 0) {
      world.settle(tree);
    }
    for (int i = random.nextInt(6); i > 0 && isMergedInMemory(world.components(tree)); i--) {
      memoryMerges++;
      indexMerges += pipeline != null && !pipeline.copiesData() ? 1 : 0;
    }
    mostMemoryLevels = Math.max(mostMemoryLevels, tree.version().levels.shape().levels().size());
  }

  private boolean isMergedInMemory(ComponentChanges components) {
    if (pipeline != null) {
      return components.mergeMemory(() -> pipeline);
    }
    return levels != null && components.mergeMemory(() -> levels);
  }

  /** Freezes all ranges or some, or runs. */
  private void freeze(TreeWorld world, LsmTree tree) {
    int before = tree.actives().size();
    if (levels != null && random.nextInt(4) > 0) {
      boolean isFrozen =
          random.nextBoolean()
              ? world.freezeFirst(tree, nextLsn, 1 + random.nextInt(3))
              : world.freezeOldest(tree, nextLsn);
      partialFlushes += isFrozen && !tree.runs().isEmpty() ? 1 : 0;
      return;
    }
    if (pipeline != null || random.nextInt(3) == 0) {
      world.freeze(tree, nextLsn);
    } else if (world.freeze(tree, nextLsn, active -> random.nextInt(3) == 0)) {
      partialFlushes += before > 1 ? 1 : 0;
    }
    mostRanges = Math.max(mostRanges, tree.actives().size());
  }

  private void write(TreeWorld world, LsmTree tree) {
    int count = 1 + random.nextInt(random.nextBoolean() ? 4 : 30);
    int from = random.nextInt(KEYS);
    boolean narrow = random.nextBoolean();
    for (int i = 0; i < count && world.writeQuota.usedPages() < 300; i++) {
      byte[] key = keys.get(narrow ? (from + random.nextInt(6)) % KEYS : random.nextInt(KEYS));
      byte[] value = random.nextInt(4) == 0 ? null : value();
      world.write(tree, key, value, nextLsn);
      nextLsn += 1 + random.nextInt(3);
      if (value == null) {
        content.remove(key);
      } else {
        content.put(key, value);
      }
    }
  }

  private byte[] value() {
    int kind = random.nextInt(40);
    byte[] value = new byte[kind == 0 ? 20_000 : kind < 4 ? random.nextInt(3000) : kind];
    random.nextBytes(value);
    return value;
  }

  private void startMerge(ComponentChanges components) {
    RunMode mode = RunMode.values()[random.nextInt(RunMode.values().length)];
    List<MergePlan> plans = components.mergePolicy().plan(components.shape(), mode);
    if (!plans.isEmpty()) {
      MergePlan plan = plans.get(random.nextInt(plans.size()));
      if (add(components.open(plan))) {
        merges += plan.kind() == MergePlan.Kind.MERGE ? 1 : 0;
        moves += plan.kind() == MergePlan.Kind.MOVE ? 1 : 0;
        rewrites += plan.isWithinLast() ? 1 : 0;
      }
    }
  }

  private boolean add(@Nullable BackgroundOperation operation) {
    if (operation != null) {
      open.add(operation);
    }
    return operation != null;
  }

  private void advance(BackgroundOperation operation) {
    StepResult result = operation.step(1 + random.nextInt(20_000));
    if (result == StepResult.NEEDS_FORCE) {
      operation.force();
    } else if (result == StepResult.DONE) {
      open.remove(operation);
    }
  }

  private void check(TreeWorld world, LsmTree tree) {
    checkOldest(world, tree);
    world.check(tree, content, keys, PointRead.LATEST_PUBLISHED);
    if (!moments.isEmpty()) {
      Moment moment = moments.get(random.nextInt(moments.size()));
      world.check(tree, moment.content(), keys, moment.readLsn());
    }
  }

  /** No newest version that is in memory is older than what the tree tells the log. */
  private void checkOldest(TreeWorld world, LsmTree tree) {
    long oldest = tree.minUnflushedLsn(List.of());
    int slot = world.memoryEpochs.enter();
    try {
      for (byte[] key : keys) {
        long lsn = tree.newestLsnInMemory(world.workspace.putKey(key), key.length);
        assertThat(lsn < 0 || lsn >= oldest).as("LSN %d, oldest %d", lsn, oldest).isTrue();
      }
    } finally {
      world.memoryEpochs.exit(slot);
    }
  }

  /** Merges until a compaction that is asked for now is done. */
  private void compact(TreeWorld world, LsmTree tree) {
    ComponentChanges components = world.components(tree);
    components.requestCompaction();
    while (components.isCompacting()) {
      List<MergePlan> plans = components.mergePolicy().plan(components.shape(), RunMode.RUNNING);
      rewrites += plans.get(0).isWithinLast() ? 1 : 0;
      assertThat(world.merge(tree)).as("a merge of the compaction").isTrue();
    }
    components.endCompactionRequest();
  }

  /** Ends a life: everything goes to disk, nothing stays open, and the files are those named. */
  private void reopenAfterFlush(TreeWorld world, LsmTree tree) {
    boolean compacts = random.nextBoolean();
    open.forEach(BackgroundOperation::abort);
    open.clear();
    world.freeze(tree, nextLsn);
    world.flushFrozen(tree);
    if (compacts) {
      compact(world, tree);
    }
    for (Moment moment : moments) {
      world.check(tree, moment.content(), keys, moment.readLsn());
      world.reads.release(moment.readLsn());
    }
    moments.clear();
    if (compacts) {
      compact(world, tree);
      assertThat(tree.disk().entries()).as("entries").isEqualTo(content.size());
    }
    world.check(tree, content, keys, PointRead.LATEST_PUBLISHED);
    assertThat(world.store.deleteOrphans(world.manifest.read(state -> state.tableFiles(0))))
        .as("files nobody names")
        .isZero();
    world.close();
  }
}
