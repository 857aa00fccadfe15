package org.loam.common.sim;

import org.jspecify.annotations.Nullable;

/**
 * A thread runs until it waits or ends; then the next one in the order of their starts does. Every
 * seed has this schedule.
 */
final class TurnsChoice implements ThreadChoice {
  /** The thread that got the last turn. */
  private int lastId;

  @Override
  public boolean switchIsDue(SimThread running, Threads threads) {
    return false;
  }

  @Override
  public boolean switchIsDueAtAccess(SimThread running, Threads threads) {
    return false;
  }

  @Override
  public @Nullable SimThread next(Threads threads, @Nullable SimThread except) {
    SimThread first = null;
    for (int i = 0; i < threads.count(); i++) {
      SimThread thread = threads.at(i);
      if (thread != except && threads.isRunnable(thread)) {
        if (thread.id() > lastId) {
          lastId = thread.id();
          return thread;
        }
        first = first == null ? thread : first;
      }
    }
    lastId = first == null ? lastId : first.id();
    return first;
  }

  @Override
  public void spins(SimThread running) {}
}
