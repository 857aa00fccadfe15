package org.loam.scheduler.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.scheduler.merge.TreeShape;

/**
 * Holds writers back: those of one tree while its component constraint is violated, those of a
 * dataset while an index is built. Thread-safe.
 *
 * <p>A writer passes before it takes any lock; passing an open gate is one volatile read.
 */
public final class WriteGate {
  /** A deadline that never comes. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  /** How often a writer that waits is asked whether it still may. */
  private static final long ASK_NANOS = 100_000_000;

  private final int treeId;
  private final NanoClock clock;
  private final Monitor monitor;
  private final StallLog stalls;
  private final WriteControl control;

  /** Written under the monitor. */
  private volatile @Nullable StallCause violation;

  @GuardedBy("monitor")
  private boolean released;

  /** An open gate. */
  public WriteGate(int treeId, StorageEnv env, StallLog stalls, WriteControl control) {
    this.treeId = treeId;
    this.clock = env.clock();
    this.monitor = env.waiter().newMonitor("write gate of tree " + treeId);
    this.stalls = stalls;
    this.control = control;
  }

  /**
   * Opens or shuts the gate; the tree calls this whenever its shape or its constraint has changed,
   * in the order of the changes.
   */
  public void update(ComponentConstraint constraint, TreeShape shape) {
    set(constraint.violation(shape));
  }

  /** Shuts the gate for a cause, or opens it if that is null. */
  public void set(@Nullable StallCause cause) {
    if (cause == violation) {
      return;
    }
    monitor.lock();
    try {
      violation = cause;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** What shuts the gate, such as the constraint that the tree violates; null if it is open. */
  public @Nullable StallCause violation() {
    return violation;
  }

  /**
   * Lets all writers through from now on: the engine is closing or fenced and refuses them itself.
   */
  public void release() {
    monitor.lock();
    try {
      released = true;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Waits until a write may go on. However long that takes, it is one stall.
   *
   * @param bytes size of the write
   * @param deadlineNanos when to give up, on the engine's clock, or {@link #NO_DEADLINE}
   * @param mayWait asked before the wait and now and then during it, under the gate's lock: what it
   *     throws ends the wait
   * @return false if the deadline passed
   */
  public boolean pass(long bytes, long deadlineNanos, Runnable mayWait) {
    if (control == WriteControl.STOP && violation == null) {
      return true;
    }
    return passSlowly(bytes, deadlineNanos, mayWait);
  }

  private boolean passSlowly(long bytes, long deadlineNanos, Runnable mayWait) {
    monitor.lock();
    try {
      StallCause cause = violation;
      long start = clock.nanoTime();
      long delay = released ? 0 : control.delayNanos(cause, bytes, start);
      if (delay <= 0) {
        return true;
      }
      mayWait.run();
      StallLog.Stall stall =
          stalls.begin(cause == null ? StallCause.WRITE_CONTROL : cause, treeId, start);
      long now = start;
      try {
        while (!released && delay > 0) {
          if (deadlineNanos != NO_DEADLINE && deadlineNanos - now <= 0) {
            return false;
          }
          await(delay, deadlineNanos == NO_DEADLINE ? Long.MAX_VALUE : deadlineNanos - now);
          long before = now;
          now = clock.nanoTime();
          delay =
              delay == WriteControl.UNTIL_RELIEVED
                  ? control.delayNanos(violation, bytes, now)
                  : delay - (now - before);
          mayWait.run();
        }
        return true;
      } finally {
        stall.end(now);
      }
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private void await(long delayNanos, long leftNanos) {
    monitor.await(Math.min(ASK_NANOS, Math.min(delayNanos, leftNanos)));
  }
}
