package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.Memory;

/**
 * Records of one byte to three million, in orders of keys that schemes of write memory may find
 * hard: the engine has what was written last, and keeps to its budget.
 */
@Tag("once")
class DataShapesTest {
  /** Sizes, and how many records of each are written in a round; together about 4.4 MB. */
  private static final int[][] SIZES = {
    {1, 200}, {100, 100}, {1_000, 40}, {10_000, 12}, {100_000, 2}, {1_000_000, 1}, {3_000_000, 1}
  };

  private static final int ROUNDS = 7;
  private static final int MOST_RECORDS = 1_000_000;

  @ParameterizedTest
  @EnumSource
  void ascendingKeys(WriteScheme scheme) {
    live(scheme, i -> i, true);
  }

  @ParameterizedTest
  @EnumSource
  void descendingKeys(WriteScheme scheme) {
    live(scheme, i -> MOST_RECORDS - i, true);
  }

  /** Nine of ten records are of one key, whose versions take the room of each other. */
  @ParameterizedTest
  @EnumSource
  void oneHotKey(WriteScheme scheme) {
    live(scheme, i -> i % 10 == 0 ? i : MOST_RECORDS / 2, false);
  }

  /**
   * Writes, reads, and opens the database again.
   *
   * @param isLeft whether so many keys must leave write memory, or its active components
   */
  private static void live(WriteScheme scheme, IntUnaryOperator keys, boolean isLeft) {
    TreeMap<Integer, byte[]> content = new TreeMap<>();
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config(scheme))) {
              write(engine, engine.createTree("t"), keys, content);
              assertThat(leftMemory(engine.statistics())).isGreaterThanOrEqualTo(isLeft ? 1 : 0);
              requireContent(engine, content);
            }
          });
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config(scheme))) {
              requireContent(engine, content);
              assertThat(engine.verify().isSound()).isTrue();
            }
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  private static long leftMemory(EngineStatistics statistics) {
    return statistics.work().flushedBytes() + statistics.trees().get(0).mergedInMemoryBytes();
  }

  private static void write(
      Engine engine, Tree tree, IntUnaryOperator keys, TreeMap<Integer, byte[]> content) {
    int written = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (int[] size : SIZES) {
        for (int i = 0; i < size[1]; i++) {
          int key = keys.applyAsInt(written++);
          byte[] value = new byte[size[0]];
          Arrays.fill(value, (byte) written);
          tree.put(key(key), value);
          content.put(key, value);
        }
      }
      Memory memory = engine.statistics().memory();
      assertThat(memory.usedBytes()).isLessThanOrEqualTo(memory.totalBytes());
      assertThat(memory.writeUsedBytes()).isLessThanOrEqualTo(memory.writeTargetBytes());
    }
  }

  private static void requireContent(Engine engine, TreeMap<Integer, byte[]> content) {
    try (Cursor cursor = engine.tree("t").scan(ScanOptions.all())) {
      content.forEach(
          (key, value) -> {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).isEqualTo(key(key));
            assertThat(Arrays.equals(cursor.value(), value)).as("value of %d", key).isTrue();
          });
      assertThat(cursor.next()).isFalse();
    }
  }

  private static byte[] key(int i) {
    return String.format("key%07d", i).getBytes(UTF_8);
  }

  /** The least that takes a record of three million bytes. */
  private static EngineConfig config(WriteScheme scheme) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeScheme(scheme)
        .activeDatasets(2)
        .writeInitialBytes(25 << 20)
        .logSegmentBytes(16 << 20)
        .logMaxBytes(64 << 20)
        .l0MinMerge(2)
        .build();
  }
}
