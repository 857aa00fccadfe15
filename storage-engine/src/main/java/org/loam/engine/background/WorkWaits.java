package org.loam.engine.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.engine.commit.CommitLatch;

/** The waits of threads for flushes and merges, and the faults that end them. Thread-safe. */
final class WorkWaits {
  private final CommitLatch latch;

  /**
   * Signalled after everything that can end a wait: an operation that ended, a dropped tree, a
   * fence, the close. What a wait looks at changes before the signal, or the wait would miss it.
   */
  private final Monitor ended;

  @GuardedBy("ended")
  private boolean stopped;

  private final Faults flushFaults = new Faults();

  private final Faults mergeFaults = new Faults();

  /** What went wrong with one kind of operation. */
  private final class Faults {
    @GuardedBy("ended")
    private long count;

    @GuardedBy("ended")
    private @Nullable StorageException last;

    void add(StorageException fault) {
      ended.lock();
      try {
        count++;
        last = fault;
        ended.signalAll();
      } finally {
        ended.unlock();
      }
    }

    long count() {
      ended.lock();
      try {
        return count;
      } finally {
        ended.unlock();
      }
    }

    void await(BooleanSupplier done, long before) {
      ended.lock();
      try {
        while (!done.getAsBoolean()) {
          throwSince(before);
          requireRunning();
          ended.await();
        }
      } finally {
        ended.unlock();
      }
    }

    @GuardedBy("ended")
    private void throwSince(long before) {
      StorageException fault = last;
      if (count > before && fault != null) {
        throw fault;
      }
    }
  }

  WorkWaits(Waiter waiter, CommitLatch latch) {
    this.latch = latch;
    this.ended = waiter.newMonitor("background progress");
  }

  /**
   * Waits for flushes.
   *
   * @param done whether the wait is over; asked under the monitor
   * @throws StorageException the fault of a flush that failed meanwhile, a fence, or the close
   */
  void awaitFlushes(BooleanSupplier done) {
    flushFaults.await(done, flushFaults.count());
  }

  /**
   * Waits for merges, as {@link #awaitFlushes} does for flushes.
   *
   * @param faults of {@link #mergeFaults} before they were asked for: a later one ends the wait
   */
  void awaitMerges(BooleanSupplier done, long faults) {
    mergeFaults.await(done, faults);
  }

  /** How many merges have failed. */
  long mergeFaults() {
    return mergeFaults.count();
  }

  @GuardedBy("ended")
  private void requireRunning() {
    if (latch.isFenced()) {
      latch.requireNotFenced();
      throw new FencedException("the engine is fenced; what is in memory stays in the log");
    }
    if (stopped) {
      throw new ClosedException("the engine was closed");
    }
  }

  /** A wait may be over. */
  void signal() {
    ended.lock();
    try {
      ended.signalAll();
    } finally {
      ended.unlock();
    }
  }

  /** A flush or a merge has failed: ends the waits for such work. */
  void failed(boolean isFlush, StorageException cause) {
    (isFlush ? flushFaults : mergeFaults).add(cause);
  }

  /** The engine is closed: ends all waits. */
  void stop() {
    ended.lock();
    try {
      stopped = true;
      ended.signalAll();
    } finally {
      ended.unlock();
    }
  }
}
