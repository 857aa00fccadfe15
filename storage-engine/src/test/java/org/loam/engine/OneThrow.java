package org.loam.engine;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.Waiter;

/**
 * Throws once, in the body of one background thread: where it waits for the n-th time. Every one
 * waits in its loop. What it waits for inside of a read fails only that read, and does not count.
 */
final class OneThrow {
  private final String thread;
  private final Throwable thrown;
  private int turnsLeft;

  /**
   * @param thread how its name begins
   * @param turn from 1
   * @param thrown an unchecked one
   */
  OneThrow(String thread, int turn, Throwable thrown) {
    this.thread = thread;
    this.turnsLeft = turn;
    this.thrown = thrown;
  }

  boolean hasHappened() {
    return turnsLeft <= 0;
  }

  StorageEnv in(StorageEnv env) {
    return new StorageEnv(env.files(), env.clock(), over(env.waiter()), env.tasks(), env.random());
  }

  private Waiter over(Waiter waiter) {
    return new Waiter() {
      @Override
      public Monitor newMonitor(String name) {
        Monitor monitor = waiter.newMonitor(name);
        return name.startsWith("page reads") ? monitor : over(monitor);
      }

      @Override
      public void pause(long nanos) {
        waiter.pause(nanos);
      }

      @Override
      public void spin() {
        waiter.spin();
      }
    };
  }

  private Monitor over(Monitor monitor) {
    return new Monitor() {
      @Override
      public void lock() {
        monitor.lock();
      }

      @Override
      public boolean tryLock() {
        return monitor.tryLock();
      }

      @Override
      public boolean tryLock(long time, TimeUnit unit) {
        return monitor.tryLock(time, unit);
      }

      @Override
      public void unlock() {
        monitor.unlock();
      }

      @Override
      public boolean isHeldByCurrentThread() {
        return monitor.isHeldByCurrentThread();
      }

      @Override
      public void await() {
        strike();
        monitor.await();
      }

      @Override
      public long await(long nanos) {
        strike();
        return monitor.await(nanos);
      }

      @Override
      public void signalAll() {
        monitor.signalAll();
      }
    };
  }

  private void strike() {
    if (Thread.currentThread().getName().startsWith(thread) && --turnsLeft == 0) {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }
  }

  /** Whether a failure is the one that was thrown, or was made of it. */
  boolean isCauseOf(@Nullable Throwable failure) {
    return failure != null && (failure == thrown || isCauseOf(failure.getCause()));
  }
}
