package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.loam.common.env.Monitor;
import org.loam.common.error.DiskFullException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of operations that come to a tree in which a failed load has left entries. */
@Explored
class CleanTreeScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int EMPTIED = 10;

  /** A tree that was replaced is dropped: it answers with an error. */
  @Test
  void allGoToTheTreeWithoutTheRest() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Monitor clearing = sim.env().waiter().newMonitor("clearing of trees");
          CleanTree<Integer> tree = new CleanTree<>(clearing, old -> old + EMPTIED);
          tree.show(1);
          tree.leaveRest();
          Runnable operation = () -> assertThat(tree.get()).isEqualTo(1 + EMPTIED);
          sim.run(operation, operation, operation);
          assertThat(tree.hasRest()).isFalse();
        });
  }

  @Test
  void whatCouldNotBeRemovedIsRemovedOnce() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Monitor clearing = sim.env().waiter().newMonitor("clearing of trees");
          AtomicInteger attempts = new AtomicInteger();
          CleanTree<Integer> tree =
              new CleanTree<>(
                  clearing,
                  old -> {
                    if (attempts.incrementAndGet() == 1) {
                      throw new DiskFullException("planned", 1, 0);
                    }
                    return old + EMPTIED;
                  });
          tree.show(1);
          tree.leaveRest();
          sim.run(() -> assertThatThrownBy(tree::get).isInstanceOf(DiskFullException.class));
          Runnable operation = () -> assertThat(tree.get()).isEqualTo(1 + EMPTIED);
          sim.run(operation, operation);
          assertThat(attempts).hasValue(2);
        });
  }
}
