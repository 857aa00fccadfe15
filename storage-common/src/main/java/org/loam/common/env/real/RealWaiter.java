package org.loam.common.env.real;

import java.util.concurrent.locks.LockSupport;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/** Waiting by the operating system's means. */
final class RealWaiter implements Waiter {
  @Override
  public Monitor newMonitor(String name) {
    return new RealMonitor(name);
  }

  @Override
  public void pause(long nanos) {
    long deadline = System.nanoTime() + nanos;
    boolean interrupted = Thread.interrupted();
    long left = nanos;
    while (left > 0) {
      LockSupport.parkNanos(this, left);
      interrupted |= Thread.interrupted();
      left = deadline - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Yields: with few cores, the thread for which the caller waits may need this one. */
  @Override
  @SuppressWarnings("ThreadPriorityCheck")
  public void spin() {
    Thread.yield();
  }
}
