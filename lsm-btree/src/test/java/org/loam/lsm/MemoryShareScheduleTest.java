package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** The share of a tree is read without a lock, between any two accesses of the thread that adds. */
@Tag("once")
@Explored
class MemoryShareScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int LOOKS = 8;

  @Test
  void aReaderSeesTheMeanOfWhatWasAddedThen() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          MemoryShare share = new MemoryShare(300);
          sim.run(
              () -> {
                share.add(1.2);
                share.add(.5);
                share.add(0);
                share.add(0);
                share.add(0);
              },
              () -> {
                long before = 1000;
                for (int i = 0; i < LOOKS; i++) {
                  long now = share.of(1000);
                  assertThat(now).isIn(1000L, 750L, 500L, 375L, 300L).isLessThanOrEqualTo(before);
                  before = now;
                }
              });
          assertThat(share.of(1000)).isEqualTo(300);
        });
  }
}
