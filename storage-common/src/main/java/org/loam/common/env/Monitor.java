package org.loam.common.env;

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
 */
public interface Monitor {
  void lock();

  boolean tryLock();

  /** Releases the lock; the caller must hold it. */
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
}
