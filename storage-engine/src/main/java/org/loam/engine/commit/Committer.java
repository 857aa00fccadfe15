package org.loam.engine.commit;

import java.util.function.LongPredicate;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;
import org.loam.engine.commit.Attempts.Outcome;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.Pacer.Turn;

/**
 * The way of a write: admission, {@link Attempts} with waits between them until one succeeds or is
 * refused, acknowledgement. Thread-safe.
 */
public final class Committer {
  private final Operations operations;
  private final CommitLog log;
  private final CommitLatch latch;
  private final BatchRoom room;
  private final LargeBatches largeBatches;
  private final Admission admission;
  private final WriteWaits waits;
  private final Attempts attempts;
  private final ObjIntConsumer<byte[]> observer;

  /** What the committer works with. */
  public record Parts(
      Operations operations,
      CommitLog log,
      CommitLatch latch,
      BatchRoom room,
      LargeBatches largeBatches,
      Admission admission,
      WriteWaits waits,
      Attempts attempts) {}

  /**
   * @param observer is told the key and the tree of each write after its insert, by its writer,
   *     outside of the latch
   */
  public Committer(Parts parts, ObjIntConsumer<byte[]> observer) {
    this.operations = parts.operations();
    this.log = parts.log();
    this.latch = parts.latch();
    this.room = parts.room();
    this.largeBatches = parts.largeBatches();
    this.admission = parts.admission();
    this.waits = parts.waits();
    this.attempts = parts.attempts();
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
    if (key.length + valueBytes > LargeBatches.THRESHOLD_BYTES) {
      PreparedBatch own = new PreparedBatch(1);
      own.write(tree, key, value);
      write(own, terms, deadline, null);
      return;
    }
    Turn turn = admission.admit(tree, key.length + valueBytes, terms, deadline);
    boolean written = false;
    long endLsn;
    try {
      endLsn = writeOne(tree, key, value, terms, deadline);
      written = true;
    } finally {
      if (!written) {
        turn.giveBack();
      }
    }
    awaitAcknowledgement(endLsn, terms);
  }

  /** Writes one key; returns the exclusive end of its frame. */
  private long writeOne(
      LsmTree tree, byte[] key, byte @Nullable [] value, WriteTerms terms, long deadline) {
    Outcome outcome;
    long endLsn;
    OperationContext context = operations.enter();
    try {
      PreparedBatch one = attempts.scratchOf(context).one;
      try {
        one.write(tree, key, value);
        requireFits(one);
        outcome = lacking(one);
        if (outcome == Outcome.RETRY) {
          outcome = attempts.attempt(context, one, null);
        }
        endLsn = one.endLsn();
      } finally {
        one.abandon();
        one.clear();
      }
    } finally {
      operations.exit(context);
    }
    if (outcome == Outcome.DONE) {
      observer.accept(key, tree.treeId());
      return endLsn;
    }
    // A writer that waits holds no slot, so it needs a batch of its own.
    PreparedBatch own = new PreparedBatch(1);
    own.write(tree, key, value);
    goOn(outcome, own, terms, deadline, null);
    return own.endLsn();
  }

  /** Waits as the durability of a write asks that was applied. */
  public void awaitAcknowledgement(long endLsn, WriteTerms terms) {
    if (latch.isSync() || terms.forced()) {
      log.awaitDurable(endLsn, Long.MAX_VALUE);
    }
  }

  /** Like {@link #apply}, for a writer that was admitted before it knew what it writes. */
  public long applyAdmitted(PreparedBatch batch, WriteTerms terms, long deadline) {
    if (batch.size() > 0) {
      requireFits(batch);
      goOn(admission.count(batch), batch, terms, deadline, null);
    }
    return batch.endLsn();
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
    Turn turn = admission.admit(batch, terms, deadline);
    return goOn(turn, batch, terms, deadline, condition) == Outcome.DONE;
  }

  /** Refuses a batch that will never be taken. A host's log holds it whatever its size. */
  private void requireFits(PreparedBatch batch) {
    if (!log.isHosted()) {
      largeBatches.requireFits(batch);
    }
    room.requireFits(batch);
  }

  /** Writes a batch that has its turn, and gives that back unless the batch is written. */
  private Outcome goOn(
      Turn turn,
      PreparedBatch batch,
      WriteTerms terms,
      long deadline,
      @Nullable LongPredicate condition) {
    Outcome outcome = Outcome.REFUSED;
    try {
      outcome = goOn(Outcome.RETRY, batch, terms, deadline, condition);
      return outcome;
    } finally {
      if (outcome != Outcome.DONE) {
        turn.giveBack();
      }
    }
  }

  /**
   * Makes attempts until the batch is written or refused; leaves no memory to one that is not, and
   * no place in the queue to any.
   */
  private Outcome goOn(
      Outcome first,
      PreparedBatch batch,
      WriteTerms terms,
      long deadline,
      @Nullable LongPredicate condition) {
    try {
      return attempts(first, batch, terms, deadline, condition);
    } finally {
      batch.abandon();
      room.leave(batch);
    }
  }

  /** Waits for what an attempt lacked, and tries again, until the batch is written or refused. */
  private Outcome attempts(
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
        case NOT_ADMITTED -> waits.awaitMemory(batch, false, terms, deadline);
        case NO_MEMORY -> waits.awaitMemory(batch, true, terms, deadline);
        case NO_ROOM_IN_LOG -> {
          // The first in the queue has pages made free for all in it, which this one does not.
          room.leave(batch);
          waits.awaitLog(batch, terms, deadline);
        }
        case RETRY -> {}
      }
      outcome = lacking(batch);
      if (outcome == Outcome.RETRY) {
        outcome = attempts.attempt(batch, condition);
      }
    }
  }

  /** Why an attempt may not be made, or would take many pages in vain; RETRY if neither is so. */
  private Outcome lacking(PreparedBatch batch) {
    if (!room.isAdmitted(batch)) {
      return Outcome.NOT_ADMITTED;
    }
    boolean isLarge = batch.dataBytes() > LargeBatches.THRESHOLD_BYTES;
    boolean hasRoom = isLarge ? room.mayBeThere(batch) : !room.isKeptForOthers(batch);
    return hasRoom ? Outcome.RETRY : Outcome.NO_MEMORY;
  }
}
