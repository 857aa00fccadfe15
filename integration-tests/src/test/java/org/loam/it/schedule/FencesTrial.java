package org.loam.it.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.FencedException;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.Admission;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.WorkFaults;
import org.loam.log.LogConfig;
import org.loam.log.TransactionLog;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteGate;

/**
 * A log that fences itself while the commit latch begins to listen to it; in half of the schedules
 * another thread fences the latch for another cause. Every refusal names the same cause, the
 * listener is told that one, and a writer that waited is refused. Without an engine around them a
 * schedule has few accesses, so that each of them is likely to be the one at which it switches.
 */
public final class FencesTrial extends ScheduleTrial {
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 1 << 20, 2, 1_000_000);
  private static final int QUESTIONS = 2;

  /** To be run in instrumented code. */
  public FencesTrial() {
    super(FencesTrial::world);
  }

  static void world(Simulation sim) {
    Life life = new Life(sim);
    sim.run(() -> undisturbed(life::open));
    List<Runnable> clients = new ArrayList<>();
    clients.add(life::listen);
    clients.add(() -> life.log().fence(new IllegalStateException("of the log")));
    clients.add(life::write);
    if (coin(sim, 0)) {
      clients.add(life::fence);
    }
    sim.run(clients.toArray(Runnable[]::new));
    life.check();
    sim.run(life.log()::close);
  }

  /** A latch over a log, a gate that is shut, and what came of the fences. */
  private static final class Life {
    private final Simulation sim;
    private final WriteGate gate;
    private final List<Throwable> told = new ArrayList<>();
    private final List<Throwable> named = new ArrayList<>();
    private boolean waits;
    private @Nullable TransactionLog log;
    private @Nullable CommitLatch latch;

    Life(Simulation sim) {
      this.sim = sim;
      StallLog stalls =
          new StallLog(
              1,
              (cause, treeId) -> {
                waits = true;
                return null;
              });
      gate = new WriteGate(1, sim.env(), stalls);
      gate.set(StallCause.L0_STOP);
    }

    TransactionLog log() {
      return Objects.requireNonNull(log);
    }

    private CommitLatch latch() {
      return Objects.requireNonNull(latch);
    }

    void open() {
      TransactionLog opened =
          TransactionLog.open(sim.env(), sim.directory().resolve("log"), CONFIG, 7);
      opened.replay(0, (lsn, endLsn, address, length) -> {});
      opened.start(0);
      log = opened;
      latch = new CommitLatch(sim.env().waiter(), opened, true, gate::release, told::add);
    }

    void listen() {
      latch().start(log().endLsn());
      ask();
    }

    void fence() {
      latch().fence(new IllegalStateException("of another thread"));
      ask();
    }

    void write() {
      Admission admission =
          new Admission(
              sim.env().clock(),
              latch(),
              () -> {},
              new WorkFaults(treeId -> true, directory -> true),
              gate);
      try {
        gate.pass(1, WriteGate.NO_DEADLINE, admission::requireMayWait);
        Check.that(!waits, "a writer that waited is let into a fenced engine");
      } catch (FencedException e) {
        named.add(Objects.requireNonNull(e.getCause()));
      }
      for (int i = 0; i < QUESTIONS; i++) {
        ask();
      }
    }

    private void ask() {
      try {
        latch().requireNotFenced();
      } catch (FencedException e) {
        named.add(Objects.requireNonNull(e.getCause()));
      }
    }

    void check() {
      ask();
      Check.that(!named.isEmpty(), "the latch has not learnt that the log is fenced");
      Check.that(log().isFenced(), "the log is not fenced");
      Throwable cause = named.get(0);
      Check.that(named.stream().allMatch(c -> c == cause), "refusals name " + named);
      Check.that(!told.isEmpty() && told.stream().allMatch(c -> c == cause), "told is " + told);
    }
  }
}
