package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.TaskRunner;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.scheduler.work.StallCause;

/**
 * Trees that are given ten times as much as write memory holds, and need more pages than it has to
 * be in it together, on a disk that takes its time for a force.
 */
@Tag("once")
class ManyTreesTest {
  private static final int TREES = 100;
  private static final int CLIENTS = 4;
  private static final long WRITE_BYTES = 512 << 10;
  private static final int ROUNDS = 30;
  private static final int VALUE_BYTES = 1750;
  private static final long FORCE_NANOS = 2_000_000;
  private static final long SECOND_NANOS = 1_000_000_000;

  @ParameterizedTest
  @EnumSource
  void eachTreeMakesProgressEverySecond(WriteScheme scheme) {
    for (int seed = 0; seed < 2; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(() -> live(sim, scheme));
      }
    }
  }

  private static void live(Simulation sim, WriteScheme scheme) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config(scheme))) {
      List<Tree> trees = new ArrayList<>();
      for (int i = 0; i < TREES; i++) {
        trees.add(engine.createTree("t" + i));
      }
      sim.disk().slowForces(path -> true, FORCE_NANOS);
      AtomicLong longest = new AtomicLong();
      List<TaskRunner.Task> tasks = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int first = client;
        Runnable work = () -> write(sim, engine, trees, first, longest);
        tasks.add(sim.env().tasks().start("client " + client, work));
      }
      tasks.forEach(TaskRunner.Task::join);
      sim.disk().slowForces(path -> false, 0);
      var statistics = engine.statistics();
      assertThat(statistics.work().flushedBytes()).isGreaterThan(9 * WRITE_BYTES);
      assertThat(statistics.stalls().totals().get(StallCause.WRITE_MEMORY_FULL).count())
          .isPositive();
      assertThat(longest.get()).as("longest write").isLessThan(SECOND_NANOS);
      for (Tree tree : trees) {
        for (int round = 0; round < ROUNDS; round++) {
          assertThat(tree.get(key(round))).hasSize(VALUE_BYTES);
        }
      }
    }
  }

  private static void write(
      Simulation sim, Engine engine, List<Tree> trees, int first, AtomicLong longest) {
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = first; i < TREES; i += CLIENTS) {
        long before = sim.env().clock().nanoTime();
        trees.get(i).put(key(round), new byte[VALUE_BYTES]);
        longest.accumulateAndGet(sim.env().clock().nanoTime() - before, Math::max);
      }
      Memory memory = engine.statistics().memory();
      assertThat(memory.usedBytes()).isLessThanOrEqualTo(memory.totalBytes());
      assertThat(memory.writeUsedBytes()).isLessThanOrEqualTo(memory.writeTargetBytes());
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
