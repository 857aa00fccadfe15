package org.loam.it.crash;

import java.util.function.LongConsumer;

/** One seed of the crash simulation, for callers that know it by name only. */
public final class CrashTrial implements LongConsumer {
  static final int LIVES = 6;

  /** Runs a seed; throws what {@link CrashRun#run} throws. */
  @Override
  public void accept(long seed) {
    new CrashRun(seed, LIVES, false).run();
  }
}
