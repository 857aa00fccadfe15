package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.log.TransactionLog;

/** Schedules of threads that find work for others under the commit latch. */
@Tag("once")
@Explored
class CommitLatchScheduleTest {
  private static final int SCHEDULES = 300;

  /** A thread that is woken under the latch may keep all writers waiting. */
  @Test
  void whatIsFoundUnderTheLatchIsToldWhenItIsFreeAgain() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          TransactionLog log = AdmissionScheduleTest.openLog(sim);
          CommitLatch latch = new CommitLatch(sim.env().waiter(), log, true, () -> {}, e -> {});
          Set<Thread> inside = ConcurrentHashMap.newKeySet();
          AtomicInteger found = new AtomicInteger();
          AtomicInteger told = new AtomicInteger();
          latch.onWork(
              () -> {
                assertThat(inside).as("in the latch").doesNotContain(Thread.currentThread());
                told.accumulateAndGet(found.get(), Math::max);
              });
          Runnable finder =
              () ->
                  latch.underLatch(
                      () -> {
                        inside.add(Thread.currentThread());
                        found.incrementAndGet();
                        latch.noteWork();
                        inside.remove(Thread.currentThread());
                      });
          Runnable other = () -> latch.underLatch(() -> {});
          sim.run(finder, other, finder);
          assertThat(told.get()).as("what workers were told of").isEqualTo(found.get());
          sim.run(log::close);
        });
  }
}
