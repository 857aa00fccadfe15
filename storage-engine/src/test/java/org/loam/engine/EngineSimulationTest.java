package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Simulation;

/** The engine runs in the simulation, and the same seed runs the same. */
class EngineSimulationTest {
  static EngineConfig config(Durability durability) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(durability)
        .writeInitialBytes(256 << 10)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(256 << 10)
        .sstableBytes(64 << 10)
        .l0MinMerge(2)
        .ioForceBytes(64 << 10)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static long run(long seed, Durability durability) {
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(() -> work(sim, seed, durability));
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config(durability))) {
              assertThat(engine.recovery().cleanlyClosed()).isTrue();
            }
          });
      return sim.traceHash();
    }
  }

  private static void work(Simulation sim, long seed, Durability durability) {
    Random random = new Random(seed);
    TreeMap<Integer, byte[]> model = new TreeMap<>();
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config(durability))) {
      Tree tree = engine.createTree("t");
      for (int i = 0; i < 3000; i++) {
        int k = random.nextInt(500);
        if (random.nextInt(5) == 0) {
          tree.delete(key(k));
          model.remove(k);
        } else {
          byte[] value = new byte[random.nextInt(400)];
          random.nextBytes(value);
          tree.put(key(k), value);
          model.put(k, value);
        }
        int probe = random.nextInt(500);
        assertThat(tree.get(key(probe))).isEqualTo(model.get(probe));
      }
      int count = 0;
      try (Cursor cursor = tree.scan(ScanOptions.all())) {
        for (int k : model.keySet()) {
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.key()).isEqualTo(key(k));
          assertThat(cursor.value()).isEqualTo(model.get(k));
          count++;
        }
        assertThat(cursor.next()).isFalse();
      }
      assertThat(count).isEqualTo(model.size());
      assertThat(engine.statistics().work().flushes()).isPositive();
      assertThat(engine.statistics().work().merges()).isPositive();
    }
  }

  @Test
  void oneSeedRunsTheSameTwice() {
    for (Durability durability : Durability.values()) {
      assertThat(run(7, durability)).isEqualTo(run(7, durability));
      assertThat(run(8, durability)).isNotEqualTo(run(7, durability));
    }
  }
}
