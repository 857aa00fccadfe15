package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.scheduler.work.StallCause;

/** Schedules of a writer that gives up while the work that it waited for fails and succeeds. */
@Tag("once")
@Explored
class WorkFaultsScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int ROUNDS = 3;

  @Test
  void aWriterNamesOneFaultOrNone() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WorkFaults faults = new WorkFaults(treeId -> true);
          StorageIoException planned = new StorageIoException("planned");
          sim.run(
              () -> {
                for (int i = 0; i < ROUNDS; i++) {
                  faults.failed(true, planned);
                  faults.succeeded(true);
                }
              },
              () -> {
                DeadlineException late =
                    faults.tooLate("t", WriteTerms.DEFAULT, StallCause.LOG_FULL, "");
                if (late.getCause() == null) {
                  assertThat(late).hasMessageNotContaining("failure");
                } else {
                  assertThat(late)
                      .hasCause(planned)
                      .hasMessageContaining("last failure of a flush: planned");
                }
              });
        });
  }

  @Test
  void ofThreadsThatFailAndSucceedTogetherOneIsToldOfTheChange() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WorkFaults faults = new WorkFaults(treeId -> true);
          StorageIoException planned = new StorageIoException("planned");
          AtomicInteger changes = new AtomicInteger();
          Runnable fail = () -> count(faults.failed(true, planned), changes);
          Runnable succeed = () -> count(faults.succeeded(true), changes);
          sim.run(fail, fail);
          assertThat(changes).hasValue(1);
          sim.run(succeed, succeed);
          assertThat(changes).hasValue(2);
        });
  }

  @Test
  void ofMergesOfATreeThatMeetDamageTogetherOneIsToldThatItIsNew() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WorkFaults faults = new WorkFaults(treeId -> true);
          StorageIoException planned = new StorageIoException("planned");
          AtomicInteger changes = new AtomicInteger();
          Runnable meet = () -> count(faults.damaged(1, planned), changes);
          sim.run(meet, meet);
          assertThat(changes).hasValue(1);
        });
  }

  @Test
  void whatEndsAFaultForgetsNoLaterOne() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WorkFaults faults = new WorkFaults(treeId -> true);
          faults.failed(true, new StorageIoException("planned"));
          WorkFaults.Failure known = faults.behind(StallCause.LOG_FULL);
          sim.run(
              () -> faults.endedForFlushes(known),
              () -> faults.failed(true, new StorageIoException("later")));
          assertThat(faults.lastOfFlushes()).isEqualTo("later");
        });
  }

  private static void count(boolean isChange, AtomicInteger changes) {
    if (isChange) {
      changes.incrementAndGet();
    }
  }

  @Test
  void aKindOfFaultIsNewUntilTheWorkSucceeds() {
    WorkFaults faults = new WorkFaults(treeId -> true);
    assertThat(faults.failed(true, new StorageIoException("first"))).isTrue();
    assertThat(faults.failed(true, new StorageIoException("second"))).isFalse();
    assertThat(faults.failed(false, new StorageIoException("a merge"))).isTrue();
    assertThat(faults.failed(true, new DiskFullException("full", 2, 1))).isTrue();
    assertThat(faults.lastOfFlushes()).isEqualTo("full");
    assertThat(faults.lastOfMerges()).isEqualTo("a merge");
    faults.succeeded(true);
    assertThat(faults.lastOfFlushes()).isNull();
    assertThat(faults.failed(true, new DiskFullException("full", 2, 1))).isTrue();
  }
}
