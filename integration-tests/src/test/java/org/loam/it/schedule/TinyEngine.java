package org.loam.it.schedule;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;
import org.loam.engine.Engine;
import org.loam.engine.OpenOptions;
import org.loam.engine.host.HostLog;

/** A whole engine with the smallest memory, fresh in each schedule. */
final class TinyEngine {
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  /** Large ones: what an engine does at its start for each page of its memory takes time. */
  private static final int PAGE_BYTES = 32 << 10;

  private @Nullable Engine engine;

  private TinyEngine() {}

  /** Its log has no length, so that nothing is to be flushed; all LSNs are the engine's. */
  private static final class SilentHost implements HostLog {
    @Override
    public long endLsn() {
      return 1;
    }

    @Override
    public long lengthBytes() {
      return 0;
    }

    @Override
    public void flushWanted(String tree) {}

    @Override
    public void fenced(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  /**
   * Opens it, in a client so that a schedule that fails leaks no memory. The database is a SYNC one
   * in half of the schedules, a PROCESS one in the others.
   */
  static Engine open(Simulation sim) {
    return open(sim, OpenOptions.DEFAULT);
  }

  /** Opens it below the log of a host, which has nothing to say. */
  static Engine openHosted(Simulation sim) {
    return open(sim, OpenOptions.DEFAULT.withHostLog(new SilentHost()));
  }

  private static Engine open(Simulation sim, OpenOptions options) {
    TinyEngine tiny = new TinyEngine();
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .pageBytes(PAGE_BYTES)
            .durability(coin(sim, 0) ? Durability.SYNC : Durability.PROCESS)
            .writeInitialBytes(512 << 10)
            .logSegmentBytes(64 << 10)
            .logMaxBytes(128 << 10)
            .sstableBytes(64 << 10)
            .l0MinMerge(2)
            .mergeThreads(1)
            .build();
    sim.run(
        () ->
            undisturbed(
                () -> tiny.engine = Engine.open(sim.env(), sim.directory(), config, options)));
    return Objects.requireNonNull(tiny.engine);
  }

  /** Heads or tails, for each schedule and number another one. */
  static boolean coin(Simulation sim, int number) {
    return (sim.seed() * GOLDEN_RATIO << number) < 0;
  }

  /** A number from 0 to below a bound; 0 for seed 0, for each schedule another one. */
  static int below(Simulation sim, int bound) {
    return (int) ((sim.seed() * GOLDEN_RATIO >>> 33) % bound);
  }

  /** Does what comes before the race, which no switch at an access is to be spent on. */
  static void undisturbed(Runnable preparation) {
    SwitchPoints.hold();
    try {
      preparation.run();
    } finally {
      SwitchPoints.release();
    }
  }
}
