package org.loam.common.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): each thread has a random
 * priority, the highest that can run does, and at a few random switching points the running thread
 * falls below all others. A race that needs d such constraints shows with a probability of at least
 * 1 / (n k^(d-1)) in a run of n threads and k switching points, however unlikely its schedule is.
 * Points at which no other thread can run, as before a world has more than one, do not count.
 */
final class PriorityChoice implements ThreadChoice {
  private final SimRandom random;

  /** Switching points, counted from 1, at which the running thread falls; ascending. */
  private final long[] falls;

  private int fallen;
  private long points;
  private long lowest;

  /**
   * @param depth constraints on the schedule, at least 1: one more than the falls
   * @param expectedPoints switching points of a run, about
   */
  PriorityChoice(SimRandom random, int depth, long expectedPoints) {
    this.random = random;
    this.falls = new long[depth - 1];
    for (int i = 0; i < falls.length; i++) {
      falls[i] = 1 + Long.remainderUnsigned(random.nextLong(), Math.max(1, expectedPoints));
    }
    Arrays.sort(falls);
  }

  @Override
  public boolean switchIsDue(SimThread running, Threads threads) {
    if (next(threads, running) == null) {
      return false;
    }
    points++;
    while (fallen < falls.length && falls[fallen] <= points) {
      fallen++;
      fall(running);
    }
    for (int i = 0; i < threads.count(); i++) {
      SimThread other = threads.at(i);
      if (other != running && priority(other) > running.priority && threads.isRunnable(other)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean switchIsDueAtAccess(SimThread running, Threads threads) {
    return switchIsDue(running, threads);
  }

  @Override
  public @Nullable SimThread next(Threads threads, @Nullable SimThread except) {
    SimThread highest = null;
    for (int i = 0; i < threads.count(); i++) {
      SimThread thread = threads.at(i);
      if (thread == except || !threads.isRunnable(thread)) {
        continue;
      }
      long priority = priority(thread);
      if (highest == null || priority > highest.priority) {
        highest = thread;
      }
    }
    return highest;
  }

  /** Otherwise a loop with a high priority would keep away what it waits for. */
  @Override
  public void spins(SimThread running) {
    fall(running);
  }

  private void fall(SimThread thread) {
    thread.priority = --lowest;
  }

  private long priority(SimThread thread) {
    if (thread.priority == 0) {
      thread.priority = 1 + (random.nextLong() >>> 1);
    }
    return thread.priority;
  }
}
