package org.loam.common.env;

/** Elapsed time. Thread-safe; never goes backwards; has no relation to the calendar. */
@FunctionalInterface
public interface NanoClock {
  /** Nanoseconds since an arbitrary origin. */
  long nanoTime();
}
