package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DeadlineException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.log.LogConfig;
import org.loam.log.TransactionLog;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteGate;

/** Schedules of a writer that waits while the engine is closed. */
@Tag("once")
@Explored
class AdmissionScheduleTest {
  private static final int SCHEDULES = 300;
  private static final int SCHEDULES_OF_DAMAGE = 50;
  private static final long HOPELESS_NANOS = 30_000_000_000L;
  private static final EngineConfigBuilder SMALL = SmallEngine.config();
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
                  sim.env().clock(),
                  latch,
                  () -> {},
                  new WorkFaults(treeId -> true, directory -> true),
                  gate);
          sim.run(() -> write(gate, admission, waits), admission::stop);
          sim.run(log::close);
        });
  }

  /** The gate opens at about the time when the damage would end the wait. */
  @Test
  void aWriterWhoseTreeHasRoomIsNotRefusedForItsDamage() {
    Schedules.explore(
        SCHEDULES_OF_DAMAGE,
        sim -> {
          OpenEngine engine = Schedules.prepare(sim, () -> SmallEngine.open(sim, SMALL));
          LsmTree tree = Schedules.prepare(sim, () -> SmallEngine.createTree(engine, "t"));
          WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
          Admission admission = admission(sim, engine, new RefusedAtStop(faults));
          tree.gate().set(StallCause.L0_STOP);
          sim.run(
              () -> admitted(sim, admission, tree),
              () -> {
                sim.env().waiter().pause(HOPELESS_NANOS / 2);
                faults.damaged(tree.treeId(), new CorruptionException("planned"));
                sim.env().waiter().pause(HOPELESS_NANOS / 2);
                tree.gate().set(null);
              });
          sim.run(engine::close);
        });
  }

  /** Whenever the damage becomes known: before the writer comes, while it waits, or later. */
  @Test
  void aWriterThatWaitsForADamagedTreeIsRefusedInTheEnd() {
    Schedules.explore(
        SCHEDULES_OF_DAMAGE,
        sim -> {
          OpenEngine engine = Schedules.prepare(sim, () -> SmallEngine.open(sim, SMALL));
          LsmTree tree = Schedules.prepare(sim, () -> SmallEngine.createTree(engine, "t"));
          WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
          Admission admission = admission(sim, engine, faults);
          tree.gate().set(StallCause.L0_STOP);
          long knownNanos = sim.env().random().nextLong(2 * HOPELESS_NANOS);
          sim.run(
              () -> assertThat(admitted(sim, admission, tree)).isFalse(),
              () -> {
                sim.env().waiter().pause(knownNanos);
                faults.damaged(tree.treeId(), new CorruptionException("planned"));
              });
          sim.run(engine::close);
        });
  }

  private static Admission admission(Simulation sim, OpenEngine engine, Admission.LateWrites late) {
    WriteGate memoryGate = engine.writes().admission().memoryGate();
    return new Admission(sim.env().clock(), engine.writes().latch(), () -> {}, late, memoryGate);
  }

  /** Whether a writer is let in. It is not refused before its time. */
  private static boolean admitted(Simulation sim, Admission admission, LsmTree tree) {
    long begun = sim.env().clock().nanoTime();
    try {
      admission.admit(List.of(tree), WriteTerms.DEFAULT, WriteGate.NO_DEADLINE);
      return true;
    } catch (CorruptionException e) {
      assertThat(sim.env().clock().nanoTime() - begun).isGreaterThanOrEqualTo(HOPELESS_NANOS);
      return false;
    }
  }

  /** Refuses writers only of a tree whose gate is shut; asked under the lock of the gate. */
  private record RefusedAtStop(WorkFaults faults) implements Admission.LateWrites {
    @Override
    public void requireSound(LsmTree tree, StallCause cause) {
      assertThat(tree.gate().violation()).isEqualTo(cause);
      faults.requireSound(tree, cause);
    }

    @Override
    public DeadlineException tooLate(String target, WriteTerms terms, StallCause cause, String of) {
      return faults.tooLate(target, terms, cause, of);
    }
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
