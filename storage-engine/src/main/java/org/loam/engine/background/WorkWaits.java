package org.loam.engine.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageException;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.WorkListener;

/** The waits of threads for flushes and merges, and the faults that end them. Thread-safe. */
final class WorkWaits {
  private final Runnable requireNotFenced;

  /**
   * Signalled after everything that can end a wait: an operation that ended, a dropped tree, a
   * fence, the close. What a wait looks at changes before the signal, or the wait would miss it.
   */
  private final Monitor ended;

  @GuardedBy("ended")
  private boolean stopped;

  /** With their faults. */
  @GuardedBy("ended")
  private final List<Wait> open = new ArrayList<>();

  /**
   * @param requireNotFenced throws after a fence, since no work ends any more
   */
  WorkWaits(Waiter waiter, Runnable requireNotFenced) {
    this.requireNotFenced = requireNotFenced;
    this.ended = waiter.newMonitor("background progress");
  }

  /** A wait; the faults of such work of its trees end it. */
  private static final class Wait {
    private final boolean isForFlushes;

    /** The tree whose work it waits for, or {@link WorkListener#ALL_TREES}. */
    private final int treeId;

    /** The number of the data directory that the tree is in. */
    private final int directory;

    private @Nullable StorageException fault;

    private Wait(boolean isForFlushes, int treeId, int directory) {
      this.isForFlushes = isForFlushes;
      this.treeId = treeId;
      this.directory = directory;
    }
  }

  /**
   * Waits for flushes. The fault of a flush ends the wait for a tree that it {@linkplain
   * BackgroundOperation#keepsBack keeps back}.
   *
   * @param treeId of the tree that is waited for, or {@link WorkListener#ALL_TREES}
   * @param directory number of the data directory that the tree is in
   * @param done whether the wait is over; asked under the monitor
   * @throws StorageException the fault of a flush that failed meanwhile, a fence, or the close
   */
  void awaitFlushes(int treeId, int directory, BooleanSupplier done) {
    await(new Wait(true, treeId, directory), () -> {}, done);
  }

  /**
   * Asks for merges of a tree, and waits for them as {@link #awaitFlushes} does for flushes. Damage
   * in another tree does not end the wait.
   *
   * @param request asks for them: a fault that comes after it is not missed
   */
  void awaitMerges(int treeId, Runnable request, BooleanSupplier done) {
    await(new Wait(false, treeId, 0), request, done);
  }

  private void await(Wait wait, Runnable request, BooleanSupplier done) {
    begin(wait);
    try {
      request.run();
      awaitEnd(wait, done);
    } finally {
      end(wait);
    }
  }

  private void begin(Wait wait) {
    ended.lock();
    try {
      open.add(wait);
    } finally {
      ended.unlock();
    }
  }

  private void end(Wait wait) {
    ended.lock();
    try {
      open.remove(wait);
    } finally {
      ended.unlock();
    }
  }

  private void awaitEnd(Wait wait, BooleanSupplier done) {
    ended.lock();
    try {
      while (!done.getAsBoolean()) {
        StorageException fault = wait.fault;
        if (fault != null) {
          throw fault;
        }
        requireRunning();
        ended.await();
      }
    } finally {
      ended.unlock();
    }
  }

  @GuardedBy("ended")
  private void requireRunning() {
    requireNotFenced.run();
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

  /** A flush has failed: ends the waits for flushes of all trees, and of those it keeps back. */
  void flushFailed(BackgroundOperation flush, StorageException cause) {
    endAll(
        wait ->
            wait.isForFlushes
                && (wait.treeId == WorkListener.ALL_TREES
                    || flush.keepsBack(wait.treeId, wait.directory, cause)),
        cause);
  }

  /**
   * A merge has failed: ends the waits for merges.
   *
   * @param treeId of the tree whose merges alone it concerns, or {@link WorkListener#ALL_TREES}
   */
  void mergeFailed(StorageException cause, int treeId) {
    boolean isOfAll = treeId == WorkListener.ALL_TREES;
    endAll(wait -> !wait.isForFlushes && (isOfAll || treeId == wait.treeId), cause);
  }

  private void endAll(Predicate<Wait> concerned, StorageException cause) {
    ended.lock();
    try {
      open.stream().filter(concerned).forEach(wait -> wait.fault = cause);
      ended.signalAll();
    } finally {
      ended.unlock();
    }
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
