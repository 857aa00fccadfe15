package org.loam.engine.commit;

import org.loam.common.env.NanoClock;
import org.loam.log.CommitLog;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/**
 * The waits of a write for memory and for the log. A writer that waits holds no latch and no slot,
 * and is on record. Thread-safe.
 */
public final class WriteWaits {
  /** How long a stalled writer sleeps before it looks again by itself. */
  private static final long LOOK_AGAIN_NANOS = 1_000_000;

  /** As long as no flush is on its way while a write waits for memory: the host begins none. */
  private static final long HOPELESS_NANOS = 30_000_000_000L;

  private final NanoClock clock;
  private final CommitLog log;
  private final CommitLatch latch;
  private final StallLog stalls;
  private final MemoryPath memory;
  private final Admission admission;

  public WriteWaits(
      NanoClock clock,
      CommitLog log,
      CommitLatch latch,
      StallLog stalls,
      MemoryPath memory,
      Admission admission) {
    this.clock = clock;
    this.log = log;
    this.latch = latch;
    this.stalls = stalls;
    this.memory = memory;
    this.admission = admission;
  }

  /** When a write that begins now has to be admitted. */
  long deadlineNanos(WriteTerms terms) {
    return terms.deadlineNanos(clock);
  }

  /**
   * Waits until a batch may find room in write memory.
   *
   * @param lackedPages whether it found too little; else it was not admitted
   */
  void awaitMemory(PreparedBatch batch, boolean lackedPages, WriteTerms terms, long deadline) {
    if (memory.room().borrowIfTooSmall(batch)) {
      return;
    }
    StallCause cause = StallCause.WRITE_MEMORY_FULL;
    long startNanos = clock.nanoTime();
    StallLog.Stall stall = stalls.begin(cause, batch.tree(0).treeId(), startNanos);
    long hopeNanos = startNanos;
    boolean lacksPages = lackedPages;
    boolean[] made = new boolean[1];
    try {
      do {
        if (memory.freezer().mayWaitForFlush()) {
          hopeNanos = clock.nanoTime();
        } else if (clock.nanoTime() - hopeNanos > HOPELESS_NANOS) {
          throw memory.room().lacking(batch, HOPELESS_NANOS);
        }
        admission.requireMayWait();
        boolean lacks = lacksPages;
        if (lacks) {
          memory.room().queue(batch);
        } else {
          memory.room().leave(batch);
        }
        if (!lacks || memory.room().isFirst(batch)) {
          latch.underLatch(() -> made[0] = memory.trigger().makeRoom(batch, lacks, log.endLsn()));
        }
        if (made[0]) {
          return;
        }
        if (leftNanos(deadline) <= 0) {
          throw admission.tooLate(batch.tree(0).toString(), terms, cause, "");
        }
        memory.pages().awaitFreed(Math.min(LOOK_AGAIN_NANOS, leftNanos(deadline)));
        memory.pages().collect();
        lacksPages = memory.room().isAdmitted(batch);
      } while (!hasRoom(batch));
    } finally {
      stall.end(clock.nanoTime());
    }
  }

  private boolean hasRoom(PreparedBatch batch) {
    if (memory.room().borrowIfTooSmall(batch) || memory.room().mayBeThere(batch)) {
      return true;
    }
    if (!memory.freezer().mayWaitForFlush()) {
      // The host begins no flush before the writes under way have ended.
      if (memory.room().borrow(batch)) {
        return true;
      }
      latch.underLatch(() -> memory.freezer().wantAll(log.endLsn()));
    }
    return false;
  }

  /** Waits until the log has room for a batch. */
  void awaitLog(PreparedBatch batch, WriteTerms terms, long deadline) {
    StallCause cause = StallCause.LOG_FULL;
    StallLog.Stall stall = stalls.begin(cause, StallLog.NO_TREE, clock.nanoTime());
    try {
      boolean room;
      do {
        admission.requireMayWait();
        latch.underLatch(() -> makeRoomInLog(batch.payloadBytes()));
        if (leftNanos(deadline) <= 0) {
          throw admission.tooLate(batch.tree(0).toString(), terms, cause, "");
        }
        long until = clock.nanoTime() + Math.min(10 * LOOK_AGAIN_NANOS, leftNanos(deadline));
        room = log.awaitRoom((int) batch.payloadBytes(), until);
      } while (!room);
    } finally {
      stall.end(clock.nanoTime());
    }
  }

  /**
   * Has memory flushed if the log is too long for a batch, or if there is no file for its next
   * segment, which a flush may spare. Else the next segment is only late.
   */
  private void makeRoomInLog(long payloadBytes) {
    boolean lacksFile = log.segmentFault() != null;
    long neededBytes = lacksFile ? Long.MAX_VALUE : log.lengthBytes() + payloadBytes;
    memory.trigger().makeRoomInLog(log.endLsn(), neededBytes);
  }

  private long leftNanos(long deadline) {
    return WriteTerms.leftNanos(deadline, clock);
  }
}
