package org.loam.common.env.real;

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
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = Thread.interrupted();
    try {
      long left = nanos;
      while (true) {
        try {
          return condition.awaitNanos(left);
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
