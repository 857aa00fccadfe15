package org.loam.common.sim;

import java.util.List;
import org.loam.common.env.TaskRunner;

/** Background tasks as simulated threads. */
record SimTasks(Baton baton) implements TaskRunner {
  @Override
  public Task start(String name, Runnable body) {
    baton.step("start", name, 0, 0);
    return new SimTask(baton, baton.start(name, false, body));
  }

  private record SimTask(Baton baton, SimThread thread) implements Task {
    @Override
    public void join() {
      SimThread me = baton.step("join", thread.name(), 0, 0);
      me.joined = List.of(thread);
      baton.block(me, SimThread.State.JOINING);
    }

    @Override
    public boolean isAlive() {
      baton.step("isAlive", thread.name(), 0, 0);
      return thread.state != SimThread.State.ENDED;
    }
  }
}
