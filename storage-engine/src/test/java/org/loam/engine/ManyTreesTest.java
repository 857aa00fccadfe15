package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.NanoClock;
import org.loam.common.env.TaskRunner;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SoakSeeds;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.scheduler.work.StallCause;

/**
 * Trees that are given ten times as much as write memory holds, and need more pages than it has to
 * be in it together, on a disk that takes its time for a force.
 */
@Tag("once")
class ManyTreesTest {
  private static final int TREES = 100;
  private static final long WRITE_BYTES = 512 << 10;
  private static final int ROUNDS = 30;
  private static final int VALUE_BYTES = 1750;
  private static final long FORCE_NANOS = 1_000_000;

  /** One of so many clients looks at the budget after each write. */
  private static final int WATCHED = 25;

  private static final long SECOND_NANOS = 1_000_000_000;

  /** So long at least the load takes: in less, a tree could stand still for most of it. */
  private static final long LEAST_NANOS = 5 * SECOND_NANOS;

  /** So often at most write memory is flushed between two writes of a tree; it is three times. */
  private static final int MOST_FLUSHES = 4;

  /**
   * On the simulated clock. With STATIC a tree has a place until its client pauses, and those of
   * others wait for it: it shows only that all writes end.
   */
  @ParameterizedTest
  @EnumSource(names = {"RANGES", "LEVELS", "STATIC"})
  void eachTreeMakesProgress(WriteScheme scheme) {
    run(1, scheme);
  }

  @Tag("soak")
  @ParameterizedTest
  @EnumSource
  void eachTreeMakesProgressInOtherOrders(WriteScheme scheme) {
    SoakSeeds.some(10).forEach(seed -> run(seed, scheme));
  }

  private static void run(long seed, WriteScheme scheme) {
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(() -> live(sim, scheme));
    }
  }

  private static void live(Simulation sim, WriteScheme scheme) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config(scheme))) {
      Load load = new Load(engine, sim.env().clock());
      sim.disk().slowForces(path -> true, FORCE_NANOS);
      load.run(sim.env().tasks());
      sim.disk().slowForces(path -> false, 0);
      var statistics = engine.statistics();
      assertThat(statistics.work().flushedBytes()).isGreaterThan(9 * WRITE_BYTES);
      assertThat(statistics.stalls().totals().get(StallCause.WRITE_MEMORY_FULL).count())
          .isPositive();
      if (scheme != WriteScheme.STATIC) {
        load.requireProgress(scheme);
      }
      for (Tree tree : load.trees) {
        for (int round = 0; round < ROUNDS; round++) {
          assertThat(tree.get(key(round))).hasSize(VALUE_BYTES);
        }
      }
    }
  }

  /** Clients without a rest, one for each tree. */
  private static final class Load {
    private final Engine engine;
    private final NanoClock clock;
    private final List<Tree> trees = new ArrayList<>();
    private final long[] flushedAtWrite = new long[TREES];

    /** When the last write of a tree had ended; at first when the load began. */
    private final long[] writtenAtNanos = new long[TREES];

    private long mostFlushedBytes;
    private long longestGapNanos;
    private long tookNanos;

    Load(Engine engine, NanoClock clock) {
      this.engine = engine;
      this.clock = clock;
      for (int i = 0; i < TREES; i++) {
        trees.add(engine.createTree("t" + i));
      }
    }

    void run(TaskRunner tasks) {
      long began = clock.nanoTime();
      Arrays.fill(writtenAtNanos, began);
      List<TaskRunner.Task> clients = new ArrayList<>();
      for (int i = 0; i < TREES; i++) {
        int tree = i;
        clients.add(tasks.start("client " + tree, () -> write(tree)));
      }
      clients.forEach(TaskRunner.Task::join);
      tookNanos = clock.nanoTime() - began;
    }

    private void write(int tree) {
      for (int round = 0; round < ROUNDS; round++) {
        trees.get(tree).put(key(round), new byte[VALUE_BYTES]);
        endGap(tree);
        if (tree % WATCHED == 0) {
          watchBudget();
        }
      }
    }

    void requireProgress(WriteScheme scheme) {
      // With STATIC_TUNED a write fills a component, and waits for the flush of the one before.
      int times = scheme == WriteScheme.STATIC_TUNED ? 2 : 1;
      assertThat(tookNanos).as("all writes").isGreaterThan(LEAST_NANOS);
      assertThat(longestGapNanos)
          .as("longest time between two writes of a tree")
          .isLessThan(times * SECOND_NANOS);
      assertThat(mostFlushedBytes)
          .as("bytes flushed between two writes of a tree")
          .isLessThanOrEqualTo(times * MOST_FLUSHES * WRITE_BYTES);
    }

    private void watchBudget() {
      Memory memory = engine.statistics().memory();
      assertThat(memory.usedBytes()).isLessThanOrEqualTo(memory.totalBytes());
      assertThat(memory.writeUsedBytes()).isLessThanOrEqualTo(memory.writeTargetBytes());
    }

    private void endGap(int tree) {
      long now = clock.nanoTime();
      longestGapNanos = Math.max(longestGapNanos, now - writtenAtNanos[tree]);
      writtenAtNanos[tree] = now;
      long flushed = flushedBytes();
      mostFlushedBytes = Math.max(mostFlushedBytes, flushed - flushedAtWrite[tree]);
      flushedAtWrite[tree] = flushed;
    }

    /** After each write; statistics would look at each of the trees. */
    private long flushedBytes() {
      return engine.open().installer().flushedBytes();
    }
  }

  private static EngineConfig config(WriteScheme scheme) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeScheme(scheme)
        .writeInitialBytes(WRITE_BYTES)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(8 << 20)
        .build();
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }
}
