package org.loam.it.golden;

import java.nio.file.Path;
import java.util.List;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.Waiter;
import org.loam.common.env.real.RealEnv;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;

/**
 * Makes a database whose write memory was flushed in parts when it crashes: with RANGES some ranges
 * of keys, with LEVELS some runs of the memory levels. {@link AtRest#requirePartlyFlushed} says
 * what that means on disk.
 *
 * <p>Before the next batch all flushes have ended, and merges in memory have not advanced between
 * two looks. So memory is as full at each batch on a slow machine as on a fast one, and no table is
 * half written at the end. Which runs a flush takes may still follow from the threads a little;
 * that some stay behind does not.
 */
final class PartialFlushes {
  /** The last batch: about twice the write memory is written after the load. */
  static final int LAST = GoldenContent.LOADED + 70;

  /** For the sake of a shorter log all that is old would be flushed: only memory is short. */
  private static final long LONG_LOG_BYTES = 4 << 20;

  /** L0 takes all of it without a merge. */
  private static final int LEVEL_RATIO = 20;

  /** Between two looks. */
  private static final long LOOK_NANOS = 10_000_000;

  private static final int PATIENCE = 6000;

  private PartialFlushes() {}

  /** Writes all batches, and leaves the engine open. */
  static Engine make(Path directory, WriteScheme scheme) {
    EngineConfig config =
        GoldenMain.settings(scheme).logMaxBytes(LONG_LOG_BYTES).levelRatio(LEVEL_RATIO).build();
    Engine engine = Engine.open(directory, config);
    GoldenContent.TREES.forEach(engine::createTree);
    Waiter waiter = RealEnv.create().waiter();
    for (int number = 1; number <= LAST; number++) {
      engine.write(GoldenContent.batch(engine, number));
      awaitRest(engine, waiter);
    }
    requireLevels(engine, scheme);
    return engine;
  }

  private static void awaitRest(Engine engine, Waiter waiter) {
    long before = -1;
    for (int i = 0; i < PATIENCE; i++) {
      EngineStatistics now = engine.statistics();
      long merged = mergedInMemoryBytes(now.trees());
      boolean isAnyLeaving = now.memory().writeUse().leavingBytes() > 0;
      if (merged == before && !isAnyLeaving && now.work().openMerges() == 0) {
        return;
      }
      before = merged;
      waiter.pause(LOOK_NANOS);
    }
    throw new AssertionError("flushes and merges do not end: " + engine.statistics());
  }

  private static long mergedInMemoryBytes(List<TreeStatistics> trees) {
    return trees.stream().mapToLong(TreeStatistics::mergedInMemoryBytes).sum();
  }

  /** Without merges in memory there would be no level below what took the writes. */
  private static void requireLevels(Engine engine, WriteScheme scheme) {
    long merged = mergedInMemoryBytes(engine.statistics().trees());
    if (scheme == WriteScheme.LEVELS && merged == 0) {
      throw new AssertionError("nothing was merged in memory: " + engine.statistics());
    }
  }
}
