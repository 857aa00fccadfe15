package org.loam.common.env.real;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.TaskRunner;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.error.InUseException;

/**
 * A thread that looks after a lock at equal intervals until the lock is closed or lost. A look that
 * fails in another way is repeated at the next interval, whatever it threw. Thread-safe.
 */
final class LockWatch {
  private static final Logger LOGGER = LogManager.getLogger(LockWatch.class);

  private final String title;
  private final long intervalMillis;
  private final Look look;
  private final Consumer<InUseException> lost;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Task task;

  /** One look after the lock. */
  interface Look {
    /**
     * Makes sure that the lock is still held.
     *
     * @throws InUseException if it is lost for good
     */
    void look() throws IOException;
  }

  /**
   * @param title of the lock, for the program's log
   * @param lost takes the loss; called until it returns
   */
  LockWatch(String title, long intervalMillis, Look look, Consumer<InUseException> lost) {
    this.title = title;
    this.intervalMillis = intervalMillis;
    this.look = look;
    this.lost = lost;
  }

  void start(TaskRunner tasks) {
    task = tasks.start("loam-lock", this::run);
  }

  private void run() {
    while (awaitLook()) {
      try {
        look.look();
      } catch (InUseException e) {
        LOGGER.error("{}", e.getMessage());
        tell(e);
        return;
      } catch (IOException | RuntimeException | Error e) {
        LOGGER.warn("cannot look after {}, trying again", title, e);
      }
    }
  }

  /** Waits for the time of the next look; false if the lock was closed. */
  private boolean awaitLook() {
    try {
      return !closed.await(intervalMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Only this class knows the thread. A look too many does no harm.
      return true;
    }
  }

  /** A listener that throws is asked again: nothing else would fence the engine at once. */
  private void tell(InUseException cause) {
    do {
      try {
        lost.accept(cause);
        return;
      } catch (RuntimeException | Error e) {
        LOGGER.error("{} is lost, and its listener failed; telling it again", title, e);
      }
    } while (awaitLook());
  }

  /** Lets the thread end; it may look once more. */
  void stop() {
    closed.countDown();
  }

  /** Waits until the thread has ended, after {@link #stop}. */
  void join() {
    Task running = task;
    if (running != null) {
      running.join();
    }
  }
}
