package org.loam.scheduler.run;

import java.util.function.Supplier;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;

/**
 * What all workers share: one monitor to wait on, a version that grows whenever there may be
 * something new to do, and the order to stop. Nothing outside of this package is called while the
 * monitor is held, except the rate limiter, the merge scheduler and the clock.
 */
final class WorkSignal {
  private final Monitor monitor;
  private final NanoClock clock;
  private long version;
  private boolean stopping;

  WorkSignal(StorageEnv env) {
    this.monitor = env.waiter().newMonitor("background workers");
    this.clock = env.clock();
  }

  /** Does something under the monitor. */
  void locked(Runnable action) {
    monitor.lock();
    try {
      action.run();
    } finally {
      monitor.unlock();
    }
  }

  /** Computes something under the monitor. */
  <T> T computeLocked(Supplier<T> action) {
    monitor.lock();
    try {
      return action.get();
    } finally {
      monitor.unlock();
    }
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
    locked(
        () -> {
          stopping = true;
          wakeAll();
        });
  }

  long nowNanos() {
    return clock.nanoTime();
  }

  // The rest is for holders of the monitor.

  long version() {
    return version;
  }

  boolean stopping() {
    return stopping;
  }

  /** There may be something new to do. */
  void changed() {
    version++;
    wakeAll();
  }

  void wakeAll() {
    monitor.signalAll();
  }

  void await() {
    monitor.await();
  }

  void await(long nanos) {
    monitor.await(nanos);
  }
}
