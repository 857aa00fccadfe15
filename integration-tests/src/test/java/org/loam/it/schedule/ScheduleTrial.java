package org.loam.it.schedule;

import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Runs a world in one schedule after the other, each given by its seed. */
class ScheduleTrial implements LongConsumer {
  private final Schedules schedules;

  ScheduleTrial(Consumer<Simulation> world) {
    this.schedules = new Schedules(world);
  }

  @Override
  public final void accept(long seed) {
    schedules.run(seed);
  }
}
