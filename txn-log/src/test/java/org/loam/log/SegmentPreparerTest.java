package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.log.recover.LogChain;

/** The preparing thread makes segments ready, hands faults to waiting writers, and ends. */
class SegmentPreparerTest {
  private static final LogConfig CONFIG = new LogConfig(16 << 10, 1 << 20, 2, 1_000_000);

  private final Simulation sim = Simulation.seeded(1);
  private final LogFence fence = new LogFence();
  private SegmentSlots slots;
  private SegmentPreparer preparer;

  @BeforeEach
  void create() {
    StorageEnv env = sim.env();
    env.files().createDirectories(sim.directory());
    LiveSegments live = new LiveSegments(env, new LogChain(List.of(), 0), 0);
    SegmentNumbers numbers = new SegmentNumbers(CONFIG.segmentBytes(), 1, 0, 1, 0);
    slots = new SegmentSlots(env, CONFIG, live, fence, numbers);
    SegmentFiles files =
        new SegmentFiles(env.files(), sim.directory(), 1, CONFIG, new LogProgress(0));
    preparer = new SegmentPreparer(files, slots, fence);
  }

  @AfterEach
  void release() {
    slots.release();
    preparer.close();
    sim.close();
  }

  @Test
  void asManySegmentsAreReadyAsConfigured() {
    sim.run(
        preparer::run,
        () -> {
          for (int i = 0; i < 5; i++) {
            LogSegment first = awaitReady();
            assertThat(first.header().slot()).isEqualTo(i);
            slots.takeReady();
            first.release();
          }
          sim.env().waiter().pause(10_000_000_000L);
          assertThat(sim.disk().files()).as("five taken, two ready").hasSize(7);
          slots.stop();
        });
  }

  @Test
  void aFreeFileBecomesASegmentAgain() {
    LogSegment first = preparer.prepareOne();
    first.release();
    slots.addFree(List.of(first));
    LogSegment second = preparer.prepareOne();
    second.release();
    assertThat(second.path()).isEqualTo(first.path());
    assertThat(second.header().sequence()).isEqualTo(first.header().sequence() + 1);
    assertThat(second.header().baseLsn())
        .isEqualTo(first.header().baseLsn() + CONFIG.segmentBytes());
  }

  /** A failed force must not be repeated, so the file is no segment any more. */
  @Test
  void aFreeFileWhoseForceFailsIsDeleted() {
    LogSegment first = preparer.prepareOne();
    first.release();
    slots.addFree(List.of(first));
    sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.FORCE).nth(1));
    assertThatThrownBy(preparer::prepareOne).isInstanceOf(StorageIoException.class);
    assertThat(sim.disk().files()).doesNotContain(first.path());
    LogSegment second = preparer.prepareOne();
    second.release();
    assertThat(second.path()).as("numbers are given once").isNotEqualTo(first.path());
    assertThat(second.header().sequence()).isEqualTo(first.header().sequence() + 2);
  }

  /** As for lack of file descriptors: nothing was written, so the files stay what they were. */
  @Test
  void freeFilesThatCannotBeOpenedAreKept() {
    List<LogSegment> freed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      freed.add(preparer.prepareOne());
    }
    freed.forEach(LogSegment::release);
    slots.addFree(freed);
    sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.OPEN).nth(1));
    assertThatThrownBy(preparer::prepareOne).isInstanceOf(StorageIoException.class);
    assertThat(sim.disk().files()).hasSize(3);
    LogSegment next = preparer.prepareOne();
    next.release();
    assertThat(next.path()).isEqualTo(freed.get(0).path());
    assertThat(next.header().sequence()).as("numbers are given once").isEqualTo(5);
  }

  /** A writer that waits for room paces the attempts; they do not follow each other at once. */
  @Test
  void freeFilesThatCannotBeOpenedAreTriedAtTimes() {
    List<LogSegment> freed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      freed.add(preparer.prepareOne());
    }
    freed.forEach(LogSegment::release);
    slots.addFree(freed);
    sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.OPEN).asSticky());
    sim.run(
        preparer::run,
        () -> {
          for (int i = 0; i < 3; i++) {
            sim.env().waiter().pause(CONFIG.retryNanos());
            assertThatThrownBy(this::awaitReady)
                .isInstanceOf(StorageIoException.class)
                .hasMessageStartingWith("no new log segment: ");
          }
          assertThat(sim.faults().callsFailed()).isLessThanOrEqualTo(4);
          sim.faults().clear();
          sim.env().waiter().pause(CONFIG.retryNanos());
          awaitReady();
          slots.stop();
        });
    assertThat(sim.disk().files()).hasSize(3);
  }

  @Test
  void filesOfWhichNoSegmentCanBeMadeAreDeleted() {
    Path unfinished = sim.directory().resolve("log-000005.seg.new");
    sim.disk().put(unfinished, new byte[10]);
    slots.adopt(List.of(), List.of(unfinished));
    preparer.deleteUnwanted();
    assertThat(sim.disk().files()).isEmpty();
  }

  @Test
  void filesBeyondThoseThatTheLogKeepsAreDeleted() {
    List<LogSegment> freed = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      freed.add(preparer.prepareOne());
    }
    freed.forEach(LogSegment::release);
    slots.addFree(freed);
    slots.retain(3);
    sim.run(preparer::run, this::awaitReadyAndStop);
    assertThat(sim.disk().files()).hasSize(3);
  }

  private void awaitReadyAndStop() {
    awaitReady();
    sim.env().waiter().pause(10_000_000_000L);
    slots.stop();
  }

  @Test
  void aWaitingWriterGetsTheFaultAndItsNextCallTriesAgain() {
    sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.CREATE).nth(1));
    sim.run(
        preparer::run,
        () -> {
          assertThatThrownBy(this::awaitReady)
              .isInstanceOf(StorageIoException.class)
              .hasMessageStartingWith("no new log segment: ");
          assertThat(slots.fault()).isInstanceOf(StorageIoException.class);
          sim.env().waiter().pause(CONFIG.retryNanos());
          assertThat(awaitReady().header().sequence()).as("the first is lost").isEqualTo(2);
          assertThat(slots.fault()).isNull();
          slots.stop();
        });
  }

  @Test
  void aWriterWaitsUntilItsDeadlineAtMost() {
    long deadline = sim.env().clock().nanoTime() + 1000;
    assertThat(slots.awaitRoom(() -> false, deadline)).isFalse();
  }

  @Test
  void afterTheStopNoWriterWaits() {
    slots.stop();
    assertThatThrownBy(this::awaitReady).isInstanceOf(ClosedException.class);
  }

  @Test
  void aFenceEndsTheThreadAndEveryWait() {
    sim.run(
        preparer::run,
        () -> {
          awaitReady();
          sim.env().waiter().pause(10_000_000_000L);
          fence.raise(new StorageIoException("a force failed"));
          slots.wake();
        },
        () ->
            assertThatThrownBy(() -> slots.awaitRoom(() -> false, Long.MAX_VALUE))
                .isInstanceOf(FencedException.class));
  }

  private LogSegment awaitReady() {
    slots.awaitRoom(() -> slots.peekReady() != null, Long.MAX_VALUE);
    return slots.peekReady();
  }
}
