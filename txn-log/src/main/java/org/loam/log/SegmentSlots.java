package org.loam.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageException;
import org.loam.log.recover.SegmentFile;

/**
 * The segments that the log does not use: where the preparing thread, which makes segments ready,
 * meets the appending thread, which takes them, and the writers that wait for one. {@link
 * SegmentPreparer} does the work on files.
 *
 * <p>Thread-safe. No file is touched under the monitor; that of {@link LiveSegments} may be taken
 * under it, never the other way round.
 */
final class SegmentSlots {
  /**
   * What the preparing thread does next.
   *
   * @param surplus the file to delete; null if a segment is to be prepared
   */
  record Work(@Nullable Path surplus) {}

  private final StorageEnv env;
  private final int preparedSegments;
  private final LiveSegments live;
  private final LogFence fence;
  private final Monitor monitor;

  @GuardedBy("monitor")
  private final SegmentNumbers numbers;

  @GuardedBy("monitor")
  private final FreeSlots free;

  @GuardedBy("monitor")
  private final SegmentAttempts attempts;

  @GuardedBy("monitor")
  private final Deque<LogSegment> ready = new ArrayDeque<>();

  /** Whether the last attempt could not open a free file: the next one will hardly open it. */
  @GuardedBy("monitor")
  private boolean cannotOpen;

  @GuardedBy("monitor")
  private boolean stopping;

  /** Starts without files; {@code numbers} belongs to it from now on. */
  SegmentSlots(
      StorageEnv env, LogConfig config, LiveSegments live, LogFence fence, SegmentNumbers numbers) {
    this.env = env;
    this.live = live;
    this.fence = fence;
    this.numbers = numbers;
    preparedSegments = config.preparedSegments();
    free = new FreeSlots(config);
    attempts = new SegmentAttempts(config.retryNanos());
    monitor = env.waiter().newMonitor("log segment slots");
  }

  // ---- Files that hold nothing needed.

  /** Takes over files that hold nothing needed. */
  void adopt(List<SegmentFile> leftovers, List<Path> unfinished) {
    monitor.lock();
    try {
      for (SegmentFile file : leftovers) {
        free.add(file.path(), file.header(), file);
      }
      free.addUnwanted(unfinished);
    } finally {
      monitor.unlock();
    }
  }

  /** Gives the caller the files of which no segment can be made, to delete them. */
  List<Path> takeUnwanted() {
    monitor.lock();
    try {
      return free.takeUnwanted();
    } finally {
      monitor.unlock();
    }
  }

  /** Keeps so many files from now on; a writer that waits for room looks again. */
  void retain(int segments) {
    monitor.lock();
    try {
      free.retain(segments);
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Takes back segments that truncation freed. */
  void addFree(List<LogSegment> freed) {
    monitor.lock();
    try {
      for (LogSegment segment : freed) {
        free.add(segment.path(), segment.header(), null);
      }
      // Also when nothing was freed: the log may have become short enough for a waiting writer.
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  // ---- The appending side.

  /** The segment that comes next, or null if none is ready. */
  @Nullable LogSegment peekReady() {
    monitor.lock();
    try {
      return ready.peek();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Takes the segment that {@link #peekReady} showed, and wakes the writers that wait for room: by
   * now they can see that it is in use.
   */
  void takeReady() {
    monitor.lock();
    try {
      ready.remove();
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Waits until an append may succeed.
   *
   * @param hasRoom asked under the monitor; what makes it true is followed by a {@link #wake}
   * @return false if the deadline passed
   * @throws StorageException why no segment could be made, if an attempt failed meanwhile or only
   *     just before; the next call makes a new attempt
   */
  boolean awaitRoom(BooleanSupplier hasRoom, long deadlineNanos) {
    monitor.lock();
    try {
      long seen = attempts.seen();
      while (!hasRoom.getAsBoolean()) {
        requireRunning();
        long now = env.clock().nanoTime();
        if (attempts.fault() != null && ready.isEmpty() && !mayReuse()) {
          attempts.retry(seen, now);
          monitor.signalAll();
        }
        if (deadlineNanos == Long.MAX_VALUE) {
          monitor.await();
        } else if (deadlineNanos - now <= 0) {
          return false;
        } else {
          monitor.await(deadlineNanos - now);
        }
      }
      return true;
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private void requireRunning() {
    fence.check();
    if (stopping) {
      throw new ClosedException("the log was closed");
    }
  }

  // ---- The preparing side.

  /** Waits for the next work of the preparing thread; null if the thread is to end. */
  @Nullable Work awaitWork() {
    monitor.lock();
    try {
      while (!stopping && !fence.isRaised()) {
        if (wantsSegment()) {
          return new Work(null);
        }
        if (free.hasSurplus(live.count() + ready.size())) {
          return new Work(free.takeSurplus());
        }
        if (attempts.fault() == null) {
          monitor.await();
        } else {
          monitor.await(SegmentAttempts.IDLE_NANOS);
        }
      }
      return null;
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private boolean wantsSegment() {
    return ready.size() < preparedSegments
        && (mayReuse() || attempts.mayBegin(env.clock().nanoTime()));
  }

  /** Whether there is a free file that no attempt has failed with. */
  @GuardedBy("monitor")
  private boolean mayReuse() {
    return !free.isEmpty() && !cannotOpen;
  }

  /** Begins an attempt to prepare a segment: of a free file, or else of a new one. */
  SegmentPlace beginAttempt() {
    monitor.lock();
    try {
      attempts.begin();
      cannotOpen = false;
      return SegmentPlace.next(free, numbers);
    } finally {
      monitor.unlock();
    }
  }

  /** Takes back, in an attempt that fails, the free file that it could not open. */
  void putBack(FreeSlots.Slot slot) {
    monitor.lock();
    try {
      free.putBack(slot);
      cannotOpen = true;
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Ends the attempt.
   *
   * @param fault null if it succeeded; otherwise the fault, which writers that wait for room get
   */
  void endAttempt(@Nullable StorageException fault) {
    long now = env.clock().nanoTime();
    monitor.lock();
    try {
      attempts.end(fault, now);
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Why the last attempt failed; null if it succeeded. */
  @Nullable StorageException fault() {
    monitor.lock();
    try {
      return attempts.fault();
    } finally {
      monitor.unlock();
    }
  }

  /** Lets the appending thread take a segment. */
  void addReady(LogSegment segment) {
    monitor.lock();
    try {
      ready.add(segment);
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  // ---- The end.

  /** Wakes the waiting writers and the preparing thread: each looks again at room and fence. */
  void wake() {
    monitor.lock();
    try {
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Asks the preparing thread to end. */
  void stop() {
    monitor.lock();
    try {
      stopping = true;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Releases the segments that were prepared in vain; after the preparing thread has ended. */
  void release() {
    monitor.lock();
    try {
      ready.forEach(LogSegment::release);
      ready.clear();
    } finally {
      monitor.unlock();
    }
  }
}
