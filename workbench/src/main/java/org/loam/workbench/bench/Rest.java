package org.loam.workbench.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.loam.workbench.peer.Measured;

/**
 * Waits until an engine has nothing left to do, judged from outside and so alike for all: over ten
 * windows of 100 ms the process uses less than 5 % of one processor and writes nothing.
 */
final class Rest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration WINDOW = Duration.ofMillis(100);
  private static final int WINDOWS = 10;

  private Rest() {}

  /** Whether the engine came to rest; false if it was still busy after five minutes. */
  static boolean await(Measured engine) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    int quiet = 0;
    ProcessUsage before = ProcessUsage.now(engine);
    while (quiet < WINDOWS) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(WINDOW.toNanos());
      ProcessUsage now = ProcessUsage.now(engine);
      ProcessUsage used = now.since(before);
      boolean isQuiet = used.engineBytes() == 0 && used.cpuNanos() < WINDOW.toNanos() / 20;
      quiet = isQuiet ? quiet + 1 : 0;
      before = now;
    }
    return true;
  }
}
