package org.loam.it.crash;

import java.util.function.LongConsumer;
import org.loam.common.sim.Simulation;

/** Seeds of {@link PopularKeysRun}, for callers that know it by name only. */
public final class PopularKeysTrial implements LongConsumer {
  private int flushes;
  private int flushesCutAtGaps;

  @Override
  public void accept(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      PopularKeysRun run = new PopularKeysRun(sim);
      run.run();
      flushes += run.flushes();
      flushesCutAtGaps += run.flushesCutAtGaps();
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
    }
  }

  /** Flushes of all seeds so far. */
  int flushes() {
    return flushes;
  }

  /** Of these, those that are in several tables only because their keys have a gap. */
  int flushesCutAtGaps() {
    return flushesCutAtGaps;
  }
}
