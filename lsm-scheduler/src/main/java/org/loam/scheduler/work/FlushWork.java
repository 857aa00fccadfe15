package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;

/** What a flush worker does: take a flush, carry it through, take the next. */
final class FlushWork implements Runnable {
  private final WorkSignal signal;
  private final WorkSource source;
  private final Quanta quanta;
  private final WorkReports reports;

  @GuardedBy("signal.monitor")
  private final Backoff rest;

  /** Trees whose flushes have failed since the latest rest began, with the one before it. */
  @GuardedBy("signal.monitor")
  private final Set<Integer> failedTrees = new HashSet<>();

  @GuardedBy("signal.monitor")
  private final List<BackgroundOperation> running = new ArrayList<>();

  @GuardedBy("signal.monitor")
  private long consumedInputBytes;

  @GuardedBy("signal.monitor")
  private int busyWorkers;

  /** The version at which the source had no flush to give. */
  @GuardedBy("signal.monitor")
  private long idleVersion = -1;

  FlushWork(
      WorkSignal signal, WorkSource source, Quanta quanta, WorkReports reports, Backoff rest) {
    this.signal = signal;
    this.source = source;
    this.quanta = quanta;
    this.reports = reports;
    this.rest = rest;
  }

  boolean isIdle(long nowNanos) {
    signal.monitor.lock();
    try {
      return busyWorkers == 0 && (idleVersion == signal.version() || rest.isResting(nowNanos));
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
    for (long seen = awaitTurn(); seen >= 0; seen = awaitTurn()) {
      BackgroundOperation flush = source.takeFlush();
      if (flush != null) {
        carryThrough(flush);
      } else {
        foundNone(seen);
      }
    }
  }

  /** The version to look at; -1 if the worker is to stop. */
  private long awaitTurn() {
    signal.monitor.lock();
    try {
      while (!signal.stopping()) {
        long restNanos = rest.leftNanos(signal.nowNanos());
        if (idleVersion == signal.version()) {
          signal.await();
        } else if (restNanos > 0) {
          signal.await(restNanos);
        } else {
          busyWorkers++;
          return signal.version();
        }
      }
      return -1;
    } finally {
      signal.monitor.unlock();
    }
  }

  private void foundNone(long seen) {
    signal.monitor.lock();
    try {
      idleVersion = Math.max(idleVersion, seen);
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
      failedTrees.clear();
      signal.changed();
    } finally {
      signal.monitor.unlock();
    }
  }

  /** A flush has failed; returns for how long flushes rest. */
  private long rest(BackgroundOperation flush, StorageException fault) {
    signal.monitor.lock();
    try {
      busyWorkers--;
      signal.changed();
      long now = signal.nowNanos();
      if (othersGoOn(flush.treeId(), fault)) {
        return Math.max(0, rest.leftNanos(now));
      }
      failedTrees.clear();
      failedTrees.add(flush.treeId());
      return rest.begin(now);
    } finally {
      signal.monitor.unlock();
    }
  }

  /**
   * Whether other trees may be flushed before the next rest: after a fault of one tree, until it is
   * its turn again. With a rest after each tree the last of many would wait for minutes, for its
   * flush or for its fault. A full disk is one for all.
   */
  @GuardedBy("signal.monitor")
  private boolean othersGoOn(int treeId, StorageException fault) {
    return treeId != WorkListener.ALL_TREES
        && !(fault instanceof DiskFullException)
        && !failedTrees.isEmpty()
        && failedTrees.add(treeId);
  }
}
