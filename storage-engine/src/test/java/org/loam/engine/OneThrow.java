package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.env.HookedWaiter;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.Waiter;

/**
 * Throws once, in the body of one background thread: where it waits for the n-th time. Every one
 * waits in its loop. What it waits for inside of a read fails only that read, and does not count.
 */
final class OneThrow {
  private final String thread;
  private final Throwable thrown;
  private int turnsLeft;

  /**
   * @param thread how its name begins
   * @param turn from 1
   * @param thrown an unchecked one
   */
  OneThrow(String thread, int turn, Throwable thrown) {
    this.thread = thread;
    this.turnsLeft = turn;
    this.thrown = thrown;
  }

  boolean hasHappened() {
    return turnsLeft <= 0;
  }

  StorageEnv in(StorageEnv env) {
    Waiter striking =
        new HookedWaiter(env.waiter()) {
          @Override
          protected void awaiting(String monitor) {
            if (!monitor.startsWith("page reads")) {
              strike();
            }
          }
        };
    return new StorageEnv(env.files(), env.clock(), striking, env.tasks(), env.random());
  }

  private void strike() {
    if (Thread.currentThread().getName().startsWith(thread) && --turnsLeft == 0) {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }
  }

  /** Whether a failure is the one that was thrown, or was made of it. */
  boolean isCauseOf(@Nullable Throwable failure) {
    return failure != null && (failure == thrown || isCauseOf(failure.getCause()));
  }
}
