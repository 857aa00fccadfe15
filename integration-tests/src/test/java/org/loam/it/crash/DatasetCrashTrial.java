package org.loam.it.crash;

import java.util.function.LongConsumer;

/** One seed of the crash simulation with datasets, for callers that know it by name only. */
public final class DatasetCrashTrial implements LongConsumer {
  /** Runs a seed; throws what {@link CrashRun#run} throws. */
  @Override
  public void accept(long seed) {
    new CrashRun(seed, CrashTrial.LIVES, true).run();
  }
}
