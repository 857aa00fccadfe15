package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;

/** The limit of flushes and merges bounds what they do with the disk. */
@Tag("once")
@ExtendWith(QuietLog.class)
class FlushLimitTest {
  private static final int RECORDS = 3000;
  private static final long LIMIT = 1 << 20;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .logSegmentBytes(4 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .ioLimitBytesPerSecond(LIMIT)
          .build();

  /** What it reads in memory does not count: merges would have less of the limit. */
  @Test
  void aFlushTakesWhatItWrites() {
    try (Simulation sim = Simulation.seeded(1)) {
      TunedEngines.inEngine(
          sim,
          CONFIG,
          engine -> {
            Tree tree = engine.createTree("t");
            for (int i = 0; i < RECORDS; i++) {
              tree.put(TunedEngines.key(i), new byte[1000]);
            }
            long begin = sim.env().clock().nanoTime();
            tree.flush();
            double seconds = (sim.env().clock().nanoTime() - begin) / 1e9;
            long flushedBytes = engine.statistics().work().flushedBytes();
            assertThat(flushedBytes / seconds / LIMIT).isBetween(0.9, 1.1);
          });
    }
  }
}
