package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageException;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/** A log that gets no next segment, while flushes are held back, which would make a file free. */
@Tag("once")
class LogSegmentFaultTest {
  private static final EngineConfig CONFIG = SmallEngine.calm().build();

  /** A flush waits for a force of the log; all of this test takes less time. */
  private static final long SLOW_NANOS = 100_000_000_000L;

  private static final long BETWEEN_TRIES_NANOS = 200_000_000;
  private static final int TRIES = 5;

  /** Enough for the attempt that begins by itself. */
  private static final long REST_NANOS = 11_000_000_000L;

  /** More records than the segments have room for that were made before. */
  private static final int ENOUGH = 1000;

  private static boolean isSegment(Path path) {
    return path.getParent().endsWith("log") && !isNew(path);
  }

  private static boolean isNew(Path path) {
    return path.toString().endsWith(".seg.new");
  }

  private static boolean isTaken(Tree tree, int i) {
    try {
      tree.put(("key" + i).getBytes(UTF_8), new byte[1000]);
      return true;
    } catch (StorageException e) {
      assertThat(e).hasMessageStartingWith("no new log segment: ");
      return false;
    }
  }

  /**
   * Runs into the fault.
   *
   * @param end what happens once its reason is gone; must end it
   */
  private static void run(Simulation sim, FaultEffect effect, LoggedLines log, Consumer<Tree> end) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
      Tree tree = engine.createTree("t");
      assertThat(engine.health().isSound()).isTrue();
      sim.disk().slowForces(LogSegmentFaultTest::isSegment, SLOW_NANOS);
      sim.faults()
          .add(Fault.of(effect).on(IoKind.CREATE).onPath(LogSegmentFaultTest::isNew).asSticky());
      int written = 0;
      while (isTaken(tree, written)) {
        written++;
        assertThat(written).isLessThan(ENOUGH);
      }
      for (int i = 0; i < TRIES; i++) {
        sim.env().waiter().pause(BETWEEN_TRIES_NANOS);
        assertThat(isTaken(tree, written)).isFalse();
      }
      assertThat(sim.faults().callsFailed()).as("attempts").isGreaterThan(TRIES);
      EngineHealth health = engine.health();
      assertThat(health.isSound()).isFalse();
      assertThat(health.logFault()).contains(".seg.new");
      assertThat(health.fence()).isNull();
      assertThat(health.flushFault()).isNull();
      assertThat(health.mergeFault()).isNull();
      assertThat(log.lines()).hasSize(1).allMatch(line -> line.startsWith("no new log segment: "));
      sim.faults().clear();
      end.accept(tree);
      assertThat(engine.health().logFault()).isNull();
      assertThat(engine.health().isSound()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"IO_ERROR", "DISK_FULL"})
  void aLogWithoutANextSegmentIsNotSoundAndSaysSoOnce(FaultEffect effect) {
    try (LoggedLines log = new LoggedLines();
        Simulation sim = Simulation.seeded(1)) {
      Consumer<Tree> write =
          tree -> {
            sim.disk().slowForces(path -> false, 0);
            sim.env().waiter().pause(BETWEEN_TRIES_NANOS);
            assertThat(isTaken(tree, ENOUGH)).isTrue();
          };
      assertThat(sim.run(() -> run(sim, effect, log, write))).isTrue();
      assertThat(log.lines()).endsWith("there is a new log segment again").hasSize(2);
    }
  }

  /** No write comes, and no flush ends. */
  @ParameterizedTest
  @EnumSource(names = {"IO_ERROR", "DISK_FULL"})
  void anEngineAtRestForgetsThatItGotNoSegment(FaultEffect effect) {
    try (LoggedLines log = new LoggedLines();
        Simulation sim = Simulation.seeded(1)) {
      Consumer<Tree> rest = tree -> sim.env().waiter().pause(REST_NANOS);
      assertThat(sim.run(() -> run(sim, effect, log, rest))).isTrue();
      assertThat(log.lines()).endsWith("there is a new log segment again").hasSize(2);
    }
  }
}
