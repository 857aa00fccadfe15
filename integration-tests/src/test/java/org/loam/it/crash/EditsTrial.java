package org.loam.it.crash;

import java.util.function.LongConsumer;
import org.loam.common.sim.Simulation;

/** One seed of {@link EditsRun}, for callers that know it by name only. */
public final class EditsTrial implements LongConsumer {
  @Override
  public void accept(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      new EditsRun(sim).run();
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed + ": " + t.getMessage(), t);
    }
  }
}
