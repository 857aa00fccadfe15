package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.codec.Crc32c;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog.Appended;

/**
 * Schedules of segments that one thread prepares, a second one fills and a third one forces, the
 * first ones new and the later ones used again. Power is lost right after frames are known to be
 * durable: they are there.
 */
@Tag("once")
@Explored
class LogSegmentsScheduleTest {
  private static final int SCHEDULES = 300;
  private static final int SCHEDULES_OF_ONE_FRAME = 500;
  private static final long IDENTITY = 7;
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 1 << 20, 1, 0);

  private static final int PAYLOAD_BYTES = 3500;
  private static final int SEGMENT_FRAMES = 2;
  private static final int GROUP_FRAMES = 3;
  private static final int MOST_GROUPS = 6;
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  /** A log, and what survives outside of it. */
  private static final class World {
    private final Simulation sim;
    private final Path directory;
    private final TransactionLog log;
    private final TreeSet<Long> durable = new TreeSet<>();
    private long truncationLsn;

    World(Simulation sim) {
      this.sim = sim;
      directory = sim.directory().resolve("log");
      log = TransactionLog.open(sim.env(), directory, CONFIG, IDENTITY);
      log.replay(0, (lsn, endLsn, address, length) -> {});
      truncationLsn = log.start(0);
    }

    /** The log is needed from these frames on once others are written, as after a flush. */
    void write(int frames) {
      if (!durable.isEmpty()) {
        // As a manifest would: recorded for good before the log hears of it.
        truncationLsn = durable.first();
        log.truncate(truncationLsn);
      }
      Set<Long> group = new HashSet<>();
      long payload = Mem.allocate(PAYLOAD_BYTES, Long.BYTES, "payload");
      Mem.fill(payload, PAYLOAD_BYTES, (byte) 1);
      for (int i = 0; i < frames; i++) {
        group.add(append(payload));
      }
      Mem.free(payload);
      log.awaitDurable(log.endLsn(), Long.MAX_VALUE);
      durable.clear();
      durable.addAll(group);
    }

    void writeUntilPowerIsLost(int groups, int frames) {
      for (int i = 0; i < groups; i++) {
        write(frames);
      }
      sim.crash(CrashKind.POWER_LOSS);
    }

    private long append(long payload) {
      int crc = Crc32c.of(payload, PAYLOAD_BYTES);
      while (log.append(payload, PAYLOAD_BYTES, crc) != Appended.DONE) {
        log.awaitRoom(PAYLOAD_BYTES, Long.MAX_VALUE);
      }
      return log.lastLsn();
    }

    Set<Long> found() {
      Set<Long> found = new HashSet<>();
      TransactionLog.open(sim.env(), directory, CONFIG, IDENTITY)
          .replay(truncationLsn, (lsn, endLsn, address, length) -> found.add(lsn));
      return found;
    }
  }

  private static void requireDurable(Simulation sim, World world) {
    Set<Long> found = Schedules.prepare(sim, world::found);
    assertThat(found).containsAll(world.durable);
  }

  @Test
  void whatIsDurableIsThereAfterALossOfPower() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          // The first schedule, by which the others are planned, has most.
          int groups = MOST_GROUPS - (int) ((sim.seed() * GOLDEN_RATIO >>> 33) % MOST_GROUPS);
          sim.run(() -> world.writeUntilPowerIsLost(groups, GROUP_FRAMES));
          requireDurable(sim, world);
        });
  }

  /** The switch asks for a force of the full segment, beside which the frame is written. */
  @Test
  void theFirstFrameOfASegmentIsDurableWithItsSegment() {
    Schedules.explore(
        SCHEDULES_OF_ONE_FRAME,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim), made -> made.write(1));
          sim.run(() -> world.writeUntilPowerIsLost(1, SEGMENT_FRAMES));
          requireDurable(sim, world);
        });
  }
}
