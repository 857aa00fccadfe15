package org.loam.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;

/**
 * One thread forces the log for all waiting threads. A thread that comes while a force runs waits
 * for the next force, because the running one may have begun before the bytes of this thread were
 * there. So groups form by themselves under load.
 *
 * <p>A force that fails raises the fence and is never repeated: the operating system may have
 * dropped the bytes and would report success. Thread-safe.
 */
final class GroupCommit {
  private final StorageEnv env;
  private final LiveSegments live;
  private final SegmentSlots slots;
  private final LogFence fence;
  private final LogProgress progress;

  /** Wakes the committing thread only, or every new waiter would wake all the others. */
  private final Monitor requests;

  private final Monitor results;

  @GuardedBy("requests")
  private long requestedLsn;

  @GuardedBy("requests")
  private boolean stopping;

  @GuardedBy("results")
  private boolean stopped;

  /** By the committing thread. */
  private volatile long lastGroupBytes;

  GroupCommit(
      StorageEnv env, LiveSegments live, SegmentSlots slots, LogFence fence, LogProgress progress) {
    this.env = env;
    this.live = live;
    this.slots = slots;
    this.fence = fence;
    this.progress = progress;
    requests = env.waiter().newMonitor("log force requests");
    results = env.waiter().newMonitor("log force results");
  }

  /** Asks for a force up to an end LSN, without waiting for it. */
  void request(long endLsn) {
    requests.lock();
    try {
      if (endLsn > requestedLsn) {
        requestedLsn = endLsn;
        requests.signalAll();
      }
    } finally {
      requests.unlock();
    }
  }

  /** See {@link CommitLog#awaitDurable}. */
  boolean await(long endLsn, long deadlineNanos) {
    if (progress.durableLsn() >= endLsn) {
      return true;
    }
    request(endLsn);
    results.lock();
    try {
      while (progress.durableLsn() < endLsn) {
        fence.check();
        if (stopped) {
          throw new ClosedException("the log was closed before LSN " + endLsn + " was forced");
        }
        if (deadlineNanos == Long.MAX_VALUE) {
          results.await();
          continue;
        }
        long left = deadlineNanos - env.clock().nanoTime();
        if (left <= 0) {
          return false;
        }
        results.await(left);
      }
      return true;
    } finally {
      results.unlock();
    }
  }

  /** The committing thread: forces until {@link #stop} or a fence. */
  void run() {
    try {
      while (awaitRequest()) {
        forceGroup();
      }
    } catch (RuntimeException | InternalError e) {
      // An InternalError is how the JVM reports a page of the mapping that could not be read.
      fence.raise(e);
    } catch (Error e) {
      fence.raise(e);
      throw e;
    } finally {
      end();
    }
  }

  private boolean awaitRequest() {
    requests.lock();
    try {
      while (!stopping && !fence.isRaised() && requestedLsn <= progress.durableLsn()) {
        requests.await();
      }
      return !stopping && !fence.isRaised();
    } finally {
      requests.unlock();
    }
  }

  private void forceGroup() {
    // The end first: the segments listed after that hold everything before it.
    long endLsn = progress.endLsn();
    List<LogSegment> segments = live.unforced();
    for (LogSegment segment : segments) {
      segment.force();
    }
    lastGroupBytes = endLsn - progress.durableLsn();
    progress.forced(endLsn);
    wake();
    // All but the last were full when they were forced.
    for (LogSegment segment : segments.subList(0, segments.size() - 1)) {
      slots.addFree(live.retire(segment));
    }
  }

  /** What the last force made durable; 0 before the first. */
  long lastGroupBytes() {
    return lastGroupBytes;
  }

  /** Wakes the waiting threads and the committing thread: each checks progress and fence again. */
  void wake() {
    results.lock();
    try {
      results.signalAll();
    } finally {
      results.unlock();
    }
    requests.lock();
    try {
      requests.signalAll();
    } finally {
      requests.unlock();
    }
  }

  /** Asks the committing thread to end. */
  void stop() {
    requests.lock();
    try {
      stopping = true;
      requests.signalAll();
    } finally {
      requests.unlock();
    }
  }

  private void end() {
    results.lock();
    try {
      stopped = true;
      results.signalAll();
    } finally {
      results.unlock();
    }
    slots.wake();
  }
}
