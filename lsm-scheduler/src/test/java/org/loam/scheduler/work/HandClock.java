package org.loam.scheduler.work;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.Waiter;
import org.loam.common.env.real.RealEnv;

/**
 * Time that passes only while its one thread waits, and then exactly as long as the wait takes.
 * What other threads would do meanwhile is done by the thread that waits, when the time has come.
 */
final class HandClock implements NanoClock, Waiter {
  private final TreeMap<Long, Runnable> events = new TreeMap<>();
  private long nowNanos;

  /** The outside world with this clock. */
  StorageEnv env() {
    StorageEnv real = RealEnv.create();
    return new StorageEnv(real.files(), this, this, real.tasks(), real.random());
  }

  /** Has something done when so much time has passed; one thing at a time. */
  void after(long nanos, Runnable event) {
    events.put(nowNanos + nanos, event);
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public void pause(long nanos) {
    long end = nowNanos + nanos;
    while (nowNanos < end) {
      advanceTo(end);
    }
  }

  @Override
  public void spin() {
    throw new AssertionError("spins for ever");
  }

  private void advanceTo(long endNanos) {
    Map.Entry<Long, Runnable> next = events.firstEntry();
    if (next == null || next.getKey() > endNanos) {
      nowNanos = endNanos;
      return;
    }
    events.remove(next.getKey());
    nowNanos = next.getKey();
    next.getValue().run();
  }

  @Override
  public Monitor newMonitor(String name) {
    return new OneThread(name);
  }

  private final class OneThread implements Monitor {
    private final String name;
    private boolean signalled;

    OneThread(String name) {
      this.name = name;
    }

    @Override
    public void lock() {}

    @Override
    public boolean tryLock() {
      return true;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
      return true;
    }

    @Override
    public void unlock() {}

    @Override
    public boolean isHeldByCurrentThread() {
      return true;
    }

    @Override
    public void await() {
      signalled = false;
      while (!signalled) {
        if (events.isEmpty()) {
          throw new AssertionError("waits for ever for " + name);
        }
        advanceTo(Long.MAX_VALUE);
      }
    }

    @Override
    public long await(long nanos) {
      long end = nowNanos + nanos;
      signalled = false;
      while (!signalled && nowNanos < end) {
        advanceTo(end);
      }
      return end - nowNanos;
    }

    @Override
    public void signalAll() {
      signalled = true;
    }
  }
}
