package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.HookedWaiter;
import org.loam.common.env.Waiter;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.SwitchPoints;
import org.loam.log.TransactionLog;

/** Schedules of threads that find work for others under the commit latch. */
@Tag("once")
@Explored
class CommitLatchScheduleTest {
  private static final int SCHEDULES = 300;
  private static final int TIMES = 4;

  /** A thread that is woken under the latch may keep all writers waiting. */
  @Test
  void whatIsFoundUnderTheLatchIsToldWhenItIsFreeAgain() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          TransactionLog log = AdmissionScheduleTest.openLog(sim);
          Waiter waiter = switching(sim.env().waiter());
          CommitLatch latch = new CommitLatch(waiter, log, true, () -> {}, e -> {});
          Set<Thread> inside = ConcurrentHashMap.newKeySet();
          AtomicInteger found = new AtomicInteger();
          AtomicInteger told = new AtomicInteger();
          latch.onWork(
              () -> {
                assertThat(inside).as("in the latch").doesNotContain(Thread.currentThread());
                told.incrementAndGet();
              });
          Runnable finder =
              () -> {
                for (int i = 0; i < TIMES; i++) {
                  latch.underLatch(
                      () -> {
                        inside.add(Thread.currentThread());
                        latch.noteWork();
                        found.incrementAndGet();
                        inside.remove(Thread.currentThread());
                      });
                }
              };
          sim.run(finder, () -> latch.underLatch(() -> {}), finder);
          assertThat(told.get()).as("how often workers were told").isEqualTo(found.get());
          sim.run(log::close);
        });
  }

  /** Without heap, for instance: the next thread that gives the latch back wakes them. */
  @Test
  void workersThatCouldNotBeWokenAreWokenLater() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          TransactionLog log = AdmissionScheduleTest.openLog(sim);
          Waiter waiter = switching(sim.env().waiter());
          CommitLatch latch = new CommitLatch(waiter, log, true, () -> {}, e -> {});
          AtomicReference<Thread> exhausted = new AtomicReference<>();
          AtomicInteger found = new AtomicInteger();
          AtomicInteger told = new AtomicInteger();
          latch.onWork(
              () -> {
                int known = found.get();
                if (Thread.currentThread() == exhausted.get()) {
                  throw new OutOfMemoryError("planned");
                }
                told.accumulateAndGet(known, Math::max);
              });
          Runnable finder =
              () -> {
                for (int i = 0; i < TIMES; i++) {
                  latch.underLatch(
                      () -> {
                        latch.noteWork();
                        found.incrementAndGet();
                      });
                }
              };
          sim.run(
              finder,
              () -> {
                exhausted.set(Thread.currentThread());
                assertThatThrownBy(finder::run).isInstanceOf(OutOfMemoryError.class);
              });
          sim.run(() -> latch.underLatch(() -> {}));
          assertThat(told.get()).as("what workers were told of").isEqualTo(found.get());
          sim.run(log::close);
        });
  }

  /** What follows is durable without the log, so it must not outlive a write that it came after. */
  @Test
  void whatReadersSeeIsDurableAfterAWaitForIt() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          TransactionLog log = AdmissionScheduleTest.openLog(sim);
          CommitLatch latch = new CommitLatch(sim.env().waiter(), log, false, () -> {}, e -> {});
          sim.run(() -> latch.start(log.endLsn()));
          Runnable writer =
              () -> {
                for (int i = 0; i < TIMES; i++) {
                  latch.underLatch(
                      () -> {
                        log.mark(1, 0);
                        latch.applied(log.endLsn());
                      });
                }
              };
          sim.run(
              writer,
              () -> {
                long seen = latch.publishedEnd();
                latch.awaitDurable();
                assertThat(log.durableLsn()).isGreaterThanOrEqualTo(seen);
              });
          sim.run(log::close);
        });
  }

  /** Another thread may have the latch before the one that gave it back goes on. */
  private static Waiter switching(Waiter waiter) {
    return new HookedWaiter(waiter) {
      @Override
      protected void givenBack(String monitor) {
        SwitchPoints.access();
      }
    };
  }
}
