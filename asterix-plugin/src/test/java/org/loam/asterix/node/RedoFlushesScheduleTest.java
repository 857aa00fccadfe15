package org.loam.asterix.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of an engine that wants a flush while a recovery is at its end. */
@Explored
class RedoFlushesScheduleTest {
  private static final int SCHEDULES = 1000;

  @Test
  void aFlushThatComesAsTheRecoveryEndsIsMadeOnce() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          RedoFlushes flushes = new RedoFlushes();
          flushes.begin();
          AtomicInteger made = new AtomicInteger();
          sim.run(
              () -> {
                if (!flushes.hold("tree")) {
                  made.incrementAndGet();
                }
              },
              () -> {
                made.addAndGet(flushes.take().size());
                made.addAndGet(flushes.end().size());
              });
          assertThat(made).hasValue(1);
          assertThat(flushes.hold("tree")).isFalse();
        });
  }
}
