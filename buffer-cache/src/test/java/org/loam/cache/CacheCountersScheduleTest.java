package org.loam.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of reads, of background work, and of a look at the counts. */
@Tag("once")
@Explored
class CacheCountersScheduleTest {
  private static final int SCHEDULES = 500;
  private static final long LONG_AFTER = 1L << 40;

  private static boolean isBeside(CacheCounters counters) {
    long before = counters.besideRequests();
    counters.requested(AccessClass.QUERY, counters.readBegins());
    return counters.besideRequests() > before;
  }

  /** Of all reads some are beside background work, whenever one looks. */
  @Test
  void noMoreReadsAreBesideThanThereAre() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          CacheCounters counters = new CacheCounters(PageObserver.NONE, () -> 0);
          counters.backgroundBegins();
          sim.run(
              () -> counters.requested(AccessClass.QUERY, counters.readBegins()),
              () -> {
                long beside = counters.besideRequests();
                assertThat(counters.requests(AccessClass.QUERY)).isGreaterThanOrEqualTo(beside);
              });
          assertThat(counters.besideRequests()).isEqualTo(1);
        });
  }

  /** When two requests have ended none runs, and with the next one, one does. */
  @Test
  void requestsThatRunAreAllCounted() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          long[] now = new long[1];
          CacheCounters counters = new CacheCounters(PageObserver.NONE, () -> now[0]);
          sim.run(
              () -> {
                counters.wrote(1, counters.backgroundBegins());
                counters.backgroundEnds();
              },
              () -> {
                counters.backgroundBegins();
                counters.backgroundEnds();
              });
          now[0] = LONG_AFTER;
          assertThat(isBeside(counters)).isFalse();
          counters.backgroundBegins();
          assertThat(isBeside(counters)).isTrue();
        });
  }
}
