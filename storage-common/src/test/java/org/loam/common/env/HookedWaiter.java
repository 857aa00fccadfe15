package org.loam.common.env;

import java.util.concurrent.TimeUnit;

/**
 * A waiter over another one that notices when its monitors are taken, tried, awaited and given
 * back, and may change how long they are awaited.
 */
public abstract class HookedWaiter implements Waiter {
  private final Waiter waiter;

  protected HookedWaiter(Waiter waiter) {
    this.waiter = waiter;
  }

  /** A thread is about to take a monitor, however long that takes. */
  protected void locking(String monitor) {}

  /** A thread is about to take a monitor if it is free. */
  protected void trying(String monitor) {}

  /** A thread is about to wait for a signal of a monitor. */
  protected void awaiting(String monitor) {}

  /** How long a thread waits at most for a signal of a monitor, for which it would wait so long. */
  protected long limit(String monitor, long nanos) {
    return nanos;
  }

  /** A thread has given a monitor back. */
  protected void givenBack(String monitor) {}

  @Override
  public Monitor newMonitor(String name) {
    return new Hooked(name, waiter.newMonitor(name));
  }

  @Override
  public void pause(long nanos) {
    waiter.pause(nanos);
  }

  @Override
  public void spin() {
    waiter.spin();
  }

  private final class Hooked implements Monitor {
    private final String name;
    private final Monitor monitor;

    Hooked(String name, Monitor monitor) {
      this.name = name;
      this.monitor = monitor;
    }

    @Override
    public void lock() {
      locking(name);
      monitor.lock();
    }

    @Override
    public boolean tryLock() {
      trying(name);
      return monitor.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
      return monitor.tryLock(time, unit);
    }

    @Override
    public void unlock() {
      monitor.unlock();
      givenBack(name);
    }

    @Override
    public boolean isHeldByCurrentThread() {
      return monitor.isHeldByCurrentThread();
    }

    @Override
    public void await() {
      awaiting(name);
      monitor.await();
    }

    @Override
    public long await(long nanos) {
      awaiting(name);
      return monitor.await(limit(name, nanos));
    }

    @Override
    public void signalAll() {
      monitor.signalAll();
    }
  }
}
