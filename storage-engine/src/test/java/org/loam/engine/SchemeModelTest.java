package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.FlushPolicy;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Exploration;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;

/**
 * Ten trees of which two get most writes, under schemes of write memory and flush policies
 * (MemoryWalls §6.2.2, figure 10): what flushes and merges write for an update, when merges keep
 * up. No clock and no disk has a part in that. The operations are the same each time, and so are
 * the records afterwards.
 */
@Tag("once")
class SchemeModelTest {
  private static final int TREES = 10;
  private static final int HOT_TREES = 2;
  private static final double HOT_SHARE = 0.8;
  private static final int KEYS = 1_000;
  private static final double THETA = 0.99;
  private static final int VALUE_BYTES = 1000;

  /** Ten times what write memory holds; as many come before those that are measured. */
  private static final int UPDATES = 20_000;

  /** With one seed costs are up to a fifth from their mean. */
  private static final int SEEDS = 2;

  private static final long MEMORY_BYTES = 2 << 20;
  private static final int BETWEEN_PAUSES = 64;
  private static final long PAUSE_NANOS = 12_000_000;

  /** Of each seed the trees with all keys, in the last level. */
  private static final List<SimDisk> LOADED = new ArrayList<>();

  @BeforeAll
  static void load() {
    EngineConfig config =
        config(WriteScheme.DYNAMIC, FlushPolicy.OPTIMAL, 4 * MEMORY_BYTES).build();
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Simulation sim = Simulation.exploring(seed, Exploration.TURNS)) {
        sim.run(
            () -> {
              try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
                for (int i = 0; i < TREES; i++) {
                  Tree tree = engine.createTree("t" + i);
                  for (int key = 0; key < KEYS; key++) {
                    tree.put(key(key), new byte[VALUE_BYTES]);
                  }
                  tree.compact();
                }
              }
            });
        LOADED.add(sim.disk().copy());
      }
    }
  }

  @AfterAll
  static void forget() {
    LOADED.clear();
  }

  @Test
  void schemesAndPoliciesAreInTheOrderOfThePaper() {
    // Popular keys leave so much memory to others that a log of four times of it is too long first.
    long log = 12 * MEMORY_BYTES;
    double tuned = bytesPerUpdate(WriteScheme.STATIC_TUNED, FlushPolicy.OPTIMAL, log);
    for (WriteScheme scheme :
        List.of(WriteScheme.DYNAMIC, WriteScheme.RANGES, WriteScheme.LEVELS)) {
      double most = bytesPerUpdate(scheme, FlushPolicy.MAX_MEMORY, log);
      double oldest = bytesPerUpdate(scheme, FlushPolicy.MIN_LSN, log);
      double best = bytesPerUpdate(scheme, FlushPolicy.OPTIMAL, log);
      assertThat(oldest).as(scheme + ", MIN_LSN and STATIC_TUNED").isLessThan(0.9 * tuned);
      assertThat(oldest).as(scheme + ", MIN_LSN and MAX_MEMORY").isLessThan(0.95 * most);
      assertThat(best).as(scheme + ", OPTIMAL and MAX_MEMORY").isLessThan(0.9 * most);
    }
  }

  /** Behind a log that is shorter than write memory no policy is ever asked. */
  @Test
  void aShortLogMakesAllPoliciesTheSame() {
    long log = MEMORY_BYTES / 2;
    double most = bytesPerUpdate(WriteScheme.DYNAMIC, FlushPolicy.MAX_MEMORY, log);
    double oldest = bytesPerUpdate(WriteScheme.DYNAMIC, FlushPolicy.MIN_LSN, log);
    assertThat(oldest).isEqualTo(most);
  }

  /**
   * With active components of a quarter of their size the hot trees have more than one level in
   * memory. So it counts which run goes down, and when: if it were the one that overlaps most, this
   * would be a quarter more, and a tenth less if a level had half the size of the next one.
   */
  @Test
  void mergesInMemoryCopyAnUpdateSevenTimes() {
    EngineConfigBuilder config =
        config(WriteScheme.LEVELS, FlushPolicy.MIN_LSN, 4 * MEMORY_BYTES)
            .levelsActiveBytes(32 << 10);
    double copied = costPerUpdate(config.build()).mergedInMemoryBytes();
    assertThat(copied).isBetween(6.8 * VALUE_BYTES, 7.5 * VALUE_BYTES);
  }

  /**
   * What an engine has done.
   *
   * @param writtenBytes by flushes and merges
   * @param mergedInMemoryBytes of write memory, filled by merges within it
   */
  private record Cost(double writtenBytes, double mergedInMemoryBytes) {
    static final Cost NONE = new Cost(0, 0);

    static Cost of(Engine engine) {
      EngineStatistics now = engine.statistics();
      long merged =
          now.trees().stream()
              .mapToLong(EngineStatistics.TreeStatistics::mergedInMemoryBytes)
              .sum();
      return new Cost(now.work().writtenBytes(), merged);
    }

    Cost plus(Cost other, double times) {
      return new Cost(
          writtenBytes + times * other.writtenBytes,
          mergedInMemoryBytes + times * other.mergedInMemoryBytes);
    }
  }

  private static double bytesPerUpdate(WriteScheme scheme, FlushPolicy policy, long logBytes) {
    return costPerUpdate(config(scheme, policy, logBytes).build()).writtenBytes();
  }

  private static Cost costPerUpdate(EngineConfig config) {
    Cost[] mean = {Cost.NONE};
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimDisk disk = LOADED.get(seed - 1).copy();
      try (Simulation sim = Simulation.over(disk, seed, Exploration.TURNS)) {
        sim.run(
            () -> {
              try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
                mean[0] = mean[0].plus(new Run(sim, engine).costPerUpdate(), 1.0 / SEEDS);
              }
            });
      }
    }
    System.out.printf(
        "scheme model: %s, %s, log of %d KiB: %.0f bytes for an update, %.0f in memory%n",
        config.write().scheme(),
        config.write().flushPolicy(),
        config.log().maxBytes() >> 10,
        mean[0].writtenBytes(),
        mean[0].mergedInMemoryBytes());
    return mean[0];
  }

  /** Updates of an engine, and what they have to leave. */
  private static final class Run {
    private final Simulation sim;
    private final Engine engine;
    private final SplittableRandom random = new SplittableRandom(1);

    /** The value of each key of each tree. */
    private final byte[][][] values = new byte[TREES][KEYS][VALUE_BYTES];

    Run(Simulation sim, Engine engine) {
      this.sim = sim;
      this.engine = engine;
    }

    /** What the second half of the updates cost. */
    Cost costPerUpdate() {
      update();
      Cost before = Cost.of(engine);
      update();
      Cost done = Cost.of(engine).plus(before, -1);
      for (int i = 0; i < TREES; i++) {
        requireValues(engine.tree("t" + i), values[i]);
      }
      return Cost.NONE.plus(done, 1.0 / UPDATES);
    }

    /** Slowly, so that merges keep up. */
    private void update() {
      double[] weights = new double[KEYS];
      for (int i = 0; i < KEYS; i++) {
        weights[i] = (i == 0 ? 0 : weights[i - 1]) + Math.pow(i + 1, -THETA);
      }
      for (int i = 0; i < UPDATES; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        int tree =
            random.nextDouble() < HOT_SHARE
                ? random.nextInt(HOT_TREES)
                : HOT_TREES + random.nextInt(TREES - HOT_TREES);
        int rank = Arrays.binarySearch(weights, random.nextDouble() * weights[KEYS - 1]);
        // Popular keys are all over the tree.
        int key = (rank < 0 ? -rank - 1 : rank) * 777 % KEYS;
        engine.tree("t" + tree).put(key(key), value);
        values[tree][key] = value;
        if (i % BETWEEN_PAUSES == 0) {
          sim.env().waiter().pause(PAUSE_NANOS);
        }
      }
    }
  }

  private static void requireValues(Tree tree, byte[][] values) {
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      for (int i = 0; i < KEYS; i++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(key(i));
        assertThat(Arrays.equals(cursor.value(), values[i])).as("value of %d", i).isTrue();
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "%08d", i).getBytes(UTF_8);
  }

  private static EngineConfigBuilder config(WriteScheme scheme, FlushPolicy policy, long logBytes) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeScheme(scheme)
        .flushPolicy(policy)
        .writeInitialBytes(MEMORY_BYTES)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(logBytes)
        .sstableBytes(64 << 10)
        .l0ScanFreeRatio(1)
        .tunerMode(TunerMode.FROZEN);
  }
}
