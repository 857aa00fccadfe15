package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.cache.AccessClass;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.tuning.CycleSampler;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.ReadClass;

/** Reads of values that are too large for the cache are counted, and not as misses of it. */
@Tag("once")
@ExtendWith(QuietLog.class)
class LargeValueReadsTest {
  private static final int PAGE_BYTES = 4096;
  private static final int VALUE_BYTES = 1 << 20;
  private static final byte[] KEY = "key".getBytes(UTF_8);

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(PAGE_BYTES)
          .durability(Durability.PROCESS)
          .writeInitialBytes(16 << 20)
          .tunerMode(TunerMode.FROZEN)
          .build();

  private static long missed(Engine engine, AccessClass access) {
    return engine.statistics().cache().misses().getOrDefault(access, 0L);
  }

  @Test
  void theyAreInTheStatisticsAndNotInTheSamplesOfTheTuner() {
    try (Simulation sim = Simulation.seeded(1)) {
      TunedEngines.inEngine(
          sim,
          CONFIG,
          engine -> {
            Tree tree = engine.createTree("t");
            tree.put(KEY, new byte[VALUE_BYTES]);
            tree.flush();
            tree.get(KEY);
            OpenEngine open = engine.open();
            open.tuner().sources().watches().begin();
            CycleSampler sampler = new CycleSampler(open.tuner().sources());
            long before = missed(engine, AccessClass.LARGE_VALUE);
            tree.get(KEY);
            assertThat(missed(engine, AccessClass.LARGE_VALUE) - before)
                .as("pages of the value; three of them are read twice, it is copied in four pieces")
                .isBetween(VALUE_BYTES / PAGE_BYTES * 1L, VALUE_BYTES / PAGE_BYTES + 6L);
            CycleSample sample = sampler.endCycle(CONFIG.log().maxBytes());
            assertThat(sample.reads(ReadClass.QUERY).pins()).as("of its leaf").isEqualTo(1);
            for (ReadClass readClass : ReadClass.values()) {
              assertThat(sample.reads(readClass).missedPages()).as("%s", readClass).isZero();
            }
            assertThat(sample.times().missNanos()).isZero();
          });
    }
  }
}
