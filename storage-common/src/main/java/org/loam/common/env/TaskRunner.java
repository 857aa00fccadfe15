package org.loam.common.env;

/** Starts background threads. Thread-safe. */
public interface TaskRunner {
  /**
   * Runs {@code body} on a thread of its own.
   *
   * @param name the thread's name
   * @param body must return when asked to by its owner; a throwable that escapes it is reported to
   *     the thread's uncaught handler and ends the task
   */
  Task start(String name, Runnable body);

  /** A running thread. */
  interface Task {
    /** Waits until the body has returned. */
    void join();

    boolean isAlive();
  }
}
