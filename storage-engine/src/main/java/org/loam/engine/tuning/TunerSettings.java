package org.loam.engine.tuning;

import java.util.List;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteShares;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.tuner.PolicyKind;
import org.loam.tuner.TunerOptions;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.Weights;

/** What a configuration says to the tuner. */
public final class TunerSettings {
  private static final long SECOND_NANOS = 1_000_000_000;

  /** A request of 16 KiB takes 80 µs, and one of fifteen times as much 130. */
  private static final CostModel.Line MISSES = new CostModel.Line(76_000, 0.22);

  /** Flushes and merges read and write chunks of about 1 MiB, with about 1 GB/s. */
  private static final CostModel.Line STREAMS = new CostModel.Line(100_000, 1);

  private static final long STREAM_BYTES = 1 << 20;

  private TunerSettings() {}

  /** Time that requests of the disk cost until they are measured. */
  static CostModel costs() {
    return new CostModel(CostModel.Unit.NANOS, MISSES, STREAMS, STREAMS, STREAM_BYTES);
  }

  /**
   * The options of a configuration.
   *
   * @param poolBytes write memory and buffer cache together
   * @param leastWriteBytes write memory is never smaller
   */
  static TunerOptions options(EngineConfig config, long poolBytes, long leastWriteBytes) {
    TunerConfig tuner = config.tuner();
    TunerOptions defaults = TunerOptions.defaults(poolBytes, config.log().maxBytes());
    long write = orElse(tuner.bounds().leastWriteBytes(), defaults.bounds().leastWriteBytes());
    long cache = orElse(tuner.bounds().leastCacheBytes(), defaults.bounds().leastCacheBytes());
    long leastCache = (long) MemoryArbiter.MIN_CACHE_PAGES * config.memory().pageBytes();
    return new TunerOptions(
        tuner.mode(),
        switch (tuner.policy()) {
          case PAPER -> PolicyKind.PAPER;
          case CURVE -> PolicyKind.CURVE;
        },
        switch (tuner.cost()) {
          case TIME -> CostModel.Unit.NANOS;
          case PAGES -> CostModel.Unit.PAGES;
        },
        new TunerOptions.Bounds(Math.max(leastWriteBytes, write), Math.max(leastCache, cache)),
        new Weights(tuner.weights().writes(), tuner.weights().reads()),
        new TunerOptions.Cycle(
            orElse(tuner.cycle().bytes(), defaults.cycle().bytes()),
            tuner.cycle().seconds() * SECOND_NANOS));
  }

  private static long orElse(long bytes, long otherwise) {
    return bytes == 0 ? otherwise : bytes;
  }

  /**
   * Refuses bounds that do not fit, with {@link #options} and its parameters.
   *
   * @throws IllegalArgumentException with all that is wrong
   */
  public static void require(EngineConfig config, long poolBytes, long leastWriteBytes) {
    TunerOptions options = options(config, poolBytes, leastWriteBytes);
    List<String> problems = options.problems(poolBytes);
    if (options.mode() == TunerMode.ADAPTIVE) {
      int pageBytes = config.memory().pageBytes();
      long leastBytes = options.bounds().leastWriteBytes();
      WriteShares.problem(config.write(), pageBytes, "tuner.leastWriteBytes", leastBytes)
          .ifPresent(problems::add);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
  }
}
