package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.log.LogConfig;
import org.loam.log.TransactionLog;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteGate;

/** Schedules of a writer that waits while the engine is closed. */
@Tag("once")
@Explored
class AdmissionScheduleTest {
  private static final int SCHEDULES = 300;
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 1 << 20, 2, 1_000_000);

  /** A writer that was let through without a wait is refused by the slots of operations. */
  @Test
  void aWriterThatWaitsIsRefused() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          AtomicBoolean waits = new AtomicBoolean();
          StallLog stalls =
              new StallLog(
                  1,
                  (cause, treeId) -> {
                    waits.set(true);
                    return null;
                  });
          WriteGate gate = new WriteGate(StallLog.NO_TREE, sim.env(), stalls);
          gate.set(StallCause.L0_STOP);
          TransactionLog log = openLog(sim);
          CommitLatch latch =
              new CommitLatch(sim.env().waiter(), log, true, gate::release, cause -> {});
          Admission admission =
              new Admission(
                  sim.env().clock(), latch, () -> {}, new WorkFaults(treeId -> true), gate);
          sim.run(() -> write(gate, admission, waits), admission::stop);
          sim.run(log::close);
        });
  }

  private static void write(WriteGate gate, Admission admission, AtomicBoolean waits) {
    try {
      gate.pass(1, WriteGate.NO_DEADLINE, admission::requireMayWait);
      if (waits.get()) {
        throw new AssertionError("a writer that waited is let into an engine that closes");
      }
    } catch (ClosedException e) {
      assertThatThrownBy(admission::requireMayWait).isInstanceOf(ClosedException.class);
    }
  }

  static TransactionLog openLog(Simulation sim) {
    TransactionLog[] opened = new TransactionLog[1];
    sim.run(
        () -> {
          TransactionLog log =
              TransactionLog.open(sim.env(), sim.directory().resolve("log"), CONFIG, 7);
          log.replay(0, (lsn, endLsn, address, length) -> {});
          log.start(0);
          opened[0] = log;
        });
    return opened[0];
  }
}
