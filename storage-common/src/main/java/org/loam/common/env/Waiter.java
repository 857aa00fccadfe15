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

  /** Called in every turn of a spin loop, so that whoever is waited for can run. */
  void spin();
}
