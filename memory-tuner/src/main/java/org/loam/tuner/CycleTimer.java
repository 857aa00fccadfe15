package org.loam.tuner;

import org.loam.tuner.cost.Require;

/**
 * When a cycle of the tuner ends: when the log has grown by its length, or after a time
 * (MemoryWalls §5.4); or when queries have read as much from the disk, so that readers alone, after
 * a load for instance, need not wait for the time. Has one thread.
 */
public final class CycleTimer {
  private Progress began;
  private long beganAtNanos;

  /**
   * What has been moved since the engine was opened.
   *
   * @param logBytes that were appended to the log
   * @param readBytes that queries read from the disk
   */
  public record Progress(long logBytes, long readBytes) {}

  /** A first cycle begins. */
  public CycleTimer(Progress now, long nowNanos) {
    this.began = now;
    this.beganAtNanos = nowNanos;
  }

  /**
   * Whether the cycle has ended. If so, {@link #restart} begins the next one.
   *
   * @param cycleBytes growth of the log, or bytes that queries read, that end it
   * @param cycleNanos time that ends it
   */
  public boolean isDue(Progress now, long nowNanos, long cycleBytes, long cycleNanos) {
    Require.atLeast("cycleBytes", cycleBytes, 1);
    Require.atLeast("cycleNanos", cycleNanos, 1);
    return now.logBytes - began.logBytes >= cycleBytes
        || now.readBytes - began.readBytes >= cycleBytes
        || nowNanos - beganAtNanos >= cycleNanos;
  }

  /** The next cycle begins. */
  public void restart(Progress now, long nowNanos) {
    began = now;
    beganAtNanos = nowNanos;
  }
}
