package org.loam.engine;

import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.common.mem.Epochs;
import org.loam.log.CommitLog;
import org.loam.lsm.LsmTree;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.memory.InsertionPoints;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.lsm.memory.VersionRetention;
import org.loam.lsm.visibility.ReadRegistry;
import org.loam.scheduler.run.StallCause;
import org.loam.scheduler.run.StallLog;

/**
 * The way of a write: admission, copy into memory, one frame of the log, insertion, publication,
 * acknowledgement. Thread-safe.
 *
 * <p>One latch orders frames, so LSN order is the order of application and the published prefix is
 * one number. Under the latch nothing waits, and the one I/O call is the log's, which copies a
 * frame into the page cache. Whatever can be refused is refused before; a failure after it fences.
 */
final class Committer {
  /** How long a stalled writer sleeps before it looks again by itself. */
  private static final long LOOK_AGAIN_NANOS = 1_000_000;

  /**
   * As long as no flush is on its way while a write waits for memory: nobody is going to begin one.
   */
  private static final long HOPELESS_NANOS = 30_000_000_000L;

  /** A batch of more takes many pages. */
  private static final int LARGE_BYTES = 64 << 10;

  private static final long DONE = 0;
  private static final long RETRY = -1;
  private static final long NO_MEMORY = -2;
  private static final long NO_ROOM_IN_LOG = -3;
  private static final long REFUSED = -4;

  private final StorageEnv env;
  private final Operations operations;
  private final Epochs memoryEpochs;
  private final CommitLog log;
  private final boolean sync;
  private final StallLog stalls;
  private final WriteMemory writeMemory;
  private final SpaceGuard space;
  private final LargeBatches largeBatches;
  private final Events events;
  private final Monitor latch;
  private final Admission admission;
  private final ReadRegistry reads = new ReadRegistry(this::publishedEnd);

  /** Exclusive end of the frames that are applied to all their trees. */
  private volatile long appliedEnd;

  private volatile long startLsn;
  private volatile boolean running;
  private volatile boolean closing;
  private volatile @Nullable Throwable fence;

  /** An encoded batch, at an address, and its checksum; {@link #NONE} below a host's log. */
  private record Payload(long address, int bytes, int crc) {
    static final Payload NONE = new Payload(0, 0, 0);
  }

  /** What the committer works with. */
  record Parts(
      StorageEnv env,
      Operations operations,
      Epochs memoryEpochs,
      CommitLog log,
      boolean sync,
      StallLog stalls,
      WriteMemory writeMemory,
      SpaceGuard space,
      LargeBatches largeBatches,
      Events events,
      WorkFaults faults) {}

  Committer(Parts parts) {
    this.env = parts.env();
    this.operations = parts.operations();
    this.memoryEpochs = parts.memoryEpochs();
    this.log = parts.log();
    this.sync = parts.sync();
    this.stalls = parts.stalls();
    this.writeMemory = parts.writeMemory();
    this.space = parts.space();
    this.largeBatches = parts.largeBatches();
    this.events = parts.events();
    this.admission = new Admission(this::requireMayWait, parts.faults());
    this.latch = env.waiter().newMonitor("commit latch");
  }

  Admission admission() {
    return admission;
  }

  /** The read LSNs in use. */
  ReadRegistry reads() {
    return reads;
  }

  /** Recovery has applied, or is about to apply, everything below an LSN. */
  void replayed(long endLsn) {
    appliedEnd = endLsn;
  }

  /** Recovery has ended; frames begin at an LSN. */
  void start(long lsn) {
    appliedEnd = lsn;
    startLsn = lsn;
    running = true;
    // Who waits for background work, which stops now, would wait for ever.
    log.onFenced(this::fence);
  }

  /** Where frames began when the engine was opened. */
  long startLsn() {
    return startLsn;
  }

  /** Exclusive end of what readers may see. */
  long publishedEnd() {
    // After a fence the durable LSN stays, and with it what readers see.
    return sync && running ? Math.min(appliedEnd, log.durableLsn()) : appliedEnd;
  }

  /** Exclusive end of what was applied. */
  long appliedEnd() {
    return appliedEnd;
  }

  /** Runs under the commit latch. */
  void underLatch(Runnable action) {
    latch.lock();
    try {
      action.run();
    } finally {
      latch.unlock();
    }
  }

  /** Stops writes for good. Reads go on with what was published. */
  void fence(Throwable cause) {
    if (fence == null) {
      fence = cause;
    }
    log.fence(cause);
    writeMemory.releaseWriters();
    events.fenced(cause);
  }

  boolean isFenced() {
    return fence != null || log.isFenced();
  }

  /**
   * Lets pass who wants to change something.
   *
   * @throws FencedException after {@link #fence}
   */
  void requireNotFenced() {
    Throwable cause = fence;
    if (cause != null) {
      throw new FencedException(
          "the engine takes no more writes after a fault; close and reopen it: "
              + cause.getMessage(),
          cause);
    }
  }

  /**
   * Writes a batch and waits as its durability asks.
   *
   * @param deadline of {@link #deadlineNanos}
   * @param condition checked under the latch, right before the frame, with the record of the first
   *     write; null for none
   * @return false if the condition did not hold; nothing was written then
   */
  boolean write(
      WriteBatch batch, WriteOptions options, long deadline, @Nullable LongPredicate condition) {
    long end = apply(batch, options, deadline, condition);
    if (end == REFUSED) {
      return false;
    }
    awaitAcknowledgement(end, options);
    return true;
  }

  /** Waits as the durability of a write asks that was applied. */
  void awaitAcknowledgement(long endLsn, WriteOptions options) {
    if (sync || options.forced()) {
      log.awaitDurable(endLsn, Long.MAX_VALUE);
    }
  }

  /**
   * Writes a batch. It shows, but is not promised before {@link #awaitAcknowledgement}.
   *
   * @param deadline of {@link #deadlineNanos}
   * @return the exclusive end of its frame
   */
  long apply(WriteBatch batch, WriteOptions options, long deadline) {
    return apply(batch, options, deadline, null);
  }

  private long apply(
      WriteBatch batch, WriteOptions options, long deadline, @Nullable LongPredicate condition) {
    if (batch.size() == 0) {
      return DONE;
    }
    largeBatches.requireFits(batch);
    writeMemory.requireFits(batch);
    admission.admit(batch, options, deadline);
    while (true) {
      long outcome = lacksRoom(batch) ? NO_MEMORY : attempt(batch, condition);
      if (outcome >= DONE || outcome == REFUSED) {
        return outcome;
      }
      if (outcome == NO_MEMORY) {
        awaitMemory(batch, options, deadline);
      } else if (outcome == NO_ROOM_IN_LOG) {
        awaitLog(batch, options, deadline);
      }
    }
  }

  /** Whether an attempt would take many pages in vain. */
  private boolean lacksRoom(WriteBatch batch) {
    return batch.dataBytes() > LARGE_BYTES && !writeMemory.mayHaveRoom(batch);
  }

  /** Waits until everything that anybody can have seen, published or not, is published. */
  void awaitPublished() {
    long[] end = new long[1];
    // Outside of the latch a frame may show in trees before it counts as applied.
    underLatch(() -> end[0] = appliedEnd);
    if (sync) {
      log.awaitDurable(end[0], Long.MAX_VALUE);
    }
  }

  /** Returns the exclusive end of the frame, or why there is none. */
  private long attempt(WriteBatch batch, @Nullable LongPredicate condition) {
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
      OperationContext context, long buffer, WriteBatch batch, @Nullable LongPredicate condition) {
    int bytes = (int) batch.payloadBytes();
    context.encoder.reset(buffer, bytes);
    batch.encode(context.encoder);
    int crc = context.crc.reset().update(buffer, bytes).value();
    return commit(context, new Payload(buffer, bytes, crc), batch, condition);
  }

  private long commit(
      OperationContext context,
      Payload payload,
      WriteBatch batch,
      @Nullable LongPredicate condition) {
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
      WriteBatch batch,
      @Nullable LongPredicate condition) {
    requireNotFenced();
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesTree(i)) {
        batch.handle(i).requireWritable();
      }
    }
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
      batch.insert(lsn, log.isHosted() ? VersionRetention.ALL : reads, points);
      long end = log.endLsn();
      appliedEnd = end;
      writeMemory.afterInsert(batch, end, log.lengthBytes());
      return end;
    } catch (Throwable t) {
      // The frame is in the log but not in all of its trees: nobody may see the rest.
      fence(t);
      throw t;
    }
  }

  /**
   * Takes back the newest write of a key that is in the active component.
   *
   * @return false if there is none
   */
  boolean undo(LsmTree tree, long key, int keyLength) {
    int slot = memoryEpochs.enter();
    try {
      latch.lock();
      try {
        requireNotFenced();
        MemoryComponent active = tree.active();
        long newest = active.find(key, keyLength, Long.MAX_VALUE);
        return newest > 0 && active.undo(key, keyLength, MemoryRecord.lsn(newest));
      } finally {
        latch.unlock();
      }
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  // ---- Changes that are no writes, and that the manifest has.

  /**
   * Waits until there is room in the log for {@link #publish}, and keeps it until then or until
   * {@link #unreserve}.
   *
   * @throws org.loam.common.error.DiskFullException if there is none for lack of space
   */
  void reserve(Manifest manifest) {
    long number = manifest.fileNumber();
    long forcedBytes = manifest.forcedBytes();
    boolean[] kept = new boolean[1];
    while (true) {
      underLatch(
          () -> {
            requireNotFenced();
            kept[0] = log.keepMark(number, forcedBytes);
            if (!kept[0]) {
              writeMemory.flushForLog(log.endLsn());
            }
          });
      if (kept[0]) {
        return;
      }
      requireMayWait();
      log.awaitRoom(1, env.clock().nanoTime() + 10 * LOOK_AGAIN_NANOS);
    }
  }

  /** Gives up what {@link #reserve} kept. */
  void unreserve() {
    underLatch(log::releaseMark);
  }

  /**
   * Lets a change show; whoever has begun to read before does not see it.
   *
   * @param show takes the LSN of the change, under the latch
   */
  void publish(Manifest manifest, LongConsumer show) {
    long number = manifest.fileNumber();
    long forcedBytes = manifest.forcedBytes();
    latch.lock();
    try {
      requireNotFenced();
      show.accept(log.keptMark(number, forcedBytes));
      appliedEnd = log.endLsn();
    } catch (Throwable t) {
      // The manifest has it, and readers may or may not see it.
      fence(t);
      throw t;
    } finally {
      latch.unlock();
    }
  }

  // ---- Waiting for memory and the log. Holds no latch and no slot, and is on record.

  /** When a write that begins now has to be admitted. */
  long deadlineNanos(WriteOptions options) {
    return options.deadlineNanos(env.clock());
  }

  private void awaitMemory(WriteBatch batch, WriteOptions options, long deadline) {
    StallCause cause = StallCause.WRITE_MEMORY_FULL;
    long startNanos = env.clock().nanoTime();
    StallLog.Stall stall = stalls.begin(cause, batch.tree(0).treeId(), startNanos);
    long hopeNanos = startNanos;
    try {
      do {
        if (writeMemory.mayWaitForFlush()) {
          hopeNanos = env.clock().nanoTime();
        } else if (env.clock().nanoTime() - hopeNanos > HOPELESS_NANOS) {
          throw writeMemory.lacking(batch, HOPELESS_NANOS);
        }
        requireMayWait();
        underLatch(() -> writeMemory.flushForMemory(log.endLsn()));
        if (leftNanos(deadline) <= 0) {
          throw admission.tooLate(batch.handle(0).toString(), options, cause, "");
        }
        writeMemory.awaitFreed(Math.min(LOOK_AGAIN_NANOS, leftNanos(deadline)));
        memoryEpochs.collect();
      } while (!writeMemory.mayHaveRoom(batch) && !writeMemory.borrow(batch));
    } finally {
      stall.end(env.clock().nanoTime());
    }
  }

  private void awaitLog(WriteBatch batch, WriteOptions options, long deadline) {
    StallCause cause = StallCause.LOG_FULL;
    StallLog.Stall stall = stalls.begin(cause, StallLog.NO_TREE, env.clock().nanoTime());
    try {
      boolean room;
      do {
        requireMayWait();
        underLatch(() -> writeMemory.flushForLog(log.endLsn()));
        if (leftNanos(deadline) <= 0) {
          throw admission.tooLate(batch.handle(0).toString(), options, cause, "");
        }
        long until = env.clock().nanoTime() + Math.min(10 * LOOK_AGAIN_NANOS, leftNanos(deadline));
        room = log.awaitRoom((int) batch.payloadBytes(), until);
      } while (!room);
    } finally {
      stall.end(env.clock().nanoTime());
    }
  }

  private long leftNanos(long deadline) {
    return deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - env.clock().nanoTime();
  }

  /** Lets stalled writers fail instead of waiting for an engine that ends. */
  void stopAdmission() {
    closing = true;
    writeMemory.releaseWriters();
  }

  /** Whether waiting, or going on, makes sense. */
  void requireMayWait() {
    if (closing) {
      throw new ClosedException("the engine was closed");
    }
    requireNotFenced();
    space.requireRoom();
  }
}
