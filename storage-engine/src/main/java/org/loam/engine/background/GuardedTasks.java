package org.loam.engine.background;

import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;

/**
 * Starts the threads of one engine. None ends unnoticed: what escapes a body fences the engine,
 * because no other thread does its work. Thread-safe.
 */
public final class GuardedTasks implements TaskRunner {
  private static final Logger LOGGER = LogManager.getLogger(GuardedTasks.class);

  private final TaskRunner tasks;
  private final Monitor monitor;

  private volatile Consumer<Throwable> fence = cause -> {};

  /** Written under the monitor. */
  private volatile @Nullable Throwable first;

  /**
   * @param env what the threads are started with
   */
  public GuardedTasks(StorageEnv env) {
    this.tasks = env.tasks();
    this.monitor = env.waiter().newMonitor("broken tasks");
  }

  /** An environment that starts its tasks here. */
  public StorageEnv in(StorageEnv env) {
    return new StorageEnv(env.files(), env.clock(), env.waiter(), this, env.random());
  }

  /** Sets what fences the engine; if a thread has ended before, at once, and perhaps twice. */
  public void onBroken(Consumer<Throwable> told) {
    fence = told;
    Throwable before = first;
    if (before != null) {
      told.accept(before);
    }
  }

  @Override
  public Task start(String name, Runnable body) {
    return tasks.start(
        name,
        () -> {
          try {
            body.run();
          } catch (Throwable t) {
            broken(name, t);
          }
        });
  }

  private void broken(String name, Throwable cause) {
    monitor.lock();
    try {
      first = first == null ? cause : first;
    } finally {
      monitor.unlock();
    }
    // Before the log is written to, which may fail for the same reason.
    fence.accept(cause);
    LOGGER.error("{} broke; the engine takes no more writes", name, cause);
  }
}
