package org.loam.common.mem;

import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/** Lets real threads pass the time in a spin loop; makes no monitors and never pauses. */
final class SpinWaiter implements Waiter {
  @Override
  public Monitor newMonitor(String name) {
    throw new UnsupportedOperationException(name);
  }

  @Override
  public void pause(long nanos) {
    throw new UnsupportedOperationException(nanos + " ns");
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // gives the processor to the thread that is waited for
  public void spin() {
    Thread.yield();
  }
}
