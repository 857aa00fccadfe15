package org.loam.common.env;

/**
 * Elapsed time, and processor time where it is known. Thread-safe; never goes backwards; has no
 * relation to the calendar.
 */
@FunctionalInterface
public interface NanoClock {
  /** Nanoseconds since an arbitrary origin. */
  long nanoTime();

  /** Processor time of the calling thread; 0 if it is not known. */
  default long threadNanos() {
    return 0;
  }

  /**
   * Processor time of the process, divided by the number of processors, so that it grows as fast as
   * {@link #nanoTime} while all of them are busy; 0 if it is not known.
   */
  default long busyNanos() {
    return 0;
  }
}
