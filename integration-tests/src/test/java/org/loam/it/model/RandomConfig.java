package org.loam.it.model;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.engine.Engine;

/** The configuration of a seed: small, so that little data meets flushes, merges and long logs. */
final class RandomConfig {
  private static final WriteScheme[] SCHEMES = WriteScheme.values();

  private RandomConfig() {}

  /** The seed of the operations: as many seeds as there are schemes have the same ones. */
  static long operationsOf(long seed) {
    return Math.floorDiv(seed, SCHEMES.length);
  }

  /** Until the engine is opened again. */
  static void changeScheme(Engine engine, RandomGenerator random) {
    engine.configure("write.scheme", SCHEMES[random.nextInt(SCHEMES.length)].name());
  }

  static EngineConfig of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EngineConfigBuilder builder =
        EngineConfig.builder()
            .memoryTotalBytes((64L << random.nextInt(2)) << 20)
            .pageBytes(4096 << random.nextInt(3))
            .durability(random.nextBoolean() ? Durability.SYNC : Durability.PROCESS)
            .writeScheme(SCHEMES[Math.floorMod(seed, SCHEMES.length)])
            .writeInitialBytes((512L << random.nextInt(2)) << 10)
            .flushThreshold(0.5 + random.nextDouble() * 0.4)
            .logSegmentBytes((64L << random.nextInt(3)) << 10)
            .logMaxBytes((512L << random.nextInt(2)) << 10)
            .sstableBytes((64L << random.nextInt(3)) << 10)
            .ioForceBytes(64 << 10)
            .l0MinMerge(2 + random.nextInt(4))
            .l0ScanFreeRatio((seed & 1) == 0 ? 1 : 2)
            .l0Stop(6 + random.nextInt(6))
            .levelRatio(2 + random.nextInt(9))
            .bloomBitsPerKey(random.nextInt(3) * 8)
            .flushThreads(1 + random.nextInt(2))
            .mergeThreads(1 + random.nextInt(2));
    // Where the tuner does not decide the size of write memory, a setting may.
    TunerMode mode = TunerMode.values()[random.nextInt(TunerMode.values().length)];
    builder
        .tunerMode(mode)
        .tunerCycleSeconds(1)
        .writeTargetBytes(mode == TunerMode.OBSERVE ? 2 << 20 : 0)
        .sizedForBytes(random.nextInt(3) == 0 ? (256L << random.nextInt(6)) << 10 : 0)
        // With the least there are soon several levels in memory.
        .levelsActiveBytes(random.nextInt(3) == 0 ? 0 : 16 << 10)
        .partialFlushRatio(random.nextInt(3) / 2.0);
    if (random.nextBoolean()) {
      // More than the log may have, so that what is flushed is flushed for its sake.
      builder.writeInitialBytes(4 << 20).logMaxBytes(512 << 10).logSegmentBytes(64 << 10);
    }
    return builder.build();
  }
}
