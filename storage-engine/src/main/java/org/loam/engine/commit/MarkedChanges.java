package org.loam.engine.commit;

import java.util.function.LongConsumer;
import org.loam.common.env.NanoClock;
import org.loam.log.CommitLog;
import org.loam.lsm.manifest.Manifest;

/**
 * Changes that are no writes: the manifest has them, and a mark in the log gives each the LSN from
 * which on readers see it. Thread-safe.
 */
public final class MarkedChanges {
  /** How long one wait for room in the log takes at most. */
  private static final long LOOK_AGAIN_NANOS = 10_000_000;

  private final NanoClock clock;
  private final Manifest manifest;
  private final CommitLog log;
  private final CommitLatch latch;
  private final FlushTrigger trigger;
  private final Admission admission;

  public MarkedChanges(
      NanoClock clock,
      Manifest manifest,
      CommitLog log,
      CommitLatch latch,
      FlushTrigger trigger,
      Admission admission) {
    this.clock = clock;
    this.manifest = manifest;
    this.log = log;
    this.latch = latch;
    this.trigger = trigger;
    this.admission = admission;
  }

  /**
   * Waits until there is room in the log for {@link #publish}, and keeps it until then or until
   * {@link #unreserve}.
   *
   * @throws org.loam.common.error.DiskFullException if there is none for lack of space
   */
  public void reserve() {
    long number = manifest.fileNumber();
    long forcedBytes = manifest.forcedBytes();
    boolean[] kept = new boolean[1];
    while (true) {
      latch.underLatch(
          () -> {
            latch.requireNotFenced();
            kept[0] = log.keepMark(number, forcedBytes);
            if (!kept[0]) {
              trigger.flushForLog(log.endLsn());
            }
          });
      if (kept[0]) {
        return;
      }
      admission.requireMayWait();
      log.awaitMarkRoom(clock.nanoTime() + LOOK_AGAIN_NANOS);
    }
  }

  /** Gives up what {@link #reserve} kept. */
  public void unreserve() {
    latch.underLatch(log::releaseMark);
  }

  /**
   * Lets a change show; a reader that has begun before does not see it.
   *
   * @param show takes the LSN of the change, under the latch
   */
  public void publish(LongConsumer show) {
    long number = manifest.fileNumber();
    long forcedBytes = manifest.forcedBytes();
    latch.lock();
    try {
      latch.requireNotFenced();
      show.accept(log.keptMark(number, forcedBytes));
      latch.applied(log.endLsn());
    } catch (Throwable t) {
      // The manifest has it, and readers may or may not see it.
      latch.fence(t);
      throw t;
    } finally {
      latch.unlock();
    }
  }
}
