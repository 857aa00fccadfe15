package org.loam.common.env;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A reentrant lock with one condition. Thread-safe. Use as
 *
 * <pre>{@code
 * monitor.lock();
 * try {
 *   while (!ready) {
 *     monitor.await();
 *   }
 * } finally {
 *   monitor.unlock();
 * }
 * }</pre>
 *
 * <p>It is a {@link Lock} so that the compiler checks {@code @GuardedBy}; the check sees this form
 * only, with the monitor named as the annotation names it.
 */
public interface Monitor extends Lock {
  /** Takes the lock, unless that takes longer; the wait ignores interrupts. */
  @Override
  boolean tryLock(long time, TimeUnit unit);

  /** Releases the lock; the caller must hold it. */
  @Override
  void unlock();

  boolean isHeldByCurrentThread();

  /** Releases the lock, waits for a signal (or, rarely, for nothing), takes the lock again. */
  void await();

  /**
   * Like {@link #await()} with a limit.
   *
   * @return the nanoseconds that were left, zero or less when the limit passed
   */
  long await(long nanos);

  /** Wakes all waiters; the caller must hold the lock. */
  void signalAll();

  /** Not supported: waits ignore interrupts. */
  @Override
  default void lockInterruptibly() {
    throw new UnsupportedOperationException("a monitor's waits ignore interrupts");
  }

  /** Not supported: a monitor is its only condition. */
  @Override
  default Condition newCondition() {
    throw new UnsupportedOperationException("a monitor has one condition, which is itself");
  }
}
