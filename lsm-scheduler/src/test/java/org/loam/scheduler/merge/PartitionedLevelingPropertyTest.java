package org.loam.scheduler.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.SoakSeeds;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.PartitionedLeveling.Settings;

/** Random trees, random flushes, merges that overlap in time: reads must never notice. */
class PartitionedLevelingPropertyTest {
  private static final int RUNS = 20;
  private static final int KEYS = 65_536;

  @Test
  void newestVersionWinsAndEveryPlanIsSound() {
    LongStream.range(0, RUNS).forEach(PartitionedLevelingPropertyTest::run);
  }

  @Test
  @Tag("soak")
  void newestVersionWinsInManyRuns() {
    SoakSeeds.some(500).forEach(PartitionedLevelingPropertyTest::run);
  }

  private static void run(long seed) {
    go(seed, new Run(seed, Integer.MAX_VALUE));
  }

  private static void go(long seed, Run run) {
    try {
      run.go();
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed, t);
    }
  }

  /**
   * In trees that have more levels than a merge has inputs: no merge reads more than it can, and
   * merging comes to an end all the same.
   */
  @Test
  void mergesReadAFewRunsOnly() {
    int cut = 0;
    for (int seed = 0; seed < 5; seed++) {
      Run run = new Run(seed, 2 + seed % 3);
      go(seed, run);
      cut += run.cut;
    }
    assertThat(cut).as("merges that end above the level where they should").isGreaterThan(30);
  }

  /** The check is no formality: a plan that leaves an input out is refused. */
  @Test
  void incompletePlansAreRefused() {
    int refused = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      Run run = new Run(seed, Integer.MAX_VALUE);
      for (int i = 0; i < 30; i++) {
        run.flush();
        TreeShape shape = run.shape();
        for (MergePlan plan : run.policy.plan(shape, RunMode.RUNNING)) {
          refused += refusedWithout(shape, plan);
          run.startIfFree(plan, shape);
        }
        run.finishAll();
      }
    }
    assertThat(refused).isGreaterThan(100);
  }

  /**
   * Leaves each input but the newest out; counts refusals. One that may be left out is harmless.
   */
  private static int refusedWithout(TreeShape shape, MergePlan plan) {
    int refused = 0;
    for (int i = 1; i < plan.inputs().size(); i++) {
      List<Component> fewer = new ArrayList<>(plan.inputs());
      Component left = fewer.remove(i);
      MergePlan less = MergePlan.of(plan.treeId(), fewer, plan.fromLevel(), plan.targetLevel(), 1);
      boolean meetsNewer =
          fewer.subList(0, i).stream().anyMatch(c -> c.range().overlaps(left.range()));
      if (PlanCheck.objection(shape, less) != null) {
        refused++;
      } else {
        assertThat(meetsNewer).as(plan + " without " + left.id()).isFalse();
      }
    }
    return refused;
  }

  /** A merge that is due and begins alone makes a deepest range less deep, and none deeper. */
  private static void checkDepthFell(List<List<Component>> before, List<List<Component>> after) {
    int greatest = Depths.greatest(before);
    assertThat(Depths.peaks(before))
        .as("the deepest ranges")
        .anyMatch(p -> p.depth() == greatest && depthOf(after, p.range()) < greatest);
    assertThat(Depths.peaks(after)).allMatch(p -> p.depth() <= depthOf(before, p.range()));
  }

  /** The depth of a range that is a peak in another moment: of its deepest key. */
  private static int depthOf(List<List<Component>> groups, KeyRange range) {
    List<Component> met =
        groups.stream().flatMap(g -> Component.overlapping(g, range).stream()).toList();
    return Depths.greatest(List.of(met));
  }

  /** Depth of L0 at which writers stop. */
  private static final int L0_STOP = 24;

  /** Bytes flushed for a scan: many scans, some, few, and none. */
  private static final double[] SOME_PER_SCAN = {0, 12 << 10, 70 << 10, Double.POSITIVE_INFINITY};

  private static final class Run {
    private final Random random;
    private final ModelTree tree;
    private final PartitionedLeveling policy;
    private final Settings settings;
    private final RunMode mode;
    private final int keys;
    private final int flushParts;
    private final double deletedShare;
    private final boolean sequential;
    private final int maxInputRuns;
    private int memoryEntries;
    private int nextKey;

    /** Merges that end above the level where they should. */
    private int cut;

    Run(long seed, int maxInputRuns) {
      this.maxInputRuns = maxInputRuns;
      random = new Random(seed);
      int minMerge = 1 + random.nextInt(4);
      settings =
          new Settings(
              2 + random.nextInt(4),
              minMerge,
              minMerge + random.nextInt(4),
              1 + random.nextDouble(),
              random.nextBoolean() ? Selection.ROUND_ROBIN : Selection.CHOOSE_BEST,
              true,
              random.nextBoolean());
      policy = new PartitionedLeveling(settings);
      mode = RunMode.values()[random.nextInt(RunMode.values().length)];
      tree = new ModelTree(random, 7, 2 + random.nextInt(30));
      memoryEntries = 5 + random.nextInt(40);
      keys = random.nextBoolean() ? 200 : KEYS;
      flushParts = random.nextBoolean() ? 1 : 1 + random.nextInt(6);
      deletedShare = random.nextInt(4) * 0.3;
      sequential = random.nextInt(5) == 0;
    }

    TreeShape shape() {
      return tree.shape(memoryEntries).readable(maxInputRuns);
    }

    void go() {
      for (int i = 0; i < 120; i++) {
        if (random.nextInt(20) == 0) { // the tuner
          memoryEntries = 5 + random.nextInt(80);
        }
        if (shape().l0Depth() < L0_STOP) {
          flush();
        }
        for (int turn = random.nextInt(6); turn > 0; turn--) {
          turn();
        }
        if (i % 4 == 0) {
          tree.checkReads();
        }
      }
      settle();
    }

    void flush() {
      TreeSet<Integer> written = new TreeSet<>();
      int from = random.nextInt(keys);
      int width = random.nextBoolean() ? keys : 1 + random.nextInt(keys);
      while (written.size() < Math.min(memoryEntries, width)) {
        written.add(sequential ? nextKey++ % KEYS : (from + random.nextInt(width)) % keys);
      }
      tree.flush(written, deletedShare, flushParts);
      tree.scanned(SOME_PER_SCAN[random.nextInt(SOME_PER_SCAN.length)]);
    }

    private void turn() {
      if (!tree.running().isEmpty() && random.nextBoolean()) {
        finishOne();
        return;
      }
      TreeShape shape = shape();
      for (MergePlan plan : policy.plan(shape, mode)) {
        if (startIfFree(plan, shape)) {
          return;
        }
      }
    }

    /** A plan that conflicts with none that runs must be sound; the others are refused. */
    boolean startIfFree(MergePlan plan, TreeShape shape) {
      boolean waits = shape.running().stream().anyMatch(plan::conflictsWith);
      assertThat(plan.isWithinLast()).as("a plan as of a compaction").isFalse();
      String objection = PlanCheck.objection(shape, plan);
      if (waits) {
        assertThat(objection).contains("conflicts");
      } else if (tree.running().size() == shape.running().size()) {
        assertThat(objection).as(plan.toString()).isNull();
        assertThat(runs(plan)).as("runs of " + plan).isLessThanOrEqualTo(maxInputRuns);
        cut += plan.targetLevel() < policy.targets(shape).top() ? 1 : 0;
        tree.start(plan, shape);
        return true;
      }
      return false;
    }

    /** Groups of L0 and levels that have some of its inputs. */
    private long runs(MergePlan plan) {
      TreeShape all = tree.shape(memoryEntries);
      return Stream.concat(all.l0().stream(), all.levels().stream().map(Level::components))
          .filter(run -> run.stream().anyMatch(plan.inputs()::contains))
          .count();
    }

    private void finishOne() {
      tree.finish(tree.running().get(random.nextInt(tree.running().size())));
    }

    void finishAll() {
      while (!tree.running().isEmpty()) {
        finishOne();
      }
    }

    /**
     * Without further writes merging comes to an end, and the tree has the shape it should have.
     */
    private void settle() {
      finishAll();
      // Each component may have to pass through every level, and be cut anew on the way.
      int components = shape().levels().stream().mapToInt(l -> l.components().size()).sum();
      int budget = 5_000 + 20 * components;
      while (true) {
        finishAll();
        TreeShape shape = shape();
        List<MergePlan> plans = policy.plan(shape, mode);
        if (plans.isEmpty()) {
          break;
        }
        assertThat(--budget).as("merges until the tree is at rest").isPositive();
        assertThat(startIfFree(plans.get(0), shape)).as("the first plan may start").isTrue();
        finishAll();
        boolean isAllSeen = maxInputRuns == Integer.MAX_VALUE;
        boolean isDue = shape.l0Depth() >= policy.l0Due(shape);
        if (plans.get(0).fromLevel() == Level.L0 && isDue && isAllSeen) {
          checkDepthFell(shape.l0(), shape().l0());
        }
      }
      tree.checkReads();
      TreeShape shape = shape();
      assertThat(shape.l0Depth()).isLessThan(policy.l0Due(shape));
      LevelTargets targets = policy.targets(shape);
      assertThat(targets.ratio()).isBetween(2.0, (double) settings.levelRatio());
      for (int id = Level.LAST - 1; id > Level.L0; id--) {
        assertThat((double) Component.bytes(shape.level(id)))
            .as("level " + id + " against the last one")
            .isLessThanOrEqualTo(Math.max(1, targets.bytes(id)));
      }
    }
  }
}
