package org.loam.it.schedule;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.common.codec.Crc32c;
import org.loam.common.env.Monitor;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog.Appended;
import org.loam.log.LogConfig;
import org.loam.log.TransactionLog;
import org.loam.log.format.FrameLayout;

/**
 * Two clients that fill segments of a log and wait for its forces, until power is lost right after
 * one of them has learnt that its frames are durable. Without an engine around the log a schedule
 * has few accesses, so that each of them is likely to be the one at which it switches.
 */
public final class LogTrial extends ScheduleTrial {
  private static final long IDENTITY = 7;
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 1 << 20, 2, 1_000_000);

  /** Four frames fill a segment. */
  private static final int PAYLOAD_BYTES = 3500;

  private static final long FRAME_BYTES = FrameLayout.frameBytes(PAYLOAD_BYTES);
  private static final int GROUP_FRAMES = 4;
  private static final int GROUPS = 3;

  /** To be run in instrumented code. */
  public LogTrial() {
    super(LogTrial::world);
  }

  static void world(Simulation sim) {
    Life life = new Life(sim);
    sim.run(() -> undisturbed(life::open));
    sim.run(life::write, life::write);
    Set<Long> found = new HashSet<>();
    sim.run(() -> undisturbed(() -> found.addAll(life.replay(life.newLog()))));
    Check.that(found.containsAll(life.durable), "of " + life.durable + " only " + found);
  }

  /** A log, and which of its frames are known to be durable. */
  private static final class Life {
    private final Simulation sim;
    private final Path directory;
    private final Set<Long> durable = new HashSet<>();

    /** Groups that become durable until power is lost. */
    private int left;

    private @Nullable TransactionLog log;
    private @Nullable Monitor latch;

    Life(Simulation sim) {
      this.sim = sim;
      directory = sim.directory().resolve("log");
      left = 2 * GROUPS - below(sim, 2 * GROUPS);
    }

    TransactionLog newLog() {
      return TransactionLog.open(sim.env(), directory, CONFIG, IDENTITY);
    }

    Set<Long> replay(TransactionLog opened) {
      Set<Long> found = new HashSet<>();
      opened.replay(0, (lsn, endLsn, address, length) -> found.add(lsn));
      return found;
    }

    void open() {
      TransactionLog opened = newLog();
      replay(opened);
      opened.start(0);
      log = opened;
      latch = sim.env().waiter().newMonitor("commit latch");
    }

    void write() {
      long payload = Mem.allocate(PAYLOAD_BYTES, 8, "payload");
      Mem.fill(payload, PAYLOAD_BYTES, (byte) 1);
      for (int i = 0; i < GROUPS; i++) {
        Set<Long> group = new HashSet<>();
        for (int frame = 0; frame < GROUP_FRAMES; frame++) {
          group.add(append(payload));
        }
        TransactionLog open = Objects.requireNonNull(log);
        open.awaitDurable(Collections.max(group) + FRAME_BYTES, Long.MAX_VALUE);
        durable.addAll(group);
        left--;
        if (left == 0) {
          sim.crash(CrashKind.POWER_LOSS);
        }
      }
    }

    private long append(long payload) {
      TransactionLog open = Objects.requireNonNull(log);
      Monitor commits = Objects.requireNonNull(latch);
      int crc = Crc32c.of(payload, PAYLOAD_BYTES);
      while (true) {
        commits.lock();
        try {
          if (open.append(payload, PAYLOAD_BYTES, crc) == Appended.DONE) {
            return open.lastLsn();
          }
        } finally {
          commits.unlock();
        }
        open.awaitRoom(PAYLOAD_BYTES, Long.MAX_VALUE);
      }
    }
  }
}
