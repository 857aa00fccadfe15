package org.loam.common.env.real;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.loam.common.env.Monitor;

/** A reentrant lock with one condition whose waits ignore interrupts. */
final class RealMonitor implements Monitor {
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition condition = lock.newCondition();

  RealMonitor(String name) {
    this.name = name;
  }

  @Override
  public void lock() {
    lock.lock();
  }

  @Override
  public boolean tryLock() {
    return lock.tryLock();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    return uninterrupted(
            unit.toNanos(time), left -> lock.tryLock(left, TimeUnit.NANOSECONDS) ? 1 : 0)
        != 0;
  }

  @Override
  public void unlock() {
    lock.unlock();
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return lock.isHeldByCurrentThread();
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The caller loops, as the contract demands.
  public void await() {
    condition.awaitUninterruptibly();
  }

  @Override
  public long await(long nanos) {
    return uninterrupted(nanos, condition::awaitNanos);
  }

  /** A wait for as long as a number of nanoseconds. */
  private interface Wait {
    long upTo(long nanos) throws InterruptedException;
  }

  /** Waits although the thread is interrupted, and keeps that in mind. */
  private static long uninterrupted(long nanos, Wait wait) {
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = Thread.interrupted();
    try {
      long left = nanos;
      while (true) {
        try {
          return wait.upTo(left);
        } catch (InterruptedException e) {
          interrupted = true;
          left = deadline - System.nanoTime();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void signalAll() {
    condition.signalAll();
  }

  @Override
  public String toString() {
    return name + ": " + lock;
  }
}
