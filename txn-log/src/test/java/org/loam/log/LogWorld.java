package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog.Appended;
import org.loam.log.recover.ReplayReport;

/**
 * A simulated process that writes numbered batches to a log, and what it must find again. Fields
 * stand for what survives outside of the log: the truncation LSN for the manifest, the counts for
 * what clients were told.
 */
final class LogWorld {
  private static final long IDENTITY = 99;
  private static final long ROOM_NANOS = 100_000_000;

  final Simulation sim;
  private final SplittableRandom random;
  private LogConfig config;

  /** LSN of each batch of the one history that counts. */
  private final List<Long> lsns = new ArrayList<>();

  /** So many batches survive power loss. */
  private int durable;

  /** So many batches survive the death of the process. */
  private int written;

  /**
   * So many batches have the LSN that the log gave them. An append that did not end leaves one
   * more, which may be in the log, at the noted LSN or above.
   */
  private int ended;

  /** The replay begins at this batch, which has this LSN. */
  private int truncated;

  private long truncationLsn;
  private long highestLsn;

  /** How often a write was turned away because no segment could be made. */
  int refusals;

  private @Nullable TransactionLog log;
  private @Nullable Monitor latch;

  LogWorld(Simulation sim, SplittableRandom random, LogConfig config) {
    this.sim = sim;
    this.random = random;
    this.config = config;
  }

  /** Opens the log with other settings from now on. */
  void configure(LogConfig changed) {
    config = changed;
  }

  int appended() {
    return lsns.size();
  }

  int durable() {
    return durable;
  }

  TransactionLog log() {
    return log;
  }

  /** Opens, checks and starts the log; false if the process crashed meanwhile. */
  boolean open(int mustSurvive) {
    return sim.run(() -> openHere(mustSurvive));
  }

  /** Opens, checks and starts the log on a disk that may refuse; says whether that went well. */
  boolean tryOpenHere(int mustSurvive) {
    try {
      openHere(mustSurvive);
      return true;
    } catch (StorageIoException | DiskFullException e) {
      return false;
    }
  }

  void openHere(int mustSurvive) {
    StorageEnv env = sim.env();
    TransactionLog opened =
        TransactionLog.open(env, sim.directory().resolve("log"), config, IDENTITY);
    List<Long> found = new ArrayList<>();
    ReplayReport report;
    try (TestBatches batches = new TestBatches()) {
      report =
          opened.replay(
              truncationLsn,
              (lsn, endLsn, address, length) -> {
                int i = truncated + found.size();
                assertThat(batches.read(lsn, address, length)).isEqualTo(i);
                assertThat(i).as("batch that was appended").isLessThan(lsns.size());
                if (i < ended) {
                  assertThat(lsn).isEqualTo(lsns.get(i));
                } else {
                  assertThat(lsn).isGreaterThanOrEqualTo(lsns.get(i));
                  lsns.set(i, lsn);
                }
                found.add(lsn);
              });
    }
    int count = truncated + found.size();
    assertThat(count).as("batches found, %s", report).isGreaterThanOrEqualTo(mustSurvive);
    // What was not found must never come back.
    while (lsns.size() > count) {
      lsns.remove(lsns.size() - 1);
    }
    durable = Math.min(durable, count);
    long start = opened.start(0);
    log = opened;
    durable = count;
    written = count;
    ended = count;
    assertThat(start).as("LSNs are not used twice").isGreaterThan(highestLsn);
    highestLsn = start - 1;
    if (truncationLsn == 0) {
      truncationLsn = count == 0 ? start : lsns.get(0);
    }
    latch = env.waiter().newMonitor("commit latch");
  }

  /** A client that appends, waits, marks and truncates; ends when the log is fenced. */
  Runnable writer(int operations, int waitOneIn, int maxValueBytes) {
    SplittableRandom mine = random.split();
    return () -> {
      try (TestBatches batches = new TestBatches()) {
        for (int n = 0; n < operations; n++) {
          write(batches, mine.nextInt(maxValueBytes), mine.nextInt(waitOneIn) == 0);
          if (mine.nextInt(8) == 0) {
            truncate(mine.nextInt(4) == 0 ? 0 : mine.nextInt(6));
          }
        }
      } catch (FencedException e) {
        assertThat(log.isFenced()).isTrue();
      }
    };
  }

  /** A client that neither waits nor truncates. */
  Runnable writerThatKeepsAll(int operations, int maxValueBytes) {
    SplittableRandom mine = random.split();
    return () -> {
      try (TestBatches batches = new TestBatches()) {
        for (int n = 0; n < operations; n++) {
          write(batches, maxValueBytes / 2 + mine.nextInt(maxValueBytes / 2), false);
        }
      }
    };
  }

  private void write(TestBatches batches, int valueBytes, boolean wait) {
    TransactionLog open = log;
    int i;
    long endLsn;
    while (true) {
      latch.lock();
      try {
        i = lsns.size();
        // Noted first: a crash or a fault in the call may leave the batch in the log.
        lsns.add(open.endLsn());
        if (append(open, batches, i, valueBytes) == Appended.DONE) {
          long lsn = open.lastLsn();
          assertThat(lsn).isGreaterThan(highestLsn);
          highestLsn = lsn;
          lsns.set(i, lsn);
          written = i + 1;
          ended = i + 1;
          endLsn = open.endLsn();
          break;
        }
      } finally {
        latch.unlock();
      }
      long deadline = sim.env().clock().nanoTime() + ROOM_NANOS;
      try {
        if (!open.awaitRoom(batches.payloadLength(i, valueBytes), deadline)) {
          // At its maximum length: what a flush would do.
          awaitDurable(open, i, open.endLsn());
          truncate(0);
        }
      } catch (StorageIoException | DiskFullException e) {
        refusals++;
        sim.env().waiter().pause(ROOM_NANOS);
      }
    }
    if (wait) {
      awaitDurable(open, i + 1, endLsn);
    }
  }

  private void awaitDurable(TransactionLog open, int count, long endLsn) {
    assertThat(open.awaitDurable(endLsn, Long.MAX_VALUE)).isTrue();
    durable = Math.max(durable, count);
  }

  private Appended append(TransactionLog open, TestBatches batches, int i, int valueBytes) {
    // A fenced log refuses before it writes anything.
    boolean mayBeThere = !open.isFenced();
    try {
      Appended appended = batches.append(open, i, valueBytes);
      mayBeThere = appended == Appended.DONE;
      return appended;
    } finally {
      if (!mayBeThere) {
        lsns.remove(i);
      }
    }
  }

  /** Gives up all but so many of the durable batches. */
  private void truncate(int kept) {
    latch.lock();
    try {
      int first = Math.min(durable, lsns.size() - 1) - kept;
      if (first <= truncated || first >= durable) {
        return;
      }
      log.mark(1, first);
      // As a manifest would: recorded for good before the log hears of it.
      truncated = first;
      truncationLsn = lsns.get(first);
      log.truncate(truncationLsn);
    } finally {
      latch.unlock();
    }
  }

  /** Closes the log as an orderly engine would. */
  void closeHere() {
    TransactionLog open = log;
    boolean fenced = open.isFenced();
    try {
      open.close();
      log = null;
      durable = fenced ? durable : lsns.size();
    } catch (StorageException e) {
      assertThat(open.isFenced()).isTrue();
    }
  }

  /** Ends a process that did not crash, but whose disk may have refused a force. */
  int survivorsOfFaults() {
    if (log != null) {
      closeHere();
      log = null;
    }
    written = durable;
    return durable;
  }

  /** Crashes now if that has not happened yet, and says how many batches must survive it. */
  int survivors(CrashKind kind) {
    if (!sim.crashed()) {
      sim.crash(kind);
    }
    // The simulation gives back the memory of a dead process; closing its log would do so again.
    log = null;
    written = kind == CrashKind.POWER_LOSS ? durable : written;
    return written;
  }
}
