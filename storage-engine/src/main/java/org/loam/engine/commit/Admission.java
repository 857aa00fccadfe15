package org.loam.engine.commit;

import java.util.List;
import org.loam.common.env.NanoClock;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DeadlineException;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.Pacer.Turn;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.WriteGate;

/**
 * Lets writes in while the component constraints of their trees hold. A writer that waits holds no
 * latch and no slot, and is on record with its cause. One that fails here keeps no turn.
 * Thread-safe.
 */
public final class Admission {
  /**
   * What a write takes of write memory beside its key and value: 100-byte records take 1.48 times
   * their bytes.
   */
  private static final int RECORD_BYTES = 56;

  /** So long writers of a tree with damaged tables wait for its merges: these may never end. */
  private static final long HOPELESS_NANOS = 30_000_000_000L;

  /** What is known of the work that a write waited for in vain. */
  public interface LateWrites {
    /**
     * Lets a write wait on for merges of a tree.
     *
     * @throws CorruptionException if these meet damage
     */
    void requireSound(LsmTree tree, StallCause cause);

    /**
     * The error of a write that waited too long for work.
     *
     * @param target what it writes to
     * @param of which thing the cause is
     */
    DeadlineException tooLate(String target, WriteTerms terms, StallCause cause, String of);
  }

  private final NanoClock clock;
  private final CommitLatch latch;
  private final Runnable requireRoom;
  private final LateWrites late;
  private final WriteGate memoryGate;
  private final Runnable mayWait = this::requireMayWait;
  private volatile boolean closing;

  /**
   * @param requireRoom throws while the disk is full
   * @param late makes the error of a write that waited too long
   * @param memoryGate of all trees, while a flush is slower than their writers
   */
  public Admission(
      NanoClock clock,
      CommitLatch latch,
      Runnable requireRoom,
      LateWrites late,
      WriteGate memoryGate) {
    this.clock = clock;
    this.latch = latch;
    this.memoryGate = memoryGate;
    this.requireRoom = requireRoom;
    this.late = late;
  }

  /** The gate of all trees, which paces writers while a flush is slower than they are. */
  public WriteGate memoryGate() {
    return memoryGate;
  }

  /** From now on stalled writers fail, instead of waiting for an engine that ends. */
  public void stop() {
    closing = true;
    latch.releaseWriters();
  }

  /** Lets a write go on, or wait, if that makes sense. */
  public void requireMayWait() {
    if (closing) {
      throw new ClosedException("the engine was closed");
    }
    latch.requireNotFenced();
    requireRoom.run();
  }

  /** Waits until a tree takes a write of one key; returns what the write has taken. */
  Turn admit(LsmTree tree, long bytes, WriteTerms terms, long deadline) {
    requireMayWait();
    Turn turn = pass(Turn.NONE, tree, bytes, terms, deadline);
    return passMemory(turn, tree, bytes, 1, terms, deadline);
  }

  /** Waits until all trees of a batch take writes; returns what the write has taken. */
  Turn admit(PreparedBatch batch, WriteTerms terms, long deadline) {
    requireMayWait();
    Turn turn = Turn.NONE;
    if (!batch.meetsOpenGates()) {
      for (LsmTree tree : batch.trees()) {
        turn = pass(turn, tree, batch.dataBytes(tree), terms, deadline);
      }
    }
    return passMemory(turn, batch.tree(0), batch.dataBytes(), batch.size(), terms, deadline);
  }

  /**
   * Waits until trees take writes, before it is known what the writer writes: {@link #count} tells.
   */
  public void admit(List<LsmTree> trees, WriteTerms terms, long deadline) {
    requireMayWait();
    for (LsmTree tree : trees) {
      pass(Turn.NONE, tree, 0, terms, deadline);
    }
    passMemory(Turn.NONE, trees.get(0), 0, 0, terms, deadline);
  }

  /** Has later writers wait for the batch of a writer that was admitted before. */
  Turn count(PreparedBatch batch) {
    requireMayWait();
    Turn turn = Turn.NONE;
    if (!batch.meetsOpenGates()) {
      for (LsmTree tree : batch.trees()) {
        turn = tree.gate().count(turn, batch.dataBytes(tree));
      }
    }
    return memoryGate.count(turn, memoryBytes(batch.dataBytes(), batch.size()));
  }

  private Turn passMemory(
      Turn before, LsmTree tree, long dataBytes, int writes, WriteTerms terms, long deadline) {
    Turn turn = memoryGate.pass(before, memoryBytes(dataBytes, writes), deadline, mayWait);
    if (turn == null) {
      throw tooLate(tree.toString(), terms, StallCause.WRITE_CONTROL, "");
    }
    return turn;
  }

  private static long memoryBytes(long dataBytes, int writes) {
    return dataBytes + (long) writes * RECORD_BYTES;
  }

  private Turn pass(Turn before, LsmTree tree, long bytes, WriteTerms terms, long deadline) {
    if (tree.gate().isOpen()) {
      return before;
    }
    long began = clock.nanoTime();
    Turn turn = tree.gate().pass(before, bytes, deadline, () -> requireMayWait(tree, began));
    if (turn == null) {
      StallCause cause = tree.gate().violation();
      throw tooLate(tree.toString(), terms, cause == null ? StallCause.WRITE_CONTROL : cause, "");
    }
    return turn;
  }

  private void requireMayWait(LsmTree tree, long began) {
    requireMayWait();
    StallCause cause = tree.gate().violation();
    if (cause != null && clock.nanoTime() - began >= HOPELESS_NANOS) {
      late.requireSound(tree, cause);
    }
  }

  /**
   * The end of a wait that took too long.
   *
   * @param of which thing the cause is
   */
  public DeadlineException tooLate(String target, WriteTerms terms, StallCause cause, String of) {
    return late.tooLate(target, terms, cause, of);
  }
}
