package org.loam.scheduler.run;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.StorageException;

/** What a flush worker does: take a flush, carry it through, take the next. */
final class FlushWork implements Runnable {
  private final WorkSignal signal;
  private final WorkSource source;
  private final Quanta quanta;
  private final FaultReports faults;

  // Guarded by the signal's monitor.
  private final Backoff rest;
  private final List<BackgroundOperation> running = new ArrayList<>();
  private int busyWorkers;

  /** The version at which the source had no flush to give. */
  private long idleVersion = -1;

  FlushWork(
      WorkSignal signal, WorkSource source, Quanta quanta, FaultReports faults, Backoff rest) {
    this.signal = signal;
    this.source = source;
    this.quanta = quanta;
    this.faults = faults;
    this.rest = rest;
  }

  /** Holds the monitor. */
  boolean isIdle(long nowNanos) {
    return busyWorkers == 0 && (idleVersion == signal.version() || rest.isResting(nowNanos));
  }

  /** Holds the monitor. */
  void endRest() {
    rest.clear();
  }

  /** Holds the monitor. What the stopped workers left; empties the list. */
  List<BackgroundOperation> takeLeft() {
    List<BackgroundOperation> left = List.copyOf(running);
    running.clear();
    return left;
  }

  @Override
  public void run() {
    while (true) {
      Long seen = signal.computeLocked(this::awaitTurn);
      if (seen < 0) {
        return;
      }
      BackgroundOperation flush = source.takeFlush();
      if (flush != null) {
        carryThrough(flush);
      } else {
        signal.locked(
            () -> {
              idleVersion = Math.max(idleVersion, seen);
              busyWorkers--;
              signal.wakeAll();
            });
      }
    }
  }

  /** The version to look at; -1 if the worker is to stop. */
  private Long awaitTurn() {
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
    return -1L;
  }

  private void carryThrough(BackgroundOperation flush) {
    signal.locked(() -> running.add(flush));
    RateLimiter.Claim claim = quanta.newClaim(flush.ioClass());
    StepResult result = StepResult.MORE;
    try {
      while (result != StepResult.DONE && !signal.isStopping()) {
        result = quanta.advance(flush, claim);
      }
    } catch (StorageException fault) {
      signal.locked(() -> running.remove(flush));
      flush.abort();
      long restNanos = signal.computeLocked(() -> end(fault));
      faults.report(flush, fault, restNanos);
      return;
    }
    if (result == StepResult.DONE) { // otherwise close aborts it
      signal.locked(
          () -> {
            running.remove(flush);
            end(null);
          });
    }
  }

  private long end(@Nullable StorageException fault) {
    busyWorkers--;
    signal.changed();
    if (fault != null) {
      return rest.begin(signal.nowNanos());
    }
    rest.clear();
    return 0;
  }
}
