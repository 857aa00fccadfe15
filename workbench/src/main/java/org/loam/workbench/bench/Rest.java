package org.loam.workbench.bench;

import java.time.Duration;
import java.util.ArrayDeque;
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

  private Rest() {}

  /**
   * Whether the engine came to rest; false if it was still busy after five minutes.
   *
   * @param quietMillis how long it must be quiet; 0 does not wait
   */
  public static boolean await(Measured engine, long quietMillis) {
    long quietNanos = Duration.ofMillis(quietMillis).toNanos();
    long deadline = System.nanoTime() + LIMIT.toNanos();
    // What was used up at the end of each of the last steps.
    ArrayDeque<ProcessUsage> past = new ArrayDeque<>();
    past.add(ProcessUsage.now(engine));
    while (quietNanos > 0) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(quietNanos / STEPS);
      ProcessUsage now = ProcessUsage.now(engine);
      ProcessUsage used = now.since(past.getFirst());
      if (past.size() == STEPS) {
        if (used.engineBytes() == 0 && used.cpuNanos() < quietNanos / 20) {
          return true;
        }
        past.removeFirst();
      }
      past.add(now);
    }
    return true;
  }
}
