package org.loam.engine.commit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.loam.common.codec.Crc32c;
import org.loam.common.mem.Epochs;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.log.CommitLog;
import org.loam.log.CommitLog.Appended;
import org.loam.log.format.BatchEncoder;
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

  /** How an attempt ended. */
  private enum Outcome {
    /** The batch is written and knows the end of its frame. */
    DONE,
    /** The condition did not hold. */
    REFUSED,
    /** A component was frozen meanwhile, or nothing was attempted yet. */
    RETRY,
    NO_MEMORY,
    NO_ROOM_IN_LOG
  }

  private final Operations operations;
  private final Epochs memoryEpochs;
  private final CommitLog log;
  private final CommitLatch latch;
  private final BatchRoom room;
  private final FlushTrigger trigger;
  private final LargeBatches largeBatches;
  private final Admission admission;
  private final WriteWaits waits;
  private final ObjIntConsumer<byte[]> observer;

  /** Grows under the latch, after what was before shows again. */
  private final AtomicLong undos = new AtomicLong();

  /** By the slots of operations; each is used by the operation in its slot alone. */
  private final @Nullable WriteScratch[] scratch = new WriteScratch[Operations.MAX_CONCURRENT];

  /** What the committer works with. */
  public record Parts(
      Operations operations,
      Epochs memoryEpochs,
      CommitLog log,
      CommitLatch latch,
      MemoryPath memory,
      LargeBatches largeBatches,
      Admission admission,
      WriteWaits waits) {}

  /**
   * @param observer is told the key and the tree of each write after its insert, by its writer,
   *     outside of the latch
   */
  public Committer(Parts parts, ObjIntConsumer<byte[]> observer) {
    this.operations = parts.operations();
    this.memoryEpochs = parts.memoryEpochs();
    this.log = parts.log();
    this.latch = parts.latch();
    this.room = parts.memory().room();
    this.trigger = parts.memory().trigger();
    this.largeBatches = parts.largeBatches();
    this.admission = parts.admission();
    this.waits = parts.waits();
    this.observer = observer;
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
    if (!isApplied(batch, terms, deadline, condition)) {
      return false;
    }
    awaitAcknowledgement(batch.endLsn(), terms);
    return true;
  }

  /** Writes a batch whatever is there, and waits as its durability asks. */
  public void write(PreparedBatch batch, WriteTerms terms) {
    write(batch, terms, deadlineNanos(terms), null);
  }

  /**
   * Writes or deletes one key, which was checked, and waits as its durability asks. Allocates
   * nothing if it has to wait for neither memory nor the log.
   *
   * @param value null to delete
   */
  public void write(LsmTree tree, byte[] key, byte @Nullable [] value, WriteTerms terms) {
    long deadline = deadlineNanos(terms);
    long valueBytes = value == null ? 0 : value.length;
    if (key.length + valueBytes > LARGE_BYTES) {
      PreparedBatch own = new PreparedBatch(1);
      own.write(tree, key, value);
      write(own, terms, deadline, null);
      return;
    }
    admission.admit(tree, key.length + valueBytes, terms, deadline);
    Outcome outcome;
    long endLsn;
    OperationContext context = operations.enter();
    try {
      PreparedBatch one = scratchOf(context).one;
      try {
        one.write(tree, key, value);
        requireFits(one);
        outcome = lacksRoom(one) ? Outcome.NO_MEMORY : attempt(context, one, null);
        endLsn = one.endLsn();
      } finally {
        one.clear();
      }
    } finally {
      operations.exit(context);
    }
    if (outcome == Outcome.DONE) {
      observer.accept(key, tree.treeId());
    } else {
      // A writer that waits holds no slot, so it needs a batch of its own.
      PreparedBatch own = new PreparedBatch(1);
      own.write(tree, key, value);
      goOn(outcome, own, terms, deadline, null);
      endLsn = own.endLsn();
    }
    awaitAcknowledgement(endLsn, terms);
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
    isApplied(batch, terms, deadline, null);
    return batch.endLsn();
  }

  /** False if the condition did not hold. */
  private boolean isApplied(
      PreparedBatch batch, WriteTerms terms, long deadline, @Nullable LongPredicate condition) {
    if (batch.size() == 0) {
      return true;
    }
    requireFits(batch);
    admission.admit(batch, terms, deadline);
    return goOn(Outcome.RETRY, batch, terms, deadline, condition) == Outcome.DONE;
  }

  /** Refuses a batch that will never be taken. A host's log holds it whatever its size. */
  private void requireFits(PreparedBatch batch) {
    if (!log.isHosted()) {
      largeBatches.requireFits(batch);
    }
    room.requireFits(batch);
  }

  /** Waits for what an attempt lacked, and tries again, until the batch is written or refused. */
  private Outcome goOn(
      Outcome first,
      PreparedBatch batch,
      WriteTerms terms,
      long deadline,
      @Nullable LongPredicate condition) {
    Outcome outcome = first;
    while (true) {
      switch (outcome) {
        case DONE -> {
          batch.tell(observer);
          return outcome;
        }
        case REFUSED -> {
          return outcome;
        }
        case NO_MEMORY -> waits.awaitMemory(batch, terms, deadline);
        case NO_ROOM_IN_LOG -> waits.awaitLog(batch, terms, deadline);
        case RETRY -> {}
      }
      outcome = lacksRoom(batch) ? Outcome.NO_MEMORY : attempt(batch, condition);
    }
  }

  /** Whether an attempt may not be made, or would take many pages in vain. */
  private boolean lacksRoom(PreparedBatch batch) {
    return batch.dataBytes() > LARGE_BYTES ? !room.mayBeThere(batch) : !room.isAdmitted(batch);
  }

  private Outcome attempt(PreparedBatch batch, @Nullable LongPredicate condition) {
    OperationContext context = operations.enter();
    try {
      return attempt(context, batch, condition);
    } finally {
      operations.exit(context);
    }
  }

  private WriteScratch scratchOf(OperationContext context) {
    WriteScratch found = scratch[context.slot()];
    if (found == null) {
      found = new WriteScratch();
      scratch[context.slot()] = found;
    }
    return found;
  }

  private Outcome attempt(
      OperationContext context, PreparedBatch batch, @Nullable LongPredicate condition) {
    WriteScratch own = scratchOf(context);
    long most = log.isHosted() ? LARGE_BYTES : context.workspace.scratchBytes();
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
        MemoryComponent active = tree.active(key, keyLength);
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

  /**
   * What one attempt to write at a time works with, so that it allocates nothing. It belongs to a
   * slot of {@link Operations}.
   */
  private static final class WriteScratch {
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
