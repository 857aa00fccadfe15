package org.loam.common.env;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * A thread that begins when it is first woken, and ends when it is closed. What another thread did
 * before it called {@link #wake} is seen by the body after the {@link #await} that this ends, so no
 * wake-up is lost. Thread-safe.
 */
public final class WokenThread implements AutoCloseable {
  private final TaskRunner tasks;
  private final String name;
  private final Runnable body;
  private final Monitor monitor;

  @GuardedBy("monitor")
  private boolean woken;

  @GuardedBy("monitor")
  private TaskRunner.@Nullable Task thread;

  private volatile boolean closing;

  /**
   * A thread that has not begun.
   *
   * @param name of the thread
   * @param monitorName of the lock that guards its state
   * @param body works while {@link #await} says so, and runs once
   */
  public WokenThread(StorageEnv env, String name, String monitorName, Runnable body) {
    this.tasks = env.tasks();
    this.name = name;
    this.body = body;
    this.monitor = env.waiter().newMonitor(monitorName);
  }

  /** Has the body go on, on a new thread if there is none; nothing after {@link #close}. */
  public void wake() {
    monitor.lock();
    try {
      woken = true;
      if (thread == null && !closing) {
        thread = tasks.start(name, body);
      }
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Waits for a wake-up; for the body.
   *
   * @param nanos it goes on after so long without one
   * @return false if the body has to end
   */
  public boolean await(long nanos) {
    monitor.lock();
    try {
      long left = nanos;
      while (!woken && !closing && left > 0) {
        left = monitor.await(left);
      }
      woken = false;
      return !closing;
    } finally {
      monitor.unlock();
    }
  }

  /** Whether the body has to end; for work that takes long. */
  public boolean isClosing() {
    return closing;
  }

  /** Ends the thread, and waits until it has ended. Closing twice is harmless. */
  @Override
  public void close() {
    TaskRunner.Task ending;
    monitor.lock();
    try {
      closing = true;
      ending = thread;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
    if (ending != null) {
      ending.join();
    }
  }
}
