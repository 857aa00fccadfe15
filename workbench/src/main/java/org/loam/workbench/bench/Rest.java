package org.loam.workbench.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.loam.workbench.peer.Measured;

/**
 * Waits until an engine has nothing left to do, judged from outside and so alike for all: in a
 * second the process uses less than 5 % of one processor and writes nothing.
 */
public final class Rest {
  /** Longer than engines wait for a pause to tidy up in. */
  public static final Duration QUIET = Duration.ofSeconds(1);

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int STEPS = 10;

  /** Of the time of one processor, an idle process uses less than this part. */
  private static final int IDLE_PART = 20;

  private Rest() {}

  /**
   * Whether the engine came to rest; false if it was still busy after five minutes.
   *
   * @param quietMillis how long it must be quiet; 0 does not wait
   */
  public static boolean await(Measured engine, long quietMillis) {
    return await(engine, quietMillis, LIMIT);
  }

  /**
   * @param limit after which the answer is false
   */
  static boolean await(Measured engine, long quietMillis, Duration limit) {
    long quietNanos = Duration.ofMillis(quietMillis).toNanos();
    long deadline = System.nanoTime() + limit.toNanos();
    boolean rests = quietNanos == 0;
    while (!rests && System.nanoTime() - deadline < 0) {
      // Outside of the time that is looked at: with many trees the answer takes milliseconds.
      long bytes = engine.bytesWritten();
      rests = isIdle(quietNanos) && engine.bytesWritten() == bytes;
    }
    return rests;
  }

  /** Whether the process uses next to no processor for some time; false as soon as it does. */
  private static boolean isIdle(long quietNanos) {
    long mostNanos = ProcessUsage.processorNanos() + quietNanos / IDLE_PART;
    boolean isIdle = true;
    for (int step = 0; step < STEPS && isIdle; step++) {
      LockSupport.parkNanos(quietNanos / STEPS);
      isIdle = ProcessUsage.processorNanos() < mostNanos;
    }
    return isIdle;
  }
}
