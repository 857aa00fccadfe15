package org.loam.engine.commit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Epochs;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.InsertionPoints;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.lsm.memory.VersionRetention;

/**
 * The way of a write: admission, copy into memory, one frame of the log, insertion, publication,
 * acknowledgement. Thread-safe.
 *
 * <p>Whatever can be refused is refused before the frame is appended, under the {@link
 * CommitLatch}; a failure after it fences.
 */
public final class Committer {
  /** A batch of more takes many pages. */
  private static final int LARGE_BYTES = 64 << 10;

  private static final long DONE = 0;
  private static final long RETRY = -1;
  private static final long NO_MEMORY = -2;
  private static final long NO_ROOM_IN_LOG = -3;
  private static final long REFUSED = -4;

  private final Operations operations;
  private final Epochs memoryEpochs;
  private final CommitLog log;
  private final CommitLatch latch;
  private final WriteMemory writeMemory;
  private final LargeBatches largeBatches;
  private final Admission admission;
  private final WriteWaits waits;

  /** Grows under the latch, after what was before shows again. */
  private final AtomicLong undos = new AtomicLong();

  /** An encoded batch, at an address, and its checksum; {@link #NONE} below a host's log. */
  private record Payload(long address, int bytes, int crc) {
    static final Payload NONE = new Payload(0, 0, 0);
  }

  /** What the committer works with. */
  public record Parts(
      Operations operations,
      Epochs memoryEpochs,
      CommitLog log,
      CommitLatch latch,
      WriteMemory writeMemory,
      LargeBatches largeBatches,
      Admission admission,
      WriteWaits waits) {}

  public Committer(Parts parts) {
    this.operations = parts.operations();
    this.memoryEpochs = parts.memoryEpochs();
    this.log = parts.log();
    this.latch = parts.latch();
    this.writeMemory = parts.writeMemory();
    this.largeBatches = parts.largeBatches();
    this.admission = parts.admission();
    this.waits = parts.waits();
  }

  /** When a write that begins now has to be admitted. */
  public long deadlineNanos(WriteTerms terms) {
    return waits.deadlineNanos(terms);
  }

  /**
   * Writes a batch and waits as its durability asks.
   *
   * @param deadline of {@link #deadlineNanos}
   * @param condition checked under the latch, right before the frame, with the record of the first
   *     write; null for none
   * @return false if the condition did not hold; nothing was written then
   */
  public boolean write(
      PreparedBatch batch, WriteTerms terms, long deadline, @Nullable LongPredicate condition) {
    long end = apply(batch, terms, deadline, condition);
    if (end == REFUSED) {
      return false;
    }
    awaitAcknowledgement(end, terms);
    return true;
  }

  /** Writes a batch whatever is there, and waits as its durability asks. */
  public void write(PreparedBatch batch, WriteTerms terms) {
    write(batch, terms, deadlineNanos(terms), null);
  }

  /** Waits as the durability of a write asks that was applied. */
  public void awaitAcknowledgement(long endLsn, WriteTerms terms) {
    if (latch.isSync() || terms.forced()) {
      log.awaitDurable(endLsn, Long.MAX_VALUE);
    }
  }

  /**
   * Writes a batch. It shows, but is not promised before {@link #awaitAcknowledgement}.
   *
   * @param deadline of {@link #deadlineNanos}
   * @return the exclusive end of its frame
   */
  public long apply(PreparedBatch batch, WriteTerms terms, long deadline) {
    return apply(batch, terms, deadline, null);
  }

  private long apply(
      PreparedBatch batch, WriteTerms terms, long deadline, @Nullable LongPredicate condition) {
    if (batch.size() == 0) {
      return DONE;
    }
    largeBatches.requireFits(batch);
    writeMemory.requireFits(batch);
    admission.admit(batch, terms, deadline);
    while (true) {
      long outcome = lacksRoom(batch) ? NO_MEMORY : attempt(batch, condition);
      if (outcome >= DONE || outcome == REFUSED) {
        return outcome;
      }
      if (outcome == NO_MEMORY) {
        waits.awaitMemory(batch, terms, deadline);
      } else if (outcome == NO_ROOM_IN_LOG) {
        waits.awaitLog(batch, terms, deadline);
      }
    }
  }

  /** Whether an attempt would take many pages in vain. */
  private boolean lacksRoom(PreparedBatch batch) {
    return batch.dataBytes() > LARGE_BYTES && !writeMemory.mayHaveRoom(batch);
  }

  /** Returns the exclusive end of the frame, or why there is none. */
  private long attempt(PreparedBatch batch, @Nullable LongPredicate condition) {
    OperationContext context = operations.enter();
    try {
      if (log.isHosted()) {
        return commit(context, Payload.NONE, batch, condition);
      }
      int bytes = (int) batch.payloadBytes();
      if (bytes <= context.workspace.scratchBytes()) {
        return encode(context, context.workspace.scratch(), batch, condition);
      }
      long buffer = largeBatches.borrow();
      try {
        return encode(context, buffer, batch, condition);
      } finally {
        largeBatches.giveBack();
      }
    } finally {
      operations.exit(context);
    }
  }

  private long encode(
      OperationContext context,
      long buffer,
      PreparedBatch batch,
      @Nullable LongPredicate condition) {
    int bytes = (int) batch.payloadBytes();
    context.encoder.reset(buffer, bytes);
    batch.encode(context.encoder);
    int crc = context.crc.reset().update(buffer, bytes).value();
    return commit(context, new Payload(buffer, bytes, crc), batch, condition);
  }

  private long commit(
      OperationContext context,
      Payload payload,
      PreparedBatch batch,
      @Nullable LongPredicate condition) {
    operations.requireOpen();
    int slot = memoryEpochs.enter();
    try {
      if (!batch.prepare(context.points)) {
        return NO_MEMORY;
      }
      latch.lock();
      try {
        return append(context.points, payload, batch, condition);
      } finally {
        latch.unlock();
      }
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  private long append(
      InsertionPoints points,
      Payload payload,
      PreparedBatch batch,
      @Nullable LongPredicate condition) {
    latch.requireNotFenced();
    batch.requireWritable();
    if (!batch.isPrepared()) {
      return RETRY;
    }
    if (condition != null && !condition.test(batch.record(0))) {
      return REFUSED;
    }
    if (!batch.reserve()) {
      return NO_MEMORY;
    }
    long lsn = log.append(payload.address(), payload.bytes(), payload.crc());
    if (lsn == CommitLog.NO_ROOM) {
      return NO_ROOM_IN_LOG;
    }
    try {
      batch.insert(lsn, log.isHosted() ? VersionRetention.ALL : latch.reads(), points);
      long end = log.endLsn();
      latch.applied(end);
      writeMemory.afterInsert(batch, end, log.lengthBytes());
      return end;
    } catch (Throwable t) {
      // The frame is in the log but not in all of its trees: no reader may see the rest.
      latch.fence(t);
      throw t;
    }
  }

  /**
   * Takes back the newest write of a key that is in the active component.
   *
   * @return false if there is none
   */
  public boolean undo(LsmTree tree, byte[] key) {
    OperationContext context = operations.enter();
    try {
      return undo(tree, context.workspace.putKey(key), key.length);
    } finally {
      operations.exit(context);
    }
  }

  /** Grows with each undo that was tried, also one that found no write to take back. */
  public long undos() {
    return undos.get();
  }

  private boolean undo(LsmTree tree, long key, int keyLength) {
    int slot = memoryEpochs.enter();
    try {
      latch.lock();
      try {
        latch.requireNotFenced();
        MemoryComponent active = tree.active();
        long newest = active.find(key, keyLength, Long.MAX_VALUE);
        return newest > 0 && active.undo(key, keyLength, MemoryRecord.lsn(newest));
      } finally {
        undos.incrementAndGet();
        latch.unlock();
      }
    } finally {
      memoryEpochs.exit(slot);
    }
  }
}
