package org.loam.common.sim;

import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/** Waiting in simulated time. */
record SimWaiter(Baton baton) implements Waiter {
  @Override
  public Monitor newMonitor(String name) {
    return new SimMonitor(baton, name);
  }

  @Override
  public void pause(long nanos) {
    SimThread me = baton.step("pause", "", nanos, 0);
    me.wakeAtNanos = baton.deadline(Math.max(0, nanos));
    baton.block(me, SimThread.State.PAUSED);
  }

  @Override
  public void spin() {
    baton.spin();
  }
}
