package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Simulation;

/**
 * Where keys nearly grow, each flush overlaps the one before: L0 is a chain of tables, with more
 * groups than a merge can read at once. What stops writers is to be merged away there, too.
 */
@Tag("once")
class ChainedTablesTest {
  private static final int TABLES = 70;
  private static final int ROWS = 100;
  private static final WriteOptions SOON = WriteOptions.DEFAULT.within(Duration.ofMinutes(1));

  /** Other trees may be written to all the time: what is merged while it is quiet says nothing. */
  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(1 << 20)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(16 << 20)
          .levelRatio(2)
          .mergesWhenQuiet(false)
          .tunerMode(TunerMode.FROZEN)
          .build();

  private static void put(Tree tree, int key, int valueBytes) {
    tree.put(String.format("key%06d", key).getBytes(UTF_8), new byte[valueBytes], SOON);
  }

  /** Adds a table that shares its first key with the table before. */
  private static void addLink(Tree tree, int link, int valueBytes) {
    for (int row = 0; row <= ROWS; row++) {
      put(tree, link * ROWS + row, valueBytes);
    }
    tree.flush();
  }

  @Test
  void aChainWithTooManyBytesIsMerged() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree tree = engine.createTree("t");
              for (int link = 0; link < 2 * TABLES; link++) {
                addLink(tree, link, 600);
              }
              assertThat(engine.statistics().work().merges()).isPositive();
            }
          });
    }
  }

  @Test
  void aChainThatIsTooDeepAtItsEndIsMerged() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree tree = engine.createTree("t");
              for (int link = 0; link < TABLES; link++) {
                addLink(tree, link, 10);
              }
              for (int i = 0; i < TABLES; i++) {
                put(tree, TABLES * ROWS, 10);
                tree.flush();
              }
              assertThat(engine.statistics().work().merges()).isPositive();
            }
          });
    }
  }
}
