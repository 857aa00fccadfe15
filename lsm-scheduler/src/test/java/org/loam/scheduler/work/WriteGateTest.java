package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.common.env.HookedWaiter;
import org.loam.common.env.StorageEnv;
import org.loam.common.sim.Simulation;

class WriteGateTest {
  /** What the simulated clock may move between two readings with nothing in between. */
  private static final long SLACK_NANOS = 20_000;

  private static final int PASSES = 40;

  static final Runnable MAY_WAIT = () -> {};

  /** Of a tree of which only its constraint and its control matter. */
  static final WriteControl.L0 SOME_L0 = new WriteControl.L0(0, 1, 0, 0);

  /** As a tree does whose constraint has two causes. */
  private static void update(WriteGate gate, int l0Depth) {
    StallCause violation =
        l0Depth > 5 ? StallCause.L0_STOP : l0Depth > 4 ? StallCause.COMPONENT_CONSTRAINT : null;
    gate.update(violation, WriteControl.STOP, SOME_L0);
  }

  /** The stall log accounts for all the time that writers waited. */
  @Test
  void stallsAddUpToWhatWritersWaited() {
    for (long seed = 0; seed < 30; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageEnv env = sim.env();
        StallLog stalls = new StallLog(5);
        WriteGate gate = new WriteGate(3, env, stalls);
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
                update(gate, random.nextInt(9));
                env.waiter().pause(random.nextInt(5_000_000));
              }
              update(gate, 0);
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
  void anOpenGateIsFree() {
    try (Simulation sim = Simulation.seeded(12)) {
      StallLog stalls = new StallLog(1);
      WriteGate gate = new WriteGate(3, sim.env(), stalls);
      long before = sim.traceHash();
      assertThat(gate.pass(1, WriteGate.NO_DEADLINE, MAY_WAIT)).isTrue();
      assertThat(sim.traceHash()).isEqualTo(before);
    }
  }

  /** A thread that waits for a lock takes heap. */
  @Test
  void aGateIsOpenedOnAnExhaustedHeap() {
    try (Simulation sim = Simulation.seeded(13)) {
      OutOfMemoryError error = new OutOfMemoryError("no heap");
      boolean[] isExhausted = new boolean[1];
      StorageEnv env = sim.env();
      HookedWaiter waiter =
          new HookedWaiter(env.waiter()) {
            @Override
            protected void locking(String monitor) {
              if (isExhausted[0]) {
                throw error;
              }
            }
          };
      WriteGate gate =
          new WriteGate(
              3,
              new StorageEnv(env.files(), env.clock(), waiter, env.tasks(), env.random()),
              new StallLog(1));
      gate.set(StallCause.INDEX_BUILD);
      isExhausted[0] = true;
      assertThatThrownBy(() -> gate.set(null)).isSameAs(error);
      assertThat(gate.isOpen()).isTrue();
      assertThat(gate.pass(1, WriteGate.NO_DEADLINE, MAY_WAIT)).isTrue();
    }
  }
}
