package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;

/** Entries that readers want do not leave memory because a flush or a merge moves them. */
@Tag("once")
class WarmPagesTest {
  private static final int KEYS = 2_000;
  private static final int VALUE_BYTES = 1_000;

  /** Each in a page of its own. */
  private static final List<Integer> WARM = List.of(3, 500, 1000, 1500, 1999);

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static long misses(Engine engine) {
    return engine.statistics().cache().misses().entrySet().stream()
        .filter(entry -> entry.getKey() != AccessClass.MERGE)
        .mapToLong(entry -> entry.getValue())
        .sum();
  }

  private static void readWarm(Tree tree, int value) {
    for (int i : WARM) {
      byte[] found = tree.get(key(i));
      assertThat(found).hasSize(VALUE_BYTES);
      assertThat(found[0]).isEqualTo((byte) value);
    }
  }

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .logSegmentBytes(256 << 10)
        .logMaxBytes(8 << 20)
        .build();
  }

  @Test
  void aReaderThatDoesNotFillTheCacheLeavesNoTrace() {
    try (Simulation sim = Simulation.seeded(8)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              tree.put(key(1), new byte[VALUE_BYTES]);
              assertThat(tree.get(key(1), ReadOptions.WITHOUT_CACHE_FILL)).hasSize(VALUE_BYTES);
              engine.flush();
              assertThat(engine.statistics().cache().frames()).isZero();
            }
          });
    }
  }

  @Test
  void whatWasReadInMemoryIsReadFromMemoryAfterAFlushAndAfterAMerge() {
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              for (int value = 1; value <= 2; value++) {
                for (int i = 0; i < KEYS; i++) {
                  byte[] bytes = new byte[VALUE_BYTES];
                  bytes[0] = (byte) value;
                  tree.put(key(i), bytes);
                }
                readWarm(tree, value);
                engine.flush();
                readWarm(tree, value);
                assertThat(misses(engine)).as("after flush %d", value).isZero();
                // Twice, since a page used but once is not worth a place in the next file.
                readWarm(tree, value);
              }
              tree.compact();
              assertThat(engine.statistics().work().merges()).isPositive();
              readWarm(tree, 2);
              assertThat(misses(engine)).as("after a merge").isZero();
              tree.get(key(250));
              assertThat(misses(engine)).as("after a key that nobody read").isEqualTo(1);
            }
          });
    }
  }
}
