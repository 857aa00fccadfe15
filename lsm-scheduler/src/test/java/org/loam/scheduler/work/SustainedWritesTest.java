package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.common.config.MergeScheduling;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.LevelTargets;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.TreeShape;

/**
 * Levels stay within one and a half times their targets while clients load a tree and overwrite it
 * without pause. Write memory has sixteen ranges, and tables are cut at guards from the first load
 * on. Two threads merge, each as fast as it would take to read a write memory in a second and write
 * it in another one. No writer that is paced meets the stop of L0. No merge out of L0 takes much of
 * the tree, from the first one of the load on.
 */
@Tag("once")
class SustainedWritesTest {
  private static final int KEYS = 19_200;
  private static final int RANGES = 16;
  private static final int CLIENTS = 2;
  private static final int MERGE_THREADS = 2;
  private static final int L0_STOP = 16;
  private static final double L0_STOP_FILL = 3;
  private static final int LEVEL_RATIO = PartitionedLeveling.Settings.DEFAULT.levelRatio();
  private static final double SECOND = 1e9;
  private static final double MOST_FULLNESS = 1.5;

  /** Of a tree, that a merge out of L0 takes: 0.11 with ranges, 0.14 with one component. */
  private static final double MOST_SHARE = 1.0 / 6;

  /**
   * Of a writer that is paced, in seconds: a merge of L0 takes 3 to 8, so it never waits for one.
   */
  private static final double MOST_WAIT = 0.3;

  /** All keys are loaded in random order, and overwritten so many times. */
  private static final int TIMES = 4;

  /** Write memory becomes so many times smaller. */
  private static final int LESS_MEMORY = 8;

  /** Which keys are overwritten. */
  enum Keys {
    UNIFORM,
    ZIPF
  }

  /**
   * A tree and its clients.
   *
   * @param ranges into which write memory is divided; 1 for one component
   * @param memories entries of the tree for one in write memory
   * @param scanned whether scans come, so that L0 is merged four deep, not eight
   */
  record Load(
      Keys keys,
      int ranges,
      int memories,
      boolean scanned,
      MergeScheduling scheduling,
      WriteSlowdown slowdown) {
    int memoryEntries() {
      return KEYS / memories;
    }

    MergeScheduler scheduler() {
      return switch (scheduling) {
        case FAIR -> new FairScheduler();
        case GREEDY -> new GreedyScheduler(MERGE_THREADS);
      };
    }

    WriteControl control() {
      int maxMerge = PartitionedLeveling.Settings.DEFAULT.l0MaxMerge();
      return slowdown == WriteSlowdown.PACE
          ? new WriteControl.Pace(L0_STOP - maxMerge, L0_STOP, L0_STOP_FILL, 1)
          : WriteControl.STOP;
    }
  }

  static Stream<Load> loads() {
    List<Load> loads = new ArrayList<>();
    for (MergeScheduling scheduling : MergeScheduling.values()) {
      loads.add(new Load(Keys.UNIFORM, RANGES, 12, false, scheduling, WriteSlowdown.PACE));
      loads.add(new Load(Keys.UNIFORM, RANGES, 20, true, scheduling, WriteSlowdown.PACE));
      loads.add(new Load(Keys.UNIFORM, RANGES, 20, true, scheduling, WriteSlowdown.STOP));
      loads.add(new Load(Keys.UNIFORM, RANGES, 60, false, scheduling, WriteSlowdown.PACE));
      loads.add(new Load(Keys.ZIPF, RANGES, 60, false, scheduling, WriteSlowdown.PACE));
    }
    return loads.stream();
  }

  static Stream<Load> undividedLoads() {
    return Stream.of(
        new Load(Keys.UNIFORM, 1, 12, false, MergeScheduling.GREEDY, WriteSlowdown.PACE),
        new Load(Keys.UNIFORM, 1, 20, true, MergeScheduling.FAIR, WriteSlowdown.STOP),
        new Load(Keys.UNIFORM, 1, 60, false, MergeScheduling.GREEDY, WriteSlowdown.PACE),
        new Load(Keys.ZIPF, 1, 60, false, MergeScheduling.GREEDY, WriteSlowdown.PACE));
  }

  @ParameterizedTest
  @MethodSource("loads")
  void levelsStayNearTheirTargets(Load load) {
    try (Run run = new Run(load)) {
      run.fill();
      run.longestWrite = 0;
      String seen = run.overwrite(TIMES);
      assertThat(run.fullest).as(seen).isLessThanOrEqualTo(MOST_FULLNESS);
      assertThat(run.fullest > 1).as("levels filled").isEqualTo(load.memories > 12);
      if (load.slowdown == WriteSlowdown.PACE) {
        assertThat(run.longestWrite).as(seen).isLessThan(MOST_WAIT);
      }
      assertThat(run.largestShare).as(seen).isLessThanOrEqualTo(MOST_SHARE);
    }
  }

  /** Of a tree whose write memory has one component, guards alone make merges small. */
  @ParameterizedTest
  @MethodSource("undividedLoads")
  void noMergeTakesMuchOfATreeWithOneComponent(Load load) {
    try (Run run = new Run(load)) {
      run.fill();
      double loaded = run.largestShare;
      String seen = run.overwrite(1);
      assertThat(run.largestShare)
          .as("%.3f of the tree in the first load; %s", loaded, seen)
          .isLessThanOrEqualTo(MOST_SHARE);
    }
  }

  /**
   * Levels are too large for a write memory that has become smaller. The longest write takes 3 to 6
   * seconds; it takes 9 to 19 where merges wait for room while writers are stopped.
   */
  @ParameterizedTest
  @EnumSource(names = {"STOP", "PACE"})
  void writersDoNotWaitUntilLevelsHaveFollowedWriteMemory(WriteSlowdown slowdown) {
    try (Run run =
        new Run(new Load(Keys.UNIFORM, RANGES, 20, true, MergeScheduling.FAIR, slowdown))) {
      run.fill();
      run.overwrite(1);
      run.longestWrite = 0;
      run.fullest = 0;
      run.tree.setMemory(run.tree.memoryEntries() / LESS_MEMORY);
      String seen = run.overwrite(1);
      assertThat(run.fullest).as("levels were too large").isGreaterThan(3);
      assertThat(run.longestWrite).as(seen).isLessThan(7);
    }
  }

  private static final class Run implements AutoCloseable {
    private final Random random = new Random(1);
    private final PartitionedLeveling policy =
        new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT);
    private final Simulation sim = Simulation.seeded(1);
    private final FakeEngine engine = new FakeEngine(sim.env(), 1);
    private final Load load;
    private final IntSupplier keys;
    private final FakeEngine.Tree tree;
    private final BackgroundWorkers workers;
    private double fullest;

    /** Of the tree, that a merge out of L0 has taken. */
    private double largestShare;

    /** In seconds. */
    private double longestWrite;

    Run(Load load) {
      this.load = load;
      this.keys = load.keys == Keys.UNIFORM ? () -> random.nextInt(KEYS) : zipf();
      int quantum = Math.max(1, load.memoryEntries() / 16);
      engine.control = load.control();
      engine.flushedPerScan = () -> load.scanned ? 0 : Double.POSITIVE_INFINITY;
      engine.levelRatio = LEVEL_RATIO;
      engine.stepNanos = (long) (SECOND * quantum / (2 * load.memoryEntries()));
      engine.onChange = shape -> look(shape, policy.targets(shape));
      engine.onMerge = this::look;
      this.tree =
          engine.newTree(
              policy,
              ComponentConstraint.l0Stop(L0_STOP)
                  .or(ComponentConstraint.l0Fill(LEVEL_RATIO, L0_STOP_FILL)),
              new FakeEngine.Memory(load.memoryEntries(), bounds(), true),
              load.memoryEntries() / 2);
      this.workers =
          engine.start(
              load.scheduler(),
              new RateLimiter(sim.env(), 0),
              new BackgroundWorkers.Settings(
                  1,
                  MERGE_THREADS,
                  MERGE_THREADS,
                  quantum,
                  1,
                  1,
                  BackgroundWorkers.Settings.NEVER));
    }

    /** Loads the tree. */
    void fill() {
      write(KEYS, shuffled().iterator()::next);
    }

    /** Overwrites the tree and says what that was like. */
    String overwrite(int times) {
      tree.model.countFromNow();
      long began = nanos();
      write(times * KEYS, keys);
      return String.format(
          Locale.ROOT,
          "%d levels, the fullest at %.2f; %.2f merged for one that is flushed; %.2f memories/s;"
              + " a merge of L0 takes up to %.3f of the tree",
          tree.shape().levels().size(),
          fullest,
          tree.model.mergeAmplification(),
          times * load.memories / ((nanos() - began) / SECOND),
          largestShare);
    }

    private void write(int count, IntSupplier next) {
      int batch = Math.max(1, load.memoryEntries() / 320);
      Runnable client =
          () -> {
            for (int i = 0; i < count / CLIENTS / batch; i++) {
              engine.env.waiter().pause((long) (SECOND * batch / (2 * load.memoryEntries())));
              int[] written = new int[batch];
              Arrays.setAll(written, k -> next.getAsInt());
              long began = nanos();
              tree.put(written);
              longestWrite = Math.max(longestWrite, (nanos() - began) / SECOND);
            }
          };
      assertThat(sim.run(client, client)).isTrue();
    }

    private long nanos() {
      return engine.env.clock().nanoTime();
    }

    @Override
    public void close() {
      sim.run(workers::close);
      sim.close();
    }

    private void look(TreeShape shape, LevelTargets targets) {
      for (Level level : shape.levels()) {
        long target = targets.targetBytes(level.id());
        if (target > 0) {
          fullest = Math.max(fullest, (double) Component.bytes(level.components()) / target);
        }
      }
    }

    private void look(TreeShape shape, MergePlan plan) {
      if (plan.fromLevel() == Level.L0 && plan.kind() == MergePlan.Kind.MERGE) {
        largestShare = Math.max(largestShare, (double) plan.inputBytes() / shape.bytes());
      }
    }

    /** Ranges that a full write memory fills evenly. */
    private List<Integer> bounds() {
      TreeSet<Integer> full = new TreeSet<>();
      while (full.size() < load.memoryEntries()) {
        full.add(keys.getAsInt());
      }
      List<Integer> sorted = List.copyOf(full);
      return IntStream.range(1, load.ranges)
          .mapToObj(range -> sorted.get(range * sorted.size() / load.ranges))
          .toList();
    }

    private IntSupplier zipf() {
      double[] sums = new double[KEYS];
      double sum = 0;
      for (int rank = 0; rank < KEYS; rank++) {
        sum += 1 / Math.pow(rank + 1.0, 0.99);
        sums[rank] = sum;
      }
      List<Integer> keysByRank = shuffled();
      return () -> {
        int rank = Arrays.binarySearch(sums, random.nextDouble() * sums[KEYS - 1]);
        return keysByRank.get(rank < 0 ? -rank - 1 : rank);
      };
    }

    private List<Integer> shuffled() {
      List<Integer> all = new ArrayList<>(IntStream.range(0, KEYS).boxed().toList());
      Collections.shuffle(all, random);
      return all;
    }
  }
}
