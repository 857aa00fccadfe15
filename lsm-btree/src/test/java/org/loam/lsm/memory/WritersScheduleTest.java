package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of writers that look for places while others split what they look at. */
@Tag("once")
@Explored
class WritersScheduleTest {
  @Test
  void aRootLeafThatIsSplitBesideASearchLosesNothing() {
    Schedules.explore(
        1000,
        sim -> {
          try (SplittingRoot root = new SplittingRoot(sim.env().waiter())) {
            sim.run(() -> root.write(0), () -> root.write(1));
            assertThat(root.keys()).isEqualTo(SplittingRoot.expectedKeys());
          }
        });
  }
}
