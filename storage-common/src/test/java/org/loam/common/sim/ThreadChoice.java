package org.loam.common.sim;

import org.jspecify.annotations.Nullable;

/** Which thread runs next, and when another one gets a turn. Guarded by the baton. */
interface ThreadChoice {
  /** Whether another thread gets a turn at this switching point of the running one. */
  boolean switchIsDue(SimThread running, Threads threads);

  /** The same at an access to memory that threads share; see {@link SwitchPoints}. */
  boolean switchIsDueAtAccess(SimThread running, Threads threads);

  /**
   * A thread that can run now.
   *
   * @param except not this one if another can
   * @return null if there is none
   */
  @Nullable SimThread next(Threads threads, @Nullable SimThread except);

  /** The running thread waits in a spin loop for another one. */
  void spins(SimThread running);

  /** The threads that have not ended, in the order they started. */
  interface Threads {
    int count();

    SimThread at(int index);

    boolean isRunnable(SimThread thread);
  }
}
