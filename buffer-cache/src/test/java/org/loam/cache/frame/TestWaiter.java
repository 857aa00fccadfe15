package org.loam.cache.frame;

import java.util.concurrent.atomic.AtomicInteger;
import org.loam.common.env.HookedWaiter;
import org.loam.common.env.real.RealEnv;

/** Real monitors that count their waiters, and pauses that take no time but can do something. */
final class TestWaiter extends HookedWaiter {
  /** Waits for a signal so far. */
  final AtomicInteger awaits = new AtomicInteger();

  volatile Runnable onPause = () -> {};

  TestWaiter() {
    super(RealEnv.create().waiter());
  }

  @Override
  protected void awaiting(String monitor) {
    awaits.incrementAndGet();
  }

  @Override
  public void pause(long nanos) {
    onPause.run();
    spin();
  }
}
