package org.loam.common.env;

/**
 * The one seam through which a thread waits. A lock that may be held while the thread does I/O,
 * waits or reads the clock must be a {@link Monitor} made here; a plain lock may guard only a few
 * instructions that call nothing of the environment. Thread-safe.
 *
 * <p>Waits ignore thread interrupts and leave the interrupt flag as they found it.
 */
public interface Waiter {
  /**
   * Makes a lock with one condition.
   *
   * @param name what it guards, for thread dumps and deadlock reports
   */
  Monitor newMonitor(String name);

  /** Waits for about the given time. */
  void pause(long nanos);

  /** A spin loop calls this in every turn, so that the thread for which it waits can run. */
  void spin();
}
