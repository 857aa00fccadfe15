package org.loam.it.schedule;

import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;

/**
 * Runs a world in one schedule after the other, each given by its seed. Worlds get from here what
 * differs between schedules, and the way to do what does not belong to the race.
 */
class ScheduleTrial implements LongConsumer {
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  private final Schedules schedules;

  ScheduleTrial(Consumer<Simulation> world) {
    this.schedules = new Schedules(world);
  }

  @Override
  public final void accept(long seed) {
    schedules.run(seed);
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
