package org.loam.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentLink;
import org.loam.log.recover.SegmentFile;

/**
 * The segment files that hold nothing needed: free ones, and those prepared for the next frames. A
 * background thread makes ready ones out of free or new ones; the appending thread takes them.
 *
 * <p>LSNs, sequence numbers and slots given to an attempt are never given again, even if it failed:
 * what it may have left on disk can then not be mistaken for anything.
 *
 * <p>Thread-safe. No file is touched under the monitor; that of {@link LiveSegments} may be taken
 * under it, never the other way round.
 */
final class SegmentSlots {
  private static final Logger LOGGER = LogManager.getLogger(SegmentSlots.class);
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  /**
   * A file of the configured size that may be overwritten.
   *
   * @param found as found at the start; null if this life of the log has written its header
   */
  private record FreeSlot(int slot, Path path, @Nullable SegmentFile found) {}

  /**
   * The first numbers to give.
   *
   * @param slot of a new file
   * @param sequence of a segment
   * @param baseLsn of a segment
   */
  record Counters(int slot, long sequence, long baseLsn) {}

  private final StorageEnv env;
  private final LogConfig config;
  private final SegmentFiles files;
  private final LiveSegments live;
  private final LogFence fence;
  private final long saltSeed;
  private final Monitor monitor;

  @GuardedBy("monitor")
  private final Deque<FreeSlot> free = new ArrayDeque<>();

  /** Files of another size than the configured one, and leftovers; to be deleted. */
  @GuardedBy("monitor")
  private final Deque<Path> unwanted = new ArrayDeque<>();

  @GuardedBy("monitor")
  private final Deque<LogSegment> ready = new ArrayDeque<>();

  /** More files than this are deleted when they are free. */
  @GuardedBy("monitor")
  private int retainedSegments;

  @GuardedBy("monitor")
  private Counters next;

  /** Why the last attempt failed; null after one that succeeded. */
  @GuardedBy("monitor")
  private @Nullable StorageException failure;

  @GuardedBy("monitor")
  private long retryAtNanos;

  @GuardedBy("monitor")
  private boolean retryWanted;

  @GuardedBy("monitor")
  private boolean attempting;

  /** Attempts that have ended. */
  @GuardedBy("monitor")
  private long attempts;

  @GuardedBy("monitor")
  private boolean stopping;

  SegmentSlots(
      StorageEnv env,
      LogConfig config,
      SegmentFiles files,
      LiveSegments live,
      LogFence fence,
      Counters first) {
    this.env = env;
    this.config = config;
    this.files = files;
    this.live = live;
    this.fence = fence;
    next = first;
    retainedSegments = config.retainedSegments();
    monitor = env.waiter().newMonitor("log segment slots");
    saltSeed = env.random().nextLong();
  }

  /** Takes over files that hold nothing needed. */
  void adopt(List<SegmentFile> leftovers, List<Path> unfinished) {
    monitor.lock();
    try {
      for (SegmentFile file : leftovers) {
        addFree(file.path(), file.header(), file);
      }
      unwanted.addAll(unfinished);
    } finally {
      monitor.unlock();
    }
  }

  /** Deletes what no segment can be made of. */
  void deleteUnwanted() {
    List<Path> doomed;
    monitor.lock();
    try {
      doomed = List.copyOf(unwanted);
      unwanted.clear();
    } finally {
      monitor.unlock();
    }
    doomed.forEach(this::delete);
  }

  /** Keeps so many files from now on; whoever waits for room looks again. */
  void retain(int segments) {
    monitor.lock();
    try {
      retainedSegments = segments;
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
        addFree(segment.path(), segment.header(), null);
      }
      // Also when nothing was freed: the log may have become short enough for who waits for room.
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private void addFree(Path path, SegmentHeader header, @Nullable SegmentFile found) {
    if (header.segmentBytes() == config.segmentBytes()) {
      free.add(new FreeSlot(header.slot(), path, found));
    } else {
      unwanted.add(path);
    }
  }

  /** The segment that comes next, or null if none is ready. */
  @Nullable LogSegment peekReady() {
    monitor.lock();
    try {
      return ready.peek();
    } finally {
      monitor.unlock();
    }
  }

  /** Takes the segment that {@link #peekReady} showed. */
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
   * @param hasRoom asked under the monitor
   * @return false if the deadline passed
   * @throws StorageException why no segment could be made, if an attempt failed meanwhile or only
   *     just before; the next call makes a new attempt
   */
  boolean awaitRoom(BooleanSupplier hasRoom, long deadlineNanos) {
    monitor.lock();
    try {
      // An attempt under way may have begun before there was space.
      long seen = attempts + (attempting ? 1 : 0);
      while (!hasRoom.getAsBoolean()) {
        requireRunning();
        long now = env.clock().nanoTime();
        StorageException fault = failure;
        if (fault != null && ready.isEmpty() && free.isEmpty()) {
          if (attempts > seen || retryAtNanos - now > 0) {
            throw again(fault);
          }
          retryWanted = true;
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

  private static StorageException again(StorageException fault) {
    String message = "no new log segment: " + fault.getMessage();
    StorageException copy =
        fault instanceof DiskFullException full
            ? new DiskFullException(message, full.neededBytes(), full.freeBytes())
            : new StorageIoException(message);
    copy.initCause(fault);
    return copy;
  }

  /** The background thread: keeps segments ready until {@link #stop} or a fence. */
  void run() {
    try {
      while (awaitWork()) {
        step();
      }
    } catch (Throwable t) {
      fence.raise(t);
      wake();
      throw t;
    }
  }

  private boolean awaitWork() {
    monitor.lock();
    try {
      while (!stopping && !fence.isRaised() && !hasWork()) {
        monitor.await();
      }
      return !stopping && !fence.isRaised();
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private boolean hasWork() {
    return wantsSegment() || !unwanted.isEmpty() || hasSurplus();
  }

  @GuardedBy("monitor")
  private boolean wantsSegment() {
    return ready.size() < config.preparedSegments()
        && (!free.isEmpty() || failure == null || retryWanted);
  }

  @GuardedBy("monitor")
  private boolean hasSurplus() {
    return !free.isEmpty() && live.count() + ready.size() + free.size() > retainedSegments;
  }

  /** Prepares one segment, or deletes one file. */
  private void step() {
    boolean prepare;
    Path doomed;
    monitor.lock();
    try {
      prepare = wantsSegment();
      doomed = null;
      if (!prepare) {
        FreeSlot surplus = unwanted.isEmpty() ? free.pollLast() : null;
        doomed = surplus == null ? unwanted.poll() : surplus.path();
      }
    } finally {
      monitor.unlock();
    }
    if (prepare) {
      try {
        addReady(prepareOne());
      } catch (StorageException e) {
        LOGGER.warn("no new log segment: {}", e.getMessage());
      }
    } else if (doomed != null) {
      delete(doomed);
    }
  }

  private void addReady(LogSegment segment) {
    monitor.lock();
    try {
      ready.add(segment);
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Makes one segment of a free slot, or else of a new file.
   *
   * @throws StorageException if that failed; it is kept for those who wait for room
   */
  LogSegment prepareOne() {
    FreeSlot slot;
    int slotNumber;
    SegmentLink link;
    monitor.lock();
    try {
      attempting = true;
      retryWanted = false;
      slot = free.poll();
      slotNumber = slot == null ? next.slot() : slot.slot();
      link = new SegmentLink(next.baseLsn(), next.sequence(), salt(next.sequence()));
      next =
          new Counters(
              slot == null ? slotNumber + 1 : next.slot(),
              next.sequence() + 1,
              next.baseLsn() + config.segmentBytes());
    } finally {
      monitor.unlock();
    }
    StorageException fault = null;
    try {
      if (slot == null) {
        return files.create(slotNumber, link);
      }
      if (slot.found() != null) {
        files.settleHeader(slot.found());
      }
      return files.recycle(slotNumber, link);
    } catch (StorageException e) {
      fault = e;
      if (slot != null) {
        // Its header is in an unknown state, and a failed force must not be repeated.
        delete(slot.path());
      }
      throw e;
    } finally {
      endAttempt(fault);
    }
  }

  private void endAttempt(@Nullable StorageException fault) {
    long now = env.clock().nanoTime();
    monitor.lock();
    try {
      attempting = false;
      attempts++;
      failure = fault;
      retryAtNanos = now + config.retryNanos();
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  private long salt(long sequence) {
    long z = saltSeed + sequence * GOLDEN_RATIO;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private void delete(Path path) {
    try {
      files.delete(path);
    } catch (StorageException e) {
      // It only costs space; the next start of the log finds it again.
      LOGGER.warn("left behind: {}", e.getMessage());
    }
  }

  /** Lets everyone look at the fence. */
  void wake() {
    monitor.lock();
    try {
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Asks the background thread to end. */
  void stop() {
    monitor.lock();
    try {
      stopping = true;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** Releases the segments that were prepared in vain; after the background thread has ended. */
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
