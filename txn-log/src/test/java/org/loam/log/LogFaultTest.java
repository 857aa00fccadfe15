package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.log.CommitLog.Appended;

/** A disk that refuses: what was awaited stays, what failed is told, and nothing is retried. */
@Tag("once")
class LogFaultTest {
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 128 << 10, 2, 1_000_000);
  private static final LogConfig LARGER_SEGMENTS = new LogConfig(32 << 10, 128 << 10, 2, 1_000_000);
  private static final int MAX_VALUE_BYTES = 1500;
  private static final int SEEDS = 150;

  private long liveBytes;

  @BeforeEach
  void remember() {
    liveBytes = Mem.liveBytes();
  }

  @AfterEach
  void nothingLeaks() {
    assertThat(Mem.liveBytes()).as(Mem.describeLive()).isEqualTo(liveBytes);
  }

  @Test
  void aFailedForceFencesTheLogAndIsNotRepeated() {
    int fenced = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        SplittableRandom random = new SplittableRandom(seed);
        LogWorld world = new LogWorld(sim, random, CONFIG);
        assertThat(world.open(0)).isTrue();
        List<Throwable> told = new ArrayList<>();
        world.log().onFenced(told::add);
        sim.faults()
            .add(
                Fault.of(FaultEffect.IO_ERROR)
                    .on(IoKind.FORCE)
                    .onPath(path -> !path.toString().endsWith(".new"))
                    .nth(1 + random.nextInt(20)));
        assertThat(
                sim.run(world.writer(40, 3, MAX_VALUE_BYTES), world.writer(40, 2, MAX_VALUE_BYTES)))
            .isTrue();
        assertThat(told).hasSize(world.log().isFenced() ? 1 : 0);
        if (world.log().isFenced()) {
          fenced++;
          world.log().onFenced(told::add);
          assertThat(told).hasSize(2).hasOnlyElementsOfType(StorageIoException.class);
          assertThatThrownBy(() -> world.log().append(0, 1, 0))
              .isInstanceOf(FencedException.class)
              .hasCauseInstanceOf(StorageIoException.class);
        }
        sim.faults().clear();
        // The same machine goes on: its page cache may show bytes that the disk will never get.
        assertThat(sim.run(() -> world.openHere(world.survivorsOfFaults()))).isTrue();
        int mustSurvive = world.survivors(CrashKind.POWER_LOSS);
        assertThat(world.open(mustSurvive)).isTrue();
        assertThat(sim.run(world::closeHere)).isTrue();
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(fenced).isGreaterThan(SEEDS / 3);
  }

  /** The page cache then shows what the failed start wrote, and the disk may never get it. */
  @Test
  void aStartWhoseForceFailedMayBeRepeatedOnTheSameMachine() {
    int failed = 0;
    for (long seed = 0; seed < 20; seed++) {
      for (int force = 1; force <= 8; force++) {
        try (Simulation sim = Simulation.seeded(seed)) {
          LogWorld world = new LogWorld(sim, new SplittableRandom(seed), CONFIG);
          assertThat(world.open(0)).isTrue();
          assertThat(sim.run(world.writer(10, 3, MAX_VALUE_BYTES))).isTrue();
          world.survivors(CrashKind.PROCESS_DEATH);
          sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.FORCE).nth(force));
          boolean[] opened = new boolean[1];
          assertThat(sim.run(() -> opened[0] = world.tryOpenHere(world.durable()))).isTrue();
          failed += opened[0] ? 0 : 1;
          sim.faults().clear();
          assertThat(sim.run(world::survivorsOfFaults)).isTrue();
          assertThat(world.open(world.durable())).isTrue();
          assertThat(sim.run(world.writer(10, 1, MAX_VALUE_BYTES))).isTrue();
          assertThat(world.open(world.survivors(CrashKind.POWER_LOSS))).isTrue();
          assertThat(sim.run(world::closeHere)).isTrue();
        } catch (Throwable e) {
          throw new AssertionError("seed " + seed + ", force " + force, e);
        }
      }
    }
    assertThat(failed).isGreaterThan(60);
  }

  /**
   * A start whose force failed may have left a header that only the page cache has. The next start
   * reads it; when the power fails while it rewrites the other copy, the disk must have one of
   * them.
   */
  @Test
  void powerMayFailInTheStartAfterOneWhoseForceFailed() {
    int crashed = 0;
    for (long seed = 0; seed < 3; seed++) {
      for (int force = 1; force <= 8; force++) {
        for (int call = 1; powerFailsAtCall(seed, force, call); call++) {
          crashed++;
        }
      }
    }
    assertThat(crashed).isGreaterThan(300);
  }

  private static boolean powerFailsAtCall(long seed, int force, int call) {
    try (Simulation sim = Simulation.seeded(seed * 1000 + call)) {
      LogWorld world = new LogWorld(sim, new SplittableRandom(seed), CONFIG);
      assertThat(world.open(0)).isTrue();
      assertThat(sim.run(world.writer(10, 3, MAX_VALUE_BYTES))).isTrue();
      world.survivors(CrashKind.PROCESS_DEATH);
      // A recovery that ends the log somewhere, so that the next one may find that end undone.
      assertThat(world.open(world.durable())).isTrue();
      world.survivors(CrashKind.PROCESS_DEATH);
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.FORCE).nth(force));
      assertThat(sim.run(() -> world.tryOpenHere(world.durable()))).isTrue();
      sim.faults().clear();
      assertThat(sim.run(world::survivorsOfFaults)).isTrue();
      sim.crashAtCall(call, CrashKind.POWER_LOSS);
      boolean ended = world.open(world.durable());
      assertThat(world.open(world.survivors(CrashKind.POWER_LOSS))).isTrue();
      assertThat(sim.run(world.writer(5, 1, MAX_VALUE_BYTES))).isTrue();
      assertThat(sim.run(world::closeHere)).isTrue();
      return !ended;
    } catch (Throwable e) {
      throw new AssertionError("seed " + seed + ", force " + force + ", call " + call, e);
    }
  }

  @Test
  void anyCallMayFailAndAnyCrashMayFollow() {
    int notOpened = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        SplittableRandom random = new SplittableRandom(seed);
        LogWorld world = new LogWorld(sim, random, CONFIG);
        int mustSurvive = 0;
        for (int life = 0; life < 4; life++) {
          FaultEffect[] effects = FaultEffect.values();
          sim.faults()
              .add(
                  Fault.of(effects[random.nextInt(effects.length)]).oneIn(20 + random.nextInt(80)));
          int expected = mustSurvive;
          boolean[] opened = new boolean[1];
          assertThat(sim.run(() -> opened[0] = world.tryOpenHere(expected))).isTrue();
          notOpened += opened[0] ? 0 : 1;
          if (opened[0]) {
            int waitOneIn = 1 + random.nextInt(9);
            assertThat(
                    sim.run(
                        world.writer(30, waitOneIn, MAX_VALUE_BYTES),
                        world.writer(30, waitOneIn, MAX_VALUE_BYTES)))
                .isTrue();
          }
          sim.faults().clear();
          if (random.nextBoolean()) {
            AtomicLong survivors = new AtomicLong();
            assertThat(sim.run(() -> survivors.set(world.survivorsOfFaults()))).isTrue();
            mustSurvive = (int) survivors.get();
          } else {
            mustSurvive = world.survivors(CrashKind.POWER_LOSS);
          }
        }
        assertThat(world.open(mustSurvive)).isTrue();
        assertThat(sim.run(world::closeHere)).isTrue();
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(notOpened).isBetween(SEEDS / 4, SEEDS * 3);
  }

  @Test
  void aFullDiskTurnsWritesAwayUntilThereIsSpace() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        SplittableRandom random = new SplittableRandom(seed);
        LogWorld world = new LogWorld(sim, random, CONFIG);
        assertThat(world.open(0)).isTrue();
        sim.settle();
        long segmentBytes = CONFIG.segmentBytes();
        sim.disk().capacityBytes(sim.disk().usedBytes() + random.nextLong(segmentBytes));
        Runnable relief =
            () -> {
              while (world.refusals < 3) {
                sim.env().waiter().pause(10_000_000);
              }
              sim.disk().capacityBytes(Long.MAX_VALUE);
            };
        assertThat(sim.run(world.writerThatKeepsAll(40, MAX_VALUE_BYTES), relief)).isTrue();
        assertThat(world.refusals).isGreaterThanOrEqualTo(3);
        assertThat(world.appended()).isEqualTo(40);
        assertThat(world.open(world.survivors(CrashKind.PROCESS_DEATH))).isTrue();
        assertThat(sim.run(world::closeHere)).isTrue();
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /**
   * Files of which no segment can be made are deleted before room is needed, wherever the start
   * crashes.
   */
  @Test
  void aStartOnAFullDiskTakesTheRoomOfSegmentsOfAnotherSize() {
    int crashed = 0;
    for (CrashKind kind : CrashKind.values()) {
      for (int call = 1; startCrashesAtCall(call, kind); call++) {
        crashed++;
      }
    }
    assertThat(crashed).isGreaterThan(40);
  }

  private static boolean startCrashesAtCall(int call, CrashKind kind) {
    try (Simulation sim = Simulation.seeded(call)) {
      LogWorld world = new LogWorld(sim, new SplittableRandom(1), LARGER_SEGMENTS);
      assertThat(world.open(0)).isTrue();
      assertThat(sim.run(world.writer(10, 3, MAX_VALUE_BYTES))).isTrue();
      sim.settle();
      assertThat(sim.run(world::closeHere)).isTrue();
      world.configure(CONFIG);
      sim.disk().capacityBytes(sim.disk().usedBytes());
      sim.crashAtCall(call, kind);
      boolean ended = world.open(world.durable());
      assertThat(world.open(world.survivors(kind))).isTrue();
      sim.disk().capacityBytes(Long.MAX_VALUE);
      assertThat(sim.run(world.writer(5, 1, MAX_VALUE_BYTES))).isTrue();
      assertThat(sim.run(world::closeHere)).isTrue();
      return !ended;
    } catch (Throwable e) {
      throw new AssertionError("call " + call + ", " + kind, e);
    }
  }

  @Test
  void aFullDiskIsToldWithFigures() {
    try (Simulation sim = Simulation.seeded(1);
        TestBatches batches = new TestBatches()) {
      LogWorld world = new LogWorld(sim, new SplittableRandom(1), CONFIG);
      assertThat(world.open(0)).isTrue();
      sim.settle();
      sim.disk().capacityBytes(sim.disk().usedBytes() + 5000);
      TransactionLog log = world.log();
      int i = 0;
      while (batches.append(log, i, MAX_VALUE_BYTES) == Appended.DONE) {
        i++;
      }
      int length = batches.payloadLength(i, MAX_VALUE_BYTES);
      assertThatThrownBy(() -> log.awaitRoom(length, Long.MAX_VALUE))
          .isInstanceOfSatisfying(
              DiskFullException.class,
              e -> {
                assertThat(e.neededBytes()).isEqualTo(CONFIG.segmentBytes());
                assertThat(e.freeBytes()).isBetween(1L, 5000L);
              });
      // What the log holds can still be made durable and given up, which makes room without space.
      assertThat(log.awaitDurable(log.endLsn(), Long.MAX_VALUE)).isTrue();
      log.truncate(log.endLsn());
      assertThat(log.awaitRoom(length, Long.MAX_VALUE)).isTrue();
      assertThat(batches.append(log, i, MAX_VALUE_BYTES)).isEqualTo(Appended.DONE);
      log.close();
    }
  }

  /** A segment may end where a short frame still fits, and a mark does not. */
  @Test
  void aMarkThatFindsTheDiskFullIsToldSoWhateverRoomIsLeft() {
    int marksOnlyLackRoom = 0;
    for (int lastValueBytes = 0; lastValueBytes < 64; lastValueBytes += 8) {
      try (Simulation sim = Simulation.seeded(1);
          TestBatches batches = new TestBatches()) {
        LogWorld world = new LogWorld(sim, new SplittableRandom(1), CONFIG);
        assertThat(world.open(0)).isTrue();
        sim.settle();
        sim.disk().capacityBytes(sim.disk().usedBytes() + 5000);
        TransactionLog log = world.log();
        int i = 0;
        while (batches.append(log, i, MAX_VALUE_BYTES) == Appended.DONE) {
          i++;
        }
        batches.append(log, i, lastValueBytes);
        int kept = 0;
        while (log.keepMark(1, 1)) {
          kept++;
        }
        sim.settle();
        marksOnlyLackRoom += hasRoom(log) ? 1 : 0;
        assertThatThrownBy(() -> log.awaitMarkRoom(Long.MAX_VALUE))
            .as("after a value of %d bytes", lastValueBytes)
            .isInstanceOf(DiskFullException.class);
        while (kept-- > 0) {
          log.releaseMark();
        }
        log.close();
      }
    }
    assertThat(marksOnlyLackRoom).isPositive();
  }

  private static boolean hasRoom(TransactionLog log) {
    try {
      return log.awaitRoom(1, Long.MAX_VALUE);
    } catch (DiskFullException e) {
      return false;
    }
  }
}
