package org.loam.cache.frame;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.env.real.RealEnv;

/** Real monitors that count their waiters, and pauses that take no time but can do something. */
final class TestWaiter implements Waiter {
  private final Waiter real = RealEnv.create().waiter();

  /** Calls of {@link Monitor#await()} so far. */
  final AtomicInteger awaits = new AtomicInteger();

  volatile Runnable onPause = () -> {};

  @Override
  public Monitor newMonitor(String name) {
    Monitor monitor = real.newMonitor(name);
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
        awaits.incrementAndGet();
        monitor.await();
      }

      @Override
      public long await(long nanos) {
        throw new UnsupportedOperationException("nothing in the cache waits for a time");
      }

      @Override
      public void signalAll() {
        monitor.signalAll();
      }
    };
  }

  @Override
  public void pause(long nanos) {
    onPause.run();
    real.spin();
  }

  @Override
  public void spin() {
    real.spin();
  }
}
