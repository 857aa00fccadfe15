package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.codec.Crc32c;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.FencedException;
import org.loam.common.mem.Mem;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog.Appended;
import org.loam.log.format.FrameLayout;

/**
 * Schedules of a writer that waits without a deadline for a log with its threads, while what it
 * waits for comes, or a fence. The simulation finds a wait that no signal ends.
 */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class LogWaitsScheduleTest {
  private static final int SCHEDULES = 200;

  /** Two frames fill a segment. */
  private static final int PAYLOAD_BYTES = 3500;

  private static final long FRAME_BYTES = FrameLayout.frameBytes(PAYLOAD_BYTES);

  /** Nine frames fill the log. */
  private static final long SHORT_BYTES = 32 << 10;

  private static final long LONG_BYTES = 1 << 20;
  private static final long PAUSE_NANOS = 1_000_000_000;

  /** Breaks the thread that meets it. */
  private static final AssertionError BROKEN = new AssertionError("planned");

  /** A log at rest, with one segment that is ready. */
  private static final class World {
    private final TransactionLog log;
    private final long payload = Mem.allocate(PAYLOAD_BYTES, Long.BYTES, "payload");
    private @Nullable Throwable thrown;

    World(Simulation sim, long maxLogBytes) {
      LogConfig config = new LogConfig(16 << 10, maxLogBytes, 1, 0);
      log = TransactionLog.open(forgiving(sim.env()), sim.directory().resolve("log"), config, 1);
      log.replay(0, (lsn, endLsn, address, length) -> {});
      log.start(0);
      Mem.fill(payload, PAYLOAD_BYTES, (byte) 1);
      while (log.lengthBytes() + FRAME_BYTES <= SHORT_BYTES) {
        write();
      }
      log.awaitDurable(log.endLsn(), Long.MAX_VALUE);
      sim.env().waiter().pause(PAUSE_NANOS);
    }

    /** What breaks a thread as planned is no failure of the simulation. */
    private static StorageEnv forgiving(StorageEnv env) {
      return new StorageEnv(
          env.files(),
          env.clock(),
          env.waiter(),
          (name, body) ->
              env.tasks()
                  .start(
                      name,
                      () -> {
                        Throwable broken = catchThrowable(body::run);
                        assertThat(broken).isIn(null, BROKEN);
                      }),
          env.random());
    }

    private void write() {
      int crc = Crc32c.of(payload, PAYLOAD_BYTES);
      while (log.append(payload, PAYLOAD_BYTES, crc) != Appended.DONE) {
        log.awaitRoom(PAYLOAD_BYTES, Long.MAX_VALUE);
      }
    }

    /** Waits for room in the log. */
    void awaitRoom() {
      thrown = catchThrowable(() -> log.awaitRoom(PAYLOAD_BYTES, Long.MAX_VALUE));
    }

    /** Writes what a full log takes, too, and waits until that is durable. */
    void forceMark() {
      log.mark(1, 0);
      log.awaitDurable(log.endLsn(), Long.MAX_VALUE);
    }

    /** Writes until the ready segment is full, and one frame more. */
    void writeOn() {
      thrown =
          catchThrowable(
              () -> {
                for (int i = 0; i < 4; i++) {
                  write();
                }
              });
    }

    void close() {
      log.close();
      Mem.free(payload);
    }
  }

  private static void explore(
      long maxLogBytes,
      Consumer<Simulation> fault,
      Consumer<World> wait,
      Consumer<World> meanwhile,
      Consumer<World> verdict) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim, maxLogBytes));
          fault.accept(sim);
          assertThat(sim.run(() -> wait.accept(world), () -> meanwhile.accept(world))).isTrue();
          verdict.accept(world);
          sim.faults().clear();
          sim.run(world::close);
        });
  }

  private static void requireDone(World world) {
    assertThat(world.thrown).isNull();
  }

  private static void requireFenced(World world) {
    assertThat(world.thrown).isInstanceOf(FencedException.class);
  }

  @Test
  void aTruncationIsNotMissed() {
    explore(
        SHORT_BYTES,
        sim -> {},
        World::awaitRoom,
        world -> world.log.truncate(world.log.endLsn()),
        LogWaitsScheduleTest::requireDone);
  }

  @Test
  void aLongerMaximumIsNotMissed() {
    explore(
        SHORT_BYTES,
        sim -> {},
        World::awaitRoom,
        world -> world.log.setMaxLogBytes(LONG_BYTES),
        LogWaitsScheduleTest::requireDone);
  }

  @Test
  void aForceIsNotMissed() {
    explore(
        SHORT_BYTES, sim -> {}, World::forceMark, world -> {}, LogWaitsScheduleTest::requireDone);
  }

  @Test
  void aFenceIsNotMissed() {
    explore(
        SHORT_BYTES,
        sim -> {},
        World::awaitRoom,
        world -> world.log.fence(new IllegalStateException("planned")),
        LogWaitsScheduleTest::requireFenced);
  }

  /** Neither by the writer that waits for it, nor by one that waits for room. */
  @Test
  void aForceThatFailsIsNotMissed() {
    explore(
        SHORT_BYTES,
        sim -> sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.FORCE)),
        World::awaitRoom,
        world -> assertThat(catchThrowable(world::forceMark)).isInstanceOf(FencedException.class),
        LogWaitsScheduleTest::requireFenced);
  }

  /** It makes no segment any more. */
  @Test
  void thatThePreparingThreadIsBrokenIsNotMissed() {
    explore(
        LONG_BYTES,
        sim ->
            sim.faults()
                .add(
                    Fault.of(FaultEffect.IO_ERROR)
                        .on(IoKind.CREATE)
                        .where(
                            call -> {
                              throw BROKEN;
                            })),
        World::writeOn,
        world -> {},
        LogWaitsScheduleTest::requireFenced);
  }
}
