package org.loam.common.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulated time, and who runs next: any thread that can, each as likely. Time jumps to the next
 * timer when nobody can. Guarded by the baton.
 */
final class Schedule {
  /** A step of a thread takes up to so much simulated time. */
  private static final int STEP_NANOS = 1_000;

  /** The mean number of steps between two switches is drawn from 2^1 to 2^6 for each life. */
  private static final int MAX_SWITCH_SHIFT = 6;

  /**
   * A client that waits so long, in simulated time, while timers tick is taken for hanging; so are
   * clients that take twice as long together, since they ask again and again in vain.
   */
  private static final long HANG_NANOS = 3_600_000_000_000L;

  private final SimRandom random;
  private final SimThread main;
  private final List<SimThread> threads = new ArrayList<>();
  private final int switchPeriod;
  private int stepsUntilSwitch;
  private long nowNanos;

  Schedule(SimRandom random, SimThread main, long nowNanos) {
    this.random = random;
    this.main = main;
    this.nowNanos = nowNanos;
    this.switchPeriod = 2 << random.below(MAX_SWITCH_SHIFT);
    threads.add(main);
    drawSwitch();
  }

  /** The threads that have not ended, in the order they started; the main thread is first. */
  List<SimThread> threads() {
    return threads;
  }

  long nowNanos() {
    return nowNanos;
  }

  void pass(long nanos) {
    nowNanos += nanos;
  }

  /** When a wait that starts now ends; {@code Long.MAX_VALUE} for never. */
  long deadline(long nanos) {
    return nanos > Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + nanos;
  }

  /** Counts a step, which takes a little time. */
  void step() {
    nowNanos += 1 + random.below(STEP_NANOS);
    stepsUntilSwitch--;
  }

  /** Whether it is time to let somebody else run. */
  boolean switchIsDue() {
    if (stepsUntilSwitch > 0) {
      return false;
    }
    drawSwitch();
    return true;
  }

  private void drawSwitch() {
    stepsUntilSwitch = 1 + random.below(2 * switchPeriod);
  }

  /** A thread that can run now, not {@code except} if another can; null if there is none. */
  @Nullable SimThread next(@Nullable SimThread except) {
    int runnable = 0;
    for (SimThread thread : threads) {
      if (thread != except && thread.isRunnable(nowNanos)) {
        runnable++;
      }
    }
    if (runnable == 0) {
      return main.state == SimThread.State.IDLE ? main : except;
    }
    int left = random.below(runnable);
    for (SimThread thread : threads) {
      if (thread != except && thread.isRunnable(nowNanos) && left-- == 0) {
        return thread;
      }
    }
    throw new AssertionError("fewer runnable threads than counted");
  }

  /** Lets time jump to the next timer; false if there is none. */
  boolean jump() {
    long next = Long.MAX_VALUE;
    for (SimThread thread : threads) {
      if (thread.wakeAtNanos > nowNanos) {
        next = Math.min(next, thread.wakeAtNanos);
      }
    }
    if (next == Long.MAX_VALUE) {
      return false;
    }
    nowNanos = next;
    return true;
  }

  /**
   * A client that has waited without limit for longer than anything takes, or the main thread if it
   * has waited for its clients twice as long; null if none has.
   */
  @Nullable SimThread hanging() {
    for (SimThread thread : threads) {
      boolean waits =
          thread.state == SimThread.State.WAITING || thread.state == SimThread.State.BLOCKED;
      if (thread.client
          && waits
          && thread.wakeAtNanos == Long.MAX_VALUE
          && nowNanos - thread.sinceNanos > HANG_NANOS) {
        return thread;
      }
    }
    boolean clientsRun = main.state == SimThread.State.JOINING;
    return clientsRun && nowNanos - main.sinceNanos > 2 * HANG_NANOS ? main : null;
  }
}
