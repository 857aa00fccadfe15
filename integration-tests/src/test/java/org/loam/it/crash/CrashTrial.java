package org.loam.it.crash;

import java.util.function.LongConsumer;
import org.loam.common.config.WriteScheme;

/** One seed of the crash simulation, for callers that know it by name only. */
public class CrashTrial implements LongConsumer {
  static final int LIVES = 6;

  /** Runs a seed; throws what {@link CrashRun#run} throws. */
  @Override
  public void accept(long seed) {
    new CrashRun(seed, LIVES, false).run();
  }

  /** Counts only the seeds whose write memory is divided into ranges. */
  public static final class Ranges extends CrashTrial {
    @Override
    public void accept(long number) {
      super.accept(CrashRun.seedOf(WriteScheme.RANGES, number));
    }
  }

  /** Counts only the seeds whose write memory has levels. */
  public static final class Levels extends CrashTrial {
    @Override
    public void accept(long number) {
      super.accept(CrashRun.seedOf(WriteScheme.LEVELS, number));
    }
  }
}
