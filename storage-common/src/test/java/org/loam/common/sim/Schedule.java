package org.loam.common.sim;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulated time, and which threads can run. Time jumps to the next timer when none can. Guarded by
 * the baton.
 */
final class Schedule implements ThreadChoice.Threads {
  /** A step of a thread takes up to so much simulated time. */
  private static final int STEP_NANOS = 1_000;

  /**
   * A client that waits so long, in simulated time, while timers tick is taken for hanging; so are
   * clients that take twice as long together, since they ask again and again in vain.
   */
  private static final long HANG_NANOS = 3_600_000_000_000L;

  private final SimRandom random;
  private final SimThread main;
  private final List<SimThread> threads = new ArrayList<>();
  private final ThreadChoice choice;
  private long nowNanos;

  Schedule(SimRandom random, ThreadChoice choice, SimThread main, long nowNanos) {
    this.random = random;
    this.choice = choice;
    this.main = main;
    this.nowNanos = nowNanos;
    threads.add(main);
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

  /** Lets the time of a step pass. */
  void step() {
    nowNanos += 1 + random.below(STEP_NANOS);
  }

  /** Whether another thread could run. */
  boolean isChoice(SimThread running) {
    for (SimThread thread : threads) {
      if (thread != running && thread.isRunnable(nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is time to let another thread run. */
  boolean switchIsDue(SimThread running) {
    return choice.switchIsDue(running, this);
  }

  /** The same at an access to memory. */
  boolean switchIsDueAtAccess(SimThread running) {
    return choice.switchIsDueAtAccess(running, this);
  }

  /** The running thread waits in a spin loop. */
  void spins(SimThread running) {
    choice.spins(running);
  }

  /** A thread that can run now, not {@code except} if another can; null if there is none. */
  @Nullable SimThread next(@Nullable SimThread except) {
    SimThread next = choice.next(this, except);
    if (next == null) {
      return main.state == SimThread.State.IDLE ? main : except;
    }
    return next;
  }

  @Override
  public int count() {
    return threads.size();
  }

  @Override
  public SimThread at(int index) {
    return threads.get(index);
  }

  @Override
  public boolean isRunnable(SimThread thread) {
    return thread.isRunnable(nowNanos);
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
          switch (thread.state) {
            case BLOCKED, TRYING, WAITING -> true;
            default -> false;
          };
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
