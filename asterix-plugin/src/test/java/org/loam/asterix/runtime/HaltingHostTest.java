package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.asterix.app.replication.message.NCLifecycleTaskReportMessage;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIoOperation;
import org.apache.hyracks.storage.am.lsm.common.impls.SynchronousScheduler;
import org.apache.hyracks.util.ExitUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.error.DiskFullException;
import org.loam.common.quiet.QuietLog;

/** A node does not go on without its engine, or after a flush or merge that failed. */
@ExtendWith(QuietLog.class)
class HaltingHostTest {
  private static final HyracksDataException FULL =
      HyracksDataException.create(new DiskFullException("no room: 2 bytes free", 3, 2));

  private final List<Integer> codes = new ArrayList<>();
  private boolean isStarting;
  private final StartFault fault = new StartFault(() -> isStarting, Optional::empty);
  private final HaltingHost host = new HaltingHost(() -> 7, fault, codes::add);

  @Test
  void aNodeWhoseEngineTakesNoMoreWritesIsHalted() {
    assertThat(host.endLsn()).isEqualTo(7);
    assertThat(StandardError.during(() -> host.fenced(new IllegalStateException("planned"))))
        .isEmpty();
    assertThat(codes).containsExactly(ExitUtil.EC_IO_OPERATION_FAILED);
  }

  @Test
  void aNodeWhoseFlushFailsIsHalted() {
    assertThat(StandardError.during(() -> host.operationFailed(NoOpIoOperation.INSTANCE, FULL)))
        .isEmpty();
    assertThat(codes).containsExactly(ExitUtil.EC_IO_OPERATION_FAILED);
  }

  @Test
  void aNodeWhoseSchedulerFailsIsHalted() {
    host.schedulerFailed(new SynchronousScheduler(host), FULL);
    assertThat(codes).containsExactly(ExitUtil.EC_IO_SCHEDULER_FAILED);
  }

  /** As AsterixDB tells the cluster controller how the tasks of a start have ended. */
  @SuppressWarnings("NullAway") // Null stands for no failure, and for no counters.
  private static NCLifecycleTaskReportMessage report(@Nullable Exception failure) {
    NCLifecycleTaskReportMessage report =
        new NCLifecycleTaskReportMessage("nc1", failure == null, null, Set.of());
    report.setException(failure);
    return report;
  }

  @Test
  void otherMessagesAreNoFailure() {
    assertThat(
            StandardError.during(
                () -> {
                  host.willSend(report(null));
                  host.willSend(context -> {});
                }))
        .isEmpty();
  }

  /** As when the recovery fails because a flush does, or a flush after a task. */
  @Test
  void aPartOfAStartThatFailsIsSaidOnce() {
    isStarting = true;
    assertThat(
            StandardError.during(
                () -> {
                  host.willSend(report(new IllegalStateException("Failed to redo", FULL)));
                  host.willSend(report(FULL));
                  host.operationFailed(NoOpIoOperation.INSTANCE, FULL);
                }))
        .startsWith("org.loam.asterix.runtime.StartException: the start failed: Failed to redo: ")
        .hasLineCount(1);
    assertThat(codes).containsExactly(ExitUtil.EC_IO_OPERATION_FAILED);
  }

  /** Flushes of several indexes may fail, and the engine with them. */
  @Test
  void aStartSaysInOneLineWhyItEndsTheNode() {
    isStarting = true;
    assertThat(
            StandardError.during(
                () -> {
                  host.operationFailed(NoOpIoOperation.INSTANCE, FULL);
                  host.operationFailed(NoOpIoOperation.INSTANCE, FULL);
                  host.fenced(FULL);
                  host.willSend(report(FULL));
                }))
        .startsWith("org.loam.asterix.runtime.StartException: the start failed: ")
        .endsWith(
            "no room: 2 bytes free; start the node again when there is room"
                + System.lineSeparator())
        .hasLineCount(1);
    assertThat(codes).containsExactly(ExitUtil.EC_IO_OPERATION_FAILED);
  }

  /** Of two threads that end the node, the second holds what the first one waits for. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void aThreadThatHaltsTheNodeDoesNotWaitForAnother() {
    isStarting = true;
    HaltingHost halting =
        new HaltingHost(
            () -> 7, fault, code -> CompletableFuture.runAsync(() -> fault.willEnd(FULL)).join());
    assertThat(StandardError.during(() -> halting.operationFailed(NoOpIoOperation.INSTANCE, FULL)))
        .hasLineCount(1);
  }
}
