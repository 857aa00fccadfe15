package org.loam.engine.background;

import java.util.ArrayList;
import java.util.List;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.MemoryPath;
import org.loam.engine.operation.Operations;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.tree.TreeCatalog;
import org.loam.log.CommitLog;
import org.loam.lsm.FlushCause;
import org.loam.lsm.LsmTree;

/** What is asked of the background threads: to flush, to compact. Thread-safe. */
public final class Maintenance implements MemoryMoves.WriteSide {
  private final Operations operations;
  private final CommitLog log;
  private final CommitLatch latch;
  private final MemoryPath memory;
  private final TreeCatalog trees;
  private final Background background;

  public Maintenance(
      Operations operations,
      CommitLog log,
      CommitLatch latch,
      MemoryPath memory,
      TreeCatalog trees,
      Background background) {
    this.operations = operations;
    this.log = log;
    this.latch = latch;
    this.memory = memory;
    this.trees = trees;
    this.background = background;
  }

  /**
   * Writes everything that is in memory to disk components.
   *
   * @throws org.loam.common.error.StorageException if that failed; it is tried again in the
   *     background
   */
  public void flushAll(FlushCause cause) {
    List<LsmTree> all = trees.list();
    long[] end = new long[1];
    latch.underLatch(
        () -> {
          end[0] = log.endLsn();
          memory.freezer().freezeAll(end[0], cause);
        });
    background.awaitAllFlushed(all, end[0]);
  }

  /** Writes what a tree has in memory to disk components. */
  public void flush(LsmTree tree) {
    awaitFlushed(tree, beginFlush(tree));
  }

  /** Freezes what a tree has in memory; returns the end of the log then. */
  public long beginFlush(LsmTree tree) {
    operations.requireOpen();
    long[] end = new long[1];
    latch.underLatch(
        () -> {
          end[0] = log.endLsn();
          memory.freezer().freeze(tree, end[0], FlushCause.USER);
        });
    return end[0];
  }

  /** Waits until what a tree had in memory below an LSN is in disk components. */
  public void awaitFlushed(LsmTree tree, long endLsn) {
    background.awaitFlushed(tree, endLsn);
  }

  /**
   * Flushes a tree, and merges everything into its last level. Below a host, what is in memory
   * stays there: a transaction may still take it back.
   */
  public void compact(LsmTree tree) {
    if (!log.isHosted()) {
      flush(tree);
    }
    background.compact(tree, trees.componentsOf(tree));
  }

  /** Has what the flush policy chooses flushed, unless a flush is on its way. */
  public void relieveWriteMemory() {
    relieve(FlushCause.MEMORY);
  }

  private void relieve(FlushCause cause) {
    latch.underLatch(() -> memory.trigger().flushForMemory(log.endLsn(), cause));
    // Memory that a reader was reading when it was flushed is freed by the next look, which else
    // only writes take.
    memory.pages().collect();
  }

  /** The last choices of what to flush, the latest last. */
  public List<FlushChoice> flushChoices() {
    List<FlushChoice> choices = new ArrayList<>();
    latch.underLatch(() -> choices.addAll(memory.freezer().choices().list()));
    return choices;
  }

  // ---- For moves of memory.

  @Override
  public boolean canFlush() {
    return !latch.isFenced();
  }

  @Override
  public void relieve() {
    relieve(FlushCause.TUNER);
  }

  @Override
  public void awaitFreed(long nanos) {
    memory.pages().awaitFreed(nanos);
  }

  @Override
  public void moved() {
    background.memoryMoved();
  }
}
