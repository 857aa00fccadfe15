package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.asterix.common.context.BaseOperationTracker;
import org.apache.asterix.common.context.DatasetInfo;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMOperationTracker;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndex;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of writes to an empty component beside operators that open to write to it. */
@Explored
class NeededLogScheduleTest {
  private static final int SCHEDULES = 500;

  /** A component, and the log. */
  private static final class World {
    private final Simulation sim;
    private final ILSMOperationTracker tracker = tracker();
    private final LoamMemoryComponent component = component(tracker);
    private final AtomicLong endLsn = new AtomicLong();
    private final AtomicLong firstLsn = new AtomicLong();

    World(Simulation sim) {
      this.sim = sim;
    }

    @SuppressWarnings("NullAway") // It is a monitor here.
    private static ILSMOperationTracker tracker() {
      return new BaseOperationTracker(1, (DatasetInfo) null);
    }

    @SuppressWarnings("NullAway") // Nothing else of it is used.
    private static LoamMemoryComponent component(ILSMOperationTracker tracker) {
      return new LoamMemoryComponent(
          (AbstractLSMIndex) null, null, null, null, tracker, () -> false);
    }

    /** As LSMIndexUtil.checkAndSetFirstLSN. */
    void open() {
      synchronized (tracker) {
        if (!component.isModified()) {
          sim.env().waiter().spin();
          firstLsn.set(endLsn.get());
        }
      }
    }

    void write() {
      sim.env().waiter().spin();
      component.setModified();
      long record = endLsn.getAndIncrement();
      sim.env().waiter().spin();
      assertThat(firstLsn.get()).isLessThanOrEqualTo(record);
    }
  }

  @Test
  void noRecordIsBelowTheFirstLsnOfItsComponent() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          Runnable operator =
              () -> {
                world.open();
                world.write();
              };
          sim.run(operator, operator, operator);
        });
  }
}
