package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Simulation;

/** What merges write of a load that fits into one SSTable. */
@Tag("once")
class RangesMergeTest {
  private static final int RECORDS = 120_000;
  private static final long REST_NANOS = 3_000_000_000L;

  /** Else each of the many small flushes is merged with all of the level below. */
  @Test
  void aPieceOfAFlushIsMergedWithAPieceOfALevel() {
    assertThat(mergedBytes(WriteScheme.RANGES)).isLessThan(mergedBytes(WriteScheme.DYNAMIC));
  }

  private static long mergedBytes(WriteScheme scheme) {
    long[] merged = new long[1];
    try (Simulation sim = Simulation.seeded(3)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config(scheme))) {
              Tree tree = engine.createTree("t");
              for (int i = 0; i < RECORDS; i++) {
                // A multiplication spreads ascending numbers over all keys.
                byte[] key = ByteBuffer.allocate(4).putInt(i * 0x9E3779B1).array();
                tree.put(key, new byte[100]);
              }
              engine.flush();
              do {
                merged[0] = engine.statistics().work().mergedBytes();
                sim.env().waiter().pause(REST_NANOS);
              } while (engine.statistics().work().mergedBytes() > merged[0]);
            }
          });
    }
    return merged[0];
  }

  private static EngineConfig config(WriteScheme scheme) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(16 << 20)
        .writeInitialBytes(1 << 20)
        .writeScheme(scheme)
        .build();
  }
}
