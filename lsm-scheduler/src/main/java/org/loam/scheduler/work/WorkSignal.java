package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;

/**
 * What all workers share: one monitor to wait on, a version that grows whenever there may be
 * something new to do, and the order to stop. Nothing outside of this package is called while the
 * monitor is held, except the rate limiter, the merge scheduler and the clock.
 */
final class WorkSignal {
  final Monitor monitor;
  private final NanoClock clock;

  @GuardedBy("monitor")
  private long version;

  @GuardedBy("monitor")
  private boolean stopping;

  @GuardedBy("monitor")
  private int flushes;

  WorkSignal(StorageEnv env) {
    this.monitor = env.waiter().newMonitor("background workers");
    this.clock = env.clock();
  }

  boolean isStopping() {
    monitor.lock();
    try {
      return stopping;
    } finally {
      monitor.unlock();
    }
  }

  void stop() {
    monitor.lock();
    try {
      stopping = true;
      wakeAll();
    } finally {
      monitor.unlock();
    }
  }

  long nowNanos() {
    return clock.nanoTime();
  }

  @GuardedBy("monitor")
  long version() {
    return version;
  }

  @GuardedBy("monitor")
  boolean stopping() {
    return stopping;
  }

  /** A flush has begun. */
  @GuardedBy("monitor")
  void flushBegun() {
    flushes++;
  }

  /** A flush has ended, in whatever way. */
  @GuardedBy("monitor")
  void flushEnded() {
    flushes--;
  }

  /** Whether a flush is on its way. */
  @GuardedBy("monitor")
  boolean isFlushing() {
    return flushes > 0;
  }

  /** There may be something new to do. */
  @GuardedBy("monitor")
  void changed() {
    version++;
    wakeAll();
  }

  @GuardedBy("monitor")
  void wakeAll() {
    monitor.signalAll();
  }

  @GuardedBy("monitor")
  void await() {
    monitor.await();
  }

  @GuardedBy("monitor")
  void await(long nanos) {
    monitor.await(nanos);
  }
}
