package org.loam.scheduler.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.Component;
import org.loam.scheduler.merge.KeyRange;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.TreeShape;

class WriteGateTest {
  /** What the simulated clock may move between two readings with nothing in between. */
  private static final long SLACK_NANOS = 20_000;

  private static final int PASSES = 40;

  static final Runnable MAY_WAIT = () -> {};

  private static final ComponentConstraint CONSTRAINT =
      ComponentConstraint.l0Stop(6).or(ComponentConstraint.globalLimit(2, 1.5));

  static TreeShape shape(int l0Groups, int levels) {
    byte[] key = "k".getBytes(StandardCharsets.UTF_8);
    List<Component> run = List.of(new Component(1, 1, new KeyRange(key, key)));
    List<List<Component>> l0 = new ArrayList<>();
    List<Level> below = new ArrayList<>();
    for (int i = 0; i < l0Groups; i++) {
      l0.add(run);
    }
    for (int i = 0; i < levels; i++) {
      below.add(new Level(Level.LAST - levels + 1 + i, run, new byte[0]));
    }
    return new TreeShape(3, l0, below, List.of(), 1);
  }

  @Test
  void constraintsSayWhatIsViolated() {
    assertThat(CONSTRAINT.violation(shape(5, 3))).isEqualTo(StallCause.COMPONENT_CONSTRAINT);
    assertThat(CONSTRAINT.violation(shape(4, 3))).isNull();
    assertThat(CONSTRAINT.violation(shape(6, 9))).isEqualTo(StallCause.L0_STOP);
    assertThat(CONSTRAINT.violation(shape(0, 0))).isNull();
  }

  /** The stall log accounts for all the time that writers waited. */
  @Test
  void stallsAddUpToWhatWritersWaited() {
    for (long seed = 0; seed < 30; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageEnv env = sim.env();
        StallLog stalls = new StallLog(5);
        WriteGate gate = new WriteGate(3, env, stalls, WriteControl.STOP);
        Random random = new Random(seed);
        long[] waited = new long[1];
        Runnable writer =
            () -> {
              for (int i = 0; i < PASSES; i++) {
                long start = env.clock().nanoTime();
                assertThat(gate.pass(100, WriteGate.NO_DEADLINE, MAY_WAIT)).isTrue();
                long nanos = env.clock().nanoTime() - start; // a switch may come in between
                waited[0] += nanos;
                env.waiter().pause(random.nextInt(2_000_000));
              }
            };
        Runnable engine =
            () -> {
              for (int i = 0; i < 30; i++) {
                gate.update(CONSTRAINT, shape(random.nextInt(9), 2));
                env.waiter().pause(random.nextInt(5_000_000));
              }
              gate.update(CONSTRAINT, shape(0, 2));
            };
        sim.run(writer, writer, writer, engine);
        StallLog.Snapshot log = stalls.snapshot(env.clock().nanoTime());
        long logged = log.totals().values().stream().mapToLong(StallLog.Totals::nanos).sum();
        assertThat(logged).as("seed " + seed).isPositive();
        assertThat(waited[0] - logged)
            .as("seed " + seed + ", not booked of " + waited[0])
            .isBetween(0L, SLACK_NANOS * PASSES * 3);
        assertThat(log.totals().values()).allMatch(totals -> totals.activeCount() == 0);
        assertThat(log.recent()).hasSize(5);
      }
    }
  }

  @Test
  void aStallIsBookedExactlyOnceAndSeenWhileItLasts() {
    StallLog log = new StallLog(2);
    StallLog.Stall memory = log.begin(StallCause.WRITE_MEMORY_FULL, StallLog.NO_TREE, -50);
    StallLog.Stall first = log.begin(StallCause.L0_STOP, 4, 0);
    assertThat(log.snapshot(10).totals().get(StallCause.L0_STOP))
        .isEqualTo(new StallLog.Totals(1, 1, 10, 10));
    first.end(30);
    first.end(500);
    log.begin(StallCause.L0_STOP, 5, 40).end(45);
    memory.end(50);
    StallLog.Snapshot end = log.snapshot(1000);
    assertThat(end.totals().get(StallCause.L0_STOP)).isEqualTo(new StallLog.Totals(2, 0, 35, 30));
    assertThat(end.totals().get(StallCause.WRITE_MEMORY_FULL))
        .isEqualTo(new StallLog.Totals(1, 0, 100, 100));
    assertThat(end.totals().get(StallCause.LOG_FULL)).isEqualTo(new StallLog.Totals(0, 0, 0, 0));
    assertThat(end.recent())
        .containsExactly(
            new StallLog.Event(StallCause.L0_STOP, 5, 40, 5),
            new StallLog.Event(StallCause.WRITE_MEMORY_FULL, StallLog.NO_TREE, -50, 100));
  }

  @Test
  void aDeadlineEndsTheWaitAndTheWaitIsBooked() {
    try (Simulation sim = Simulation.seeded(9)) {
      StorageEnv env = sim.env();
      StallLog stalls = new StallLog(5);
      WriteGate gate = new WriteGate(3, env, stalls, WriteControl.STOP);
      gate.update(CONSTRAINT, shape(6, 0));
      long start = env.clock().nanoTime();
      assertThat(gate.pass(1, start + 5_000_000, MAY_WAIT)).isFalse();
      assertThat(env.clock().nanoTime() - start).isBetween(5_000_000L, 5_000_000L + SLACK_NANOS);
      assertThat(stalls.snapshot(0).totals().get(StallCause.L0_STOP).nanos())
          .isBetween(5_000_000L - SLACK_NANOS, 5_000_000L + SLACK_NANOS);
      assertThat(gate.pass(1, start, MAY_WAIT)).as("a deadline that is past").isFalse();
    }
  }

  /** Asking whether a writer may go on waiting does not end its wait, nor make it several. */
  @Test
  void whatTheWriterIsAskedMayEndTheWait() {
    try (Simulation sim = Simulation.seeded(13)) {
      StorageEnv env = sim.env();
      StallLog stalls = new StallLog(5);
      WriteGate gate = new WriteGate(3, env, stalls, WriteControl.STOP);
      gate.update(CONSTRAINT, shape(6, 0));
      long start = env.clock().nanoTime();
      Runnable notAfterTwoSeconds =
          () -> {
            if (env.clock().nanoTime() - start > 2_000_000_000) {
              throw new ClosedException("the engine was closed");
            }
          };
      assertThatThrownBy(() -> gate.pass(1, WriteGate.NO_DEADLINE, notAfterTwoSeconds))
          .isInstanceOf(ClosedException.class);
      long waited = env.clock().nanoTime() - start;
      assertThat(waited).isBetween(2_000_000_000L, 2_200_000_000L);
      assertThatThrownBy(() -> gate.pass(1, WriteGate.NO_DEADLINE, notAfterTwoSeconds))
          .isInstanceOf(ClosedException.class);
      StallLog.Totals totals = stalls.snapshot(0).totals().get(StallCause.L0_STOP);
      assertThat(totals.count()).as("who may not wait at all does not stall").isEqualTo(1);
      assertThat(totals.activeCount()).isZero();
      assertThat(waited - totals.nanos()).isBetween(0L, 110_000_000L);
    }
  }

  @Test
  void aReleasedGateHoldsNobody() {
    try (Simulation sim = Simulation.seeded(10)) {
      StorageEnv env = sim.env();
      WriteGate gate = new WriteGate(3, env, new StallLog(5), WriteControl.STOP);
      gate.update(CONSTRAINT, shape(6, 0));
      boolean[] passed = new boolean[2];
      sim.run(
          () -> passed[0] = gate.pass(1, WriteGate.NO_DEADLINE, MAY_WAIT),
          () -> {
            env.waiter().pause(1_000_000);
            gate.release();
          });
      passed[1] = gate.pass(1, WriteGate.NO_DEADLINE, MAY_WAIT);
      assertThat(passed).containsExactly(true, true);
    }
  }

  @Test
  void aControlMayDelayWritesBeforeAnythingIsViolated() {
    try (Simulation sim = Simulation.seeded(11)) {
      StorageEnv env = sim.env();
      StallLog stalls = new StallLog(5);
      WriteControl slow = (violation, bytes, now) -> bytes * 1000;
      WriteGate gate = new WriteGate(3, env, stalls, slow);
      long start = env.clock().nanoTime();
      assertThat(gate.pass(5000, WriteGate.NO_DEADLINE, MAY_WAIT)).isTrue();
      assertThat(env.clock().nanoTime() - start).isBetween(5_000_000L, 5_000_000L + SLACK_NANOS);
      assertThat(stalls.snapshot(0).totals().get(StallCause.WRITE_CONTROL).count()).isEqualTo(1);
    }
  }

  @Test
  void anOpenGateIsFree() {
    try (Simulation sim = Simulation.seeded(12)) {
      StallLog stalls = new StallLog(1);
      WriteGate gate = new WriteGate(3, sim.env(), stalls, WriteControl.STOP);
      long before = sim.traceHash();
      assertThat(gate.pass(1, WriteGate.NO_DEADLINE, MAY_WAIT)).isTrue();
      assertThat(sim.traceHash()).isEqualTo(before);
    }
  }
}
