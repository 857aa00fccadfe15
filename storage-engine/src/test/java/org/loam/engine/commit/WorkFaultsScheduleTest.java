package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.scheduler.work.BackgroundOperation;
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
          WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
          StorageIoException planned = new StorageIoException("planned");
          sim.run(
              () -> {
                for (int i = 0; i < ROUNDS; i++) {
                  faults.flushFailed(0, planned);
                  faults.flushSucceeded(Set.of(0));
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
          WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
          StorageIoException planned = new StorageIoException("planned");
          AtomicInteger changes = new AtomicInteger();
          Runnable fail = () -> count(faults.flushFailed(0, planned), changes);
          Runnable succeed = () -> count(faults.flushSucceeded(Set.of(0)), changes);
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
          WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
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
          WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
          faults.flushFailed(0, new StorageIoException("planned"));
          Map<Integer, WorkFaults.Failure> known = faults.ofFlushes();
          sim.run(
              () -> faults.endedForFlushes(known),
              () -> faults.flushFailed(0, new StorageIoException("later")));
          assertThat(faults.lastOfFlushes()).isEqualTo("later");
        });
  }

  /** The tree of the earlier failure was dropped, and another one in its directory is due. */
  @Test
  void aLookForgetsNoLaterFault() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          AtomicBoolean isDue = new AtomicBoolean();
          WorkFaults faults = new WorkFaults(treeId -> true, directory -> isDue.get());
          faults.flushFailed(0, new StorageIoException("planned"));
          sim.run(
              faults::lastOfFlushes,
              () -> {
                isDue.set(true);
                faults.flushFailed(0, new StorageIoException("later"));
              });
          assertThat(faults.lastOfFlushes()).isEqualTo("later");
        });
  }

  @Test
  void aFlushSaysNothingOfAnotherDirectory() {
    WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
    StorageIoException planned = new StorageIoException("planned");
    assertThat(faults.flushFailed(1, planned)).isTrue();
    assertThat(faults.flushFailed(2, planned)).isTrue();
    assertThat(faults.flushFailed(BackgroundOperation.NO_DIRECTORY, planned)).isTrue();
    assertThat(faults.flushSucceeded(Set.of(0))).as("the manifest takes edits").isTrue();
    assertThat(faults.flushSucceeded(Set.of(0))).isFalse();
    assertThat(faults.flushSucceeded(Set.of(0, 1))).isTrue();
    assertThat(faults.lastOfFlushes()).isEqualTo("planned");
    assertThat(faults.flushSucceeded(Set.of(2))).isTrue();
    assertThat(faults.lastOfFlushes()).isNull();
  }

  private static void count(boolean isChange, AtomicInteger changes) {
    if (isChange) {
      changes.incrementAndGet();
    }
  }

  @Test
  void aKindOfFaultIsNewUntilTheWorkSucceeds() {
    WorkFaults faults = new WorkFaults(treeId -> true, directory -> true);
    assertThat(faults.flushFailed(0, new StorageIoException("first"))).isTrue();
    assertThat(faults.flushFailed(0, new StorageIoException("second"))).isFalse();
    assertThat(faults.mergeFailed(new StorageIoException("a merge"))).isTrue();
    assertThat(faults.flushFailed(0, new DiskFullException("full", 2, 1))).isTrue();
    assertThat(faults.lastOfFlushes()).isEqualTo("full");
    assertThat(faults.lastOfMerges()).isEqualTo("a merge");
    faults.flushSucceeded(Set.of(0));
    assertThat(faults.lastOfFlushes()).isNull();
    assertThat(faults.flushFailed(0, new DiskFullException("full", 2, 1))).isTrue();
  }
}
