package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;

/** What a flush worker does: take a flush, carry it through, take the next. */
final class FlushWork implements Runnable {
  private final WorkSignal signal;
  private final WorkSource source;
  private final Quanta quanta;
  private final WorkReports reports;

  /** Of all flushes. */
  @GuardedBy("signal.monitor")
  private final Backoff rest;

  @GuardedBy("signal.monitor")
  private final TreeRests treeRests;

  @GuardedBy("signal.monitor")
  private final List<BackgroundOperation> running = new ArrayList<>();

  @GuardedBy("signal.monitor")
  private long consumedInputBytes;

  @GuardedBy("signal.monitor")
  private int busyWorkers;

  /** The latest look at which the source had no flush to give. */
  @GuardedBy("signal.monitor")
  private Look idle = new Look(-1, Set.of());

  /** A look for a flush: at a version, past the trees that rest. */
  private record Look(long version, Set<Integer> resting) {}

  FlushWork(
      WorkSignal signal,
      WorkSource source,
      Quanta quanta,
      WorkReports reports,
      Supplier<Backoff> newRest) {
    this.signal = signal;
    this.source = source;
    this.quanta = quanta;
    this.reports = reports;
    this.rest = newRest.get();
    this.treeRests = new TreeRests(newRest);
  }

  boolean isIdle(long nowNanos) {
    signal.monitor.lock();
    try {
      return busyWorkers == 0 && (idleNanos(nowNanos) > 0 || rest.isResting(nowNanos));
    } finally {
      signal.monitor.unlock();
    }
  }

  FlushProgress progress() {
    signal.monitor.lock();
    try {
      long remaining = 0;
      for (BackgroundOperation flush : running) {
        remaining += flush.remainingInputBytes();
      }
      return new FlushProgress(running.size(), remaining, consumedInputBytes);
    } finally {
      signal.monitor.unlock();
    }
  }

  void endRest() {
    signal.monitor.lock();
    try {
      rest.clear();
      treeRests.clear();
      signal.changed();
    } finally {
      signal.monitor.unlock();
    }
  }

  /** What the stopped workers left; empties the list. */
  List<BackgroundOperation> takeLeft() {
    signal.monitor.lock();
    try {
      List<BackgroundOperation> left = List.copyOf(running);
      running.clear();
      return left;
    } finally {
      signal.monitor.unlock();
    }
  }

  @Override
  public void run() {
    for (Look look = awaitTurn(); look != null; look = awaitTurn()) {
      BackgroundOperation flush = source.takeFlush(look.resting);
      if (flush != null) {
        carryThrough(flush);
      } else {
        foundNone(look);
      }
    }
  }

  /** The next look; null if the worker is to stop. */
  private @Nullable Look awaitTurn() {
    signal.monitor.lock();
    try {
      while (!signal.stopping()) {
        long now = signal.nowNanos();
        long nanos = Math.max(idleNanos(now), rest.leftNanos(now));
        if (nanos == Long.MAX_VALUE) {
          signal.await();
        } else if (nanos > 0) {
          signal.await(nanos);
        } else {
          busyWorkers++;
          return new Look(signal.version(), treeRests.resting(now));
        }
      }
      return null;
    } finally {
      signal.monitor.unlock();
    }
  }

  /**
   * For how long there is nothing to take unless something changes: until the first of the trees
   * that were passed over has rested.
   */
  @GuardedBy("signal.monitor")
  private long idleNanos(long nowNanos) {
    return idle.version == signal.version() ? treeRests.leastNanos(idle.resting, nowNanos) : 0;
  }

  private void foundNone(Look look) {
    signal.monitor.lock();
    try {
      if (look.version >= idle.version) {
        idle = look;
      }
      busyWorkers--;
      signal.wakeAll();
    } finally {
      signal.monitor.unlock();
    }
  }

  private void carryThrough(BackgroundOperation flush) {
    add(flush);
    // What it has to wait for before it writes is time in which writers fill memory.
    reports.flushAdvanced();
    RateLimiter.Claim claim = quanta.newClaim(flush.ioClass());
    StepResult result = StepResult.MORE;
    try {
      while (result != StepResult.DONE && !signal.isStopping()) {
        long before = flush.remainingInputBytes();
        result = quanta.advance(flush, claim);
        advanced(before - flush.remainingInputBytes());
      }
    } catch (StorageException fault) {
      remove(flush);
      flush.abort();
      reports.report(flush, fault, WorkListener.ALL_TREES, rest(flush, fault));
      return;
    }
    if (result == StepResult.DONE) { // otherwise close aborts it
      succeed(flush);
      reports.done(flush);
    }
  }

  private void advanced(long consumedBytes) {
    signal.monitor.lock();
    try {
      consumedInputBytes += Math.max(0, consumedBytes);
    } finally {
      signal.monitor.unlock();
    }
    reports.flushAdvanced();
  }

  private void add(BackgroundOperation flush) {
    signal.monitor.lock();
    try {
      running.add(flush);
      signal.flushBegun();
    } finally {
      signal.monitor.unlock();
    }
  }

  private void remove(BackgroundOperation flush) {
    signal.monitor.lock();
    try {
      running.remove(flush);
      signal.flushEnded();
    } finally {
      signal.monitor.unlock();
    }
  }

  private void succeed(BackgroundOperation flush) {
    signal.monitor.lock();
    try {
      running.remove(flush);
      signal.flushEnded();
      busyWorkers--;
      rest.clear();
      treeRests.end(flush::isOf);
      signal.changed();
    } finally {
      signal.monitor.unlock();
    }
  }

  /** A flush has failed; returns for how long it rests. */
  private long rest(BackgroundOperation flush, StorageException fault) {
    signal.monitor.lock();
    try {
      busyWorkers--;
      signal.changed();
      long now = signal.nowNanos();
      return isOfAll(flush, fault) ? rest.begin(now) : treeRests.begin(flush.treeId(), now);
    } finally {
      signal.monitor.unlock();
    }
  }

  /**
   * Whether all flushes rest, or the tree alone: a device may be gone that others are not on. A
   * full disk is one for all.
   */
  private static boolean isOfAll(BackgroundOperation flush, StorageException fault) {
    return flush.treeId() == WorkListener.ALL_TREES || fault instanceof DiskFullException;
  }
}
