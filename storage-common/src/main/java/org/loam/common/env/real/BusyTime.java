package org.loam.common.env.real;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Processor time of a process, divided by the number of processors. That number may change while
 * the process runs: a container is given more of them, for example. What was used before counts by
 * the number of then, so that the time never falls. Thread-safe.
 */
final class BusyTime {
  @GuardedBy("this")
  private long usedNanos;

  @GuardedBy("this")
  private long busyNanos;

  /**
   * The time until now.
   *
   * @param usedNow processor time of the process; one that is less than before, or not known, adds
   *     nothing
   */
  synchronized long until(long usedNow, int processors) {
    if (usedNow > usedNanos) {
      busyNanos += (usedNow - usedNanos) / processors;
      usedNanos = usedNow;
    }
    return busyNanos;
  }
}
