package org.loam.lsm;

/** Reads what scans go on to, on threads of its own. Thread-safe. */
@FunctionalInterface
public interface BackgroundReads {
  /**
   * Has something read soon.
   *
   * @param read run once, on another thread
   * @return false if it is never run
   */
  boolean begin(Runnable read);
}
