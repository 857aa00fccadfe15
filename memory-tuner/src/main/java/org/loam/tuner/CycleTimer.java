package org.loam.tuner;

import org.loam.tuner.cost.Require;

/**
 * When a cycle of the tuner ends: when the log has grown by its length, or after a time
 * (MemoryWalls §5.4). Has one thread.
 */
public final class CycleTimer {
  private long beganAtNanos;
  private long beganAtLogBytes;

  /**
   * A first cycle begins.
   *
   * @param logBytes bytes ever appended to the log
   */
  public CycleTimer(long logBytes, long nowNanos) {
    restart(logBytes, nowNanos);
  }

  /**
   * Whether the cycle has ended. If so, {@link #restart} begins the next one.
   *
   * @param cycleLogBytes growth of the log that ends it
   * @param cycleNanos time that ends it
   */
  public boolean isDue(long logBytes, long nowNanos, long cycleLogBytes, long cycleNanos) {
    Require.atLeast("cycleLogBytes", cycleLogBytes, 1);
    Require.atLeast("cycleNanos", cycleNanos, 1);
    return logBytes - beganAtLogBytes >= cycleLogBytes || nowNanos - beganAtNanos >= cycleNanos;
  }

  /** The next cycle begins. */
  public void restart(long logBytes, long nowNanos) {
    beganAtNanos = nowNanos;
    beganAtLogBytes = logBytes;
  }
}
