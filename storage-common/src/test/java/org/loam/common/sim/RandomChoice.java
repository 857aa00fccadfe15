package org.loam.common.sim;

import org.jspecify.annotations.Nullable;

/** Any thread that can run, each as likely, after a random number of switching points. */
final class RandomChoice implements ThreadChoice {
  /** The mean number of steps between two switches is drawn from 2^1 to 2^6 for each life. */
  private static final int MAX_SWITCH_SHIFT = 6;

  /** There are so many times more accesses than steps, about. */
  private static final int ACCESSES_PER_STEP = 8;

  private final SimRandom random;
  private final int switchPeriod;
  private int stepsUntilSwitch;
  private int accessesUntilSwitch;

  RandomChoice(SimRandom random) {
    this.random = random;
    this.switchPeriod = 2 << random.below(MAX_SWITCH_SHIFT);
    drawSwitch();
  }

  @Override
  public boolean switchIsDue(SimThread running, Threads threads) {
    if (--stepsUntilSwitch > 0) {
      return false;
    }
    drawSwitch();
    return true;
  }

  @Override
  public boolean switchIsDueAtAccess(SimThread running, Threads threads) {
    if (--accessesUntilSwitch > 0) {
      return false;
    }
    accessesUntilSwitch = 1 + random.below(2 * ACCESSES_PER_STEP * switchPeriod);
    return true;
  }

  private void drawSwitch() {
    stepsUntilSwitch = 1 + random.below(2 * switchPeriod);
  }

  @Override
  public @Nullable SimThread next(Threads threads, @Nullable SimThread except) {
    int runnable = 0;
    for (int i = 0; i < threads.count(); i++) {
      if (threads.at(i) != except && threads.isRunnable(threads.at(i))) {
        runnable++;
      }
    }
    if (runnable == 0) {
      return null;
    }
    int left = random.below(runnable);
    for (int i = 0; i < threads.count(); i++) {
      SimThread thread = threads.at(i);
      if (thread != except && threads.isRunnable(thread) && left-- == 0) {
        return thread;
      }
    }
    throw new AssertionError("fewer runnable threads than counted");
  }

  @Override
  public void spins(SimThread running) {}
}
