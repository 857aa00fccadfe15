package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.L0;

/** L0 of a tree is merged where scans come, and may be deeper where none comes. */
class ScannedTreeTest {
  private static final long MILLISECOND = 1_000_000;
  private static final int KEYS = 10;

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(1 << 20)
        .writeScheme(WriteScheme.DYNAMIC)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(16 << 20)
        .l0MinMerge(2)
        .l0ScanFreeRatio(2)
        .mergesWhenQuiet(false)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) i};
  }

  private static void flushAll(Tree tree) {
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), new byte[1000]);
    }
    tree.flush();
  }

  private static void scan(Tree tree) {
    try (Cursor cursor = tree.scan(ScanOptions.all().from(key(3)))) {
      assertThat(cursor.next()).isTrue();
      assertThat(cursor.key()).isEqualTo(key(3));
    }
  }

  /** Two seconds in which writes come, too few to be flushed, and scans after each of them. */
  private static void trickle(Simulation sim, Tree tree, int scans) {
    for (int i = 0; i < 20; i++) {
      tree.put(key(0), new byte[1]);
      for (int s = 0; s < scans; s++) {
        scan(tree);
      }
      sim.env().waiter().pause(100 * MILLISECOND);
    }
  }

  private static L0 l0(Engine engine) {
    return engine.statistics().trees().get(0).l0();
  }

  @Test
  void scansBringTheMergeThatL0WaitedFor() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              for (int i = 0; i < 3; i++) {
                flushAll(tree);
              }
              trickle(sim, tree, 0);
              assertThat(l0(engine)).isEqualTo(new L0(3, 4));
              assertThat(engine.statistics().work().merges()).isZero();
              trickle(sim, tree, 10);
              assertThat(engine.statistics().work().merges()).isPositive();
              assertThat(l0(engine)).isEqualTo(new L0(0, 2));
            }
          });
    }
  }

  @Test
  void withoutScansTheDepthGrowsAgain() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              flushAll(tree);
              trickle(sim, tree, 10);
              flushAll(tree);
              assertThat(l0(engine).due()).isEqualTo(2);
              for (int i = 0; i < 2_000; i++) {
                tree.put(key(i), new byte[10_000]);
              }
              flushAll(tree);
              assertThat(l0(engine).due()).isEqualTo(4);
            }
          });
    }
  }
}
