package org.loam.common.env.real;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Forces on behalf of threads that other code may interrupt. An interrupt in the middle of a force
 * makes Java close the channel and hides what the operating system answered. What is durable would
 * then be unknown, and the force must not be repeated. So such a thread lets a new thread force,
 * which no other code can reach. Threads of {@link RealTasks} are safe and force themselves.
 */
final class ForceThread {
  private ForceThread() {}

  /** A force. */
  interface Force {
    void run() throws IOException;
  }

  /** A thread that only the engine knows. */
  static final class OwnThread extends Thread {
    OwnThread(Runnable body, String name) {
      super(body, name);
      setDaemon(true);
    }
  }

  /** Forces, on this thread or on a new one; returns when the force has ended. */
  static void run(Force force) throws IOException {
    if (Thread.currentThread() instanceof OwnThread) {
      force.run();
      return;
    }
    Result result = new Result();
    new RealTasks().start("loam-force", () -> result.failure = failureOf(force)).join();
    rethrow(result.failure);
  }

  /** One thread writes it; the other thread reads it after the first has ended. */
  private static final class Result {
    @Nullable Throwable failure;
  }

  private static @Nullable Throwable failureOf(Force force) {
    try {
      force.run();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  private static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }
}
