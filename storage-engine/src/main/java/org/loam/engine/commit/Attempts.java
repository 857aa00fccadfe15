package org.loam.engine.commit;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.loam.common.codec.Crc32c;
import org.loam.common.mem.Epochs;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.log.CommitLog;
import org.loam.log.CommitLog.Appended;
import org.loam.log.format.BatchEncoder;
import org.loam.lsm.memory.InsertionPoints;
import org.loam.lsm.memory.VersionRetention;

/**
 * Attempts to write a batch, none of which waits for memory or for the log: encoding, copy into
 * memory, one frame of the log, insertion, publication. Thread-safe.
 *
 * <p>Whatever can be refused is refused before the frame is appended, under the {@link
 * CommitLatch}; a failure after it fences.
 */
public final class Attempts {
  /** How an attempt ended. */
  enum Outcome {
    /** The batch is written and knows the end of its frame. */
    DONE,
    /** The condition did not hold. */
    REFUSED,
    /** A component was frozen meanwhile, or nothing was attempted yet. */
    RETRY,
    /** The memory scheme has the batch wait; nothing was attempted. */
    NOT_ADMITTED,
    NO_MEMORY,
    NO_ROOM_IN_LOG
  }

  private final Operations operations;
  private final Epochs memoryEpochs;
  private final CommitLog log;
  private final CommitLatch latch;
  private final FlushTrigger trigger;
  private final LargeBatches largeBatches;

  /** By the slots of operations; each is used by the operation in its slot alone. */
  private final @Nullable WriteScratch[] scratch = new WriteScratch[Operations.MAX_CONCURRENT];

  /** Attempts of all writers of an engine. */
  public Attempts(
      Operations operations,
      Epochs memoryEpochs,
      CommitLog log,
      CommitLatch latch,
      FlushTrigger trigger,
      LargeBatches largeBatches) {
    this.operations = operations;
    this.memoryEpochs = memoryEpochs;
    this.log = log;
    this.latch = latch;
    this.trigger = trigger;
    this.largeBatches = largeBatches;
  }

  /** Makes an attempt in an operation of its own. */
  Outcome attempt(PreparedBatch batch, @Nullable LongPredicate condition) {
    OperationContext context = operations.enter();
    try {
      return attempt(context, batch, condition);
    } finally {
      operations.exit(context);
    }
  }

  /** What an operation works with, as long as it has its slot. */
  WriteScratch scratchOf(OperationContext context) {
    WriteScratch found = scratch[context.slot()];
    if (found == null) {
      found = new WriteScratch();
      scratch[context.slot()] = found;
    }
    return found;
  }

  /**
   * Makes an attempt.
   *
   * @param context of the operation that the caller is in
   * @param condition checked under the latch, right before the frame, with the record of the first
   *     write; null for none
   */
  Outcome attempt(
      OperationContext context, PreparedBatch batch, @Nullable LongPredicate condition) {
    WriteScratch own = scratchOf(context);
    long most = log.isHosted() ? LargeBatches.THRESHOLD_BYTES : context.workspace.scratchBytes();
    if (batch.payloadBytes() <= most) {
      encode(own, batch, context.workspace.scratch());
      return commit(own, batch, condition);
    }
    long buffer = largeBatches.borrow();
    try {
      encode(own, batch, buffer);
      return commit(own, batch, condition);
    } finally {
      largeBatches.giveBack();
    }
  }

  private void encode(WriteScratch own, PreparedBatch batch, long buffer) {
    if (log.isHosted()) {
      own.encodeNothing();
    } else {
      own.encode(batch, buffer);
    }
  }

  private Outcome commit(WriteScratch own, PreparedBatch batch, @Nullable LongPredicate condition) {
    operations.requireOpen();
    int slot = memoryEpochs.enter();
    try {
      if (!batch.prepare(own.points)) {
        return Outcome.NO_MEMORY;
      }
      latch.lock();
      try {
        return append(own, batch, condition);
      } finally {
        latch.unlock();
      }
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  private Outcome append(WriteScratch own, PreparedBatch batch, @Nullable LongPredicate condition) {
    latch.requireNotFenced();
    batch.requireWritable();
    if (!batch.isPrepared()) {
      return Outcome.RETRY;
    }
    if (condition != null && !condition.test(batch.record(0))) {
      return Outcome.REFUSED;
    }
    if (!batch.reserve()) {
      return Outcome.NO_MEMORY;
    }
    if (log.append(own.payload(), own.payloadBytes(), own.payloadCrc()) == Appended.NO_ROOM) {
      return Outcome.NO_ROOM_IN_LOG;
    }
    try {
      long lsn = log.lastLsn();
      batch.insert(lsn, log.isHosted() ? VersionRetention.ALL : latch.reads(), own.points);
      long end = log.endLsn();
      latch.applied(end);
      trigger.afterInsert(batch, end, log.lengthBytes());
      batch.written(end);
      return Outcome.DONE;
    } catch (Throwable t) {
      // The frame is in the log but not in all of its trees: no reader may see the rest.
      latch.fence(t);
      throw t;
    }
  }

  /**
   * What one attempt to write at a time works with, so that it allocates nothing. It belongs to a
   * slot of {@link Operations}.
   */
  static final class WriteScratch {
    /** For a write of one key; empty between two of them. */
    final PreparedBatch one = new PreparedBatch(1);

    final InsertionPoints points = new InsertionPoints();
    private final BatchEncoder encoder = new BatchEncoder();
    private final Crc32c checksum = new Crc32c();
    private long payload;
    private int payloadBytes;
    private int payloadCrc;

    /** Encodes a batch for the log. */
    void encode(PreparedBatch batch, long buffer) {
      payload = buffer;
      payloadBytes = (int) batch.payloadBytes();
      encoder.reset(buffer, payloadBytes);
      batch.encode(encoder);
      payloadCrc = checksum.reset().update(buffer, payloadBytes).value();
    }

    /** Nothing is encoded: a host has the log. */
    void encodeNothing() {
      payload = 0;
      payloadBytes = 0;
      payloadCrc = 0;
    }

    /** Address of what was encoded. */
    long payload() {
      return payload;
    }

    int payloadBytes() {
      return payloadBytes;
    }

    int payloadCrc() {
      return payloadCrc;
    }
  }
}
