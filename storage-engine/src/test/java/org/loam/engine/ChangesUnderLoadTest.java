package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.config.WriteSlowdown;
import org.loam.common.env.TaskRunner;
import org.loam.common.sim.Simulation;

/** Clients write, flushes and merges go on, and settings change meanwhile: nothing is lost. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangesUnderLoadTest {
  private static final int CLIENTS = 3;
  private static final int ROUNDS = 8;
  private static final int KEYS = 300;
  private static final long BETWEEN_NANOS = 10_000_000;

  /** All values go with all values of the others. */
  private static final Map<String, List<String>> CHANGES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("write.control", List.of("STOP", "PACE", "LIMIT")),
              Map.entry("write.limitBytesPerSecond", List.of("1MiB", "3MiB", "1GiB")),
              Map.entry("write.constraint", List.of("L0", "TREE")),
              Map.entry("merge.scheduler", List.of("FAIR", "GREEDY")),
              Map.entry("merge.greedy", List.of("0", "1", "8")),
              Map.entry("l0.minMerge", List.of("1", "2", "4")),
              Map.entry("l0.stop", List.of("5", "6", "8")),
              Map.entry("l0.stopRatio", List.of("1", "3")),
              Map.entry("disk.levelRatio", List.of("2", "4", "10")),
              Map.entry(
                  "write.scheme", Stream.of(WriteScheme.values()).map(WriteScheme::name).toList()),
              Map.entry("write.flushPolicy", List.of("MAX_MEMORY", "MIN_LSN", "OPTIMAL")),
              Map.entry("write.flushThreshold", List.of("0.6", "0.95", "1.0")),
              Map.entry("write.targetBytes", List.of("512KiB", "1MiB", "2MiB")),
              Map.entry("log.maxBytes", List.of("512KiB", "2MiB", "16MiB")),
              Map.entry("sstable.bytes", List.of("64KiB", "256KiB")),
              Map.entry("io.limitBytesPerSecond", List.of("2MiB", "8MiB"))));

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(1 << 20)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(2 << 20)
          .l0MinMerge(2)
          .l0Stop(6)
          .ioLimitBytesPerSecond(4 << 20)
          .tunerMode(TunerMode.FROZEN)
          .build();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void nothingIsLost(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              AtomicInteger writing = new AtomicInteger(CLIENTS);
              List<TaskRunner.Task> tasks = new ArrayList<>();
              for (int i = 0; i < CLIENTS; i++) {
                Tree tree = engine.createTree("t" + i);
                tasks.add(sim.env().tasks().start("client " + i, () -> write(tree, writing)));
              }
              Runnable changes = () -> change(sim, engine, new Random(seed), writing);
              tasks.add(sim.env().tasks().start("changes", changes));
              tasks.forEach(TaskRunner.Task::join);
              check(engine);
            }
          });
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              check(engine);
            }
          });
    }
  }

  private static void write(Tree tree, AtomicInteger writing) {
    for (int round = 1; round <= ROUNDS; round++) {
      for (int i = 0; i < KEYS; i++) {
        tree.put(key(i * 7 % KEYS), new byte[1000 + round]);
      }
    }
    writing.decrementAndGet();
  }

  private static void change(Simulation sim, Engine engine, Random random, AtomicInteger writing) {
    List<String> names = List.copyOf(CHANGES.keySet());
    int changed = 0;
    while (writing.get() > 0) {
      String name = any(random, names);
      engine.configure(name, any(random, CHANGES.get(name)));
      WriteSlowdown control = any(random, List.of(WriteSlowdown.values()));
      MergeOptions own = random.nextBoolean() ? null : new MergeOptions(4, 2, 5, control);
      engine.tree("t" + random.nextInt(CLIENTS)).setMergeOptions(own);
      changed++;
      sim.env().waiter().pause(BETWEEN_NANOS);
    }
    assertThat(changed).isGreaterThan(20);
  }

  private static <T> T any(Random random, List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static void check(Engine engine) {
    for (int t = 0; t < CLIENTS; t++) {
      for (int i = 0; i < KEYS; i++) {
        assertThat(engine.tree("t" + t).get(key(i))).hasSize(1000 + ROUNDS);
      }
    }
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }
}
