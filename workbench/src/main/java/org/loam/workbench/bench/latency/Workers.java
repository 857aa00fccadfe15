package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Threads of clients that end together; the first fault of one ends all. */
final class Workers {
  private static final long STEP_NANOS = 20_000_000;

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** What a client does until it should end. */
  interface Work {
    void run(Workers all) throws InterruptedException;
  }

  /**
   * Starts them.
   *
   * @param work of the client with this number
   */
  Workers(int count, IntFunction<Work> work) {
    for (int i = 0; i < count; i++) {
      Work own = work.apply(i);
      threads.add(new Thread(() -> guarded(own), "client " + i));
    }
    threads.forEach(Thread::start);
  }

  /** Whether a client failed, so that the others should end. */
  boolean hasFailed() {
    return failure.get() != null;
  }

  /** Whether all have ended. */
  boolean haveEnded() {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  /** Sleeps, but not much longer than the clients live. */
  void sleepUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime();
        left > 0 && !haveEnded();
        left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, STEP_NANOS));
    }
  }

  /** Waits for the end of all; throws what one of them threw. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
  }

  private void guarded(Work work) {
    try {
      work.run(this);
    } catch (InterruptedException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }
}
