package org.loam.engine.commit;

import java.util.concurrent.atomic.AtomicLong;
import org.loam.common.mem.Epochs;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRecord;

/** Takes back what a host's transaction wrote that is rolled back. Thread-safe. */
public final class Undos {
  private final Operations operations;
  private final Epochs memoryEpochs;
  private final CommitLatch latch;

  /** Grows under the latch, after what was before shows again. */
  private final AtomicLong count = new AtomicLong();

  /**
   * @param memoryEpochs of the components in memory
   */
  public Undos(Operations operations, Epochs memoryEpochs, CommitLatch latch) {
    this.operations = operations;
    this.memoryEpochs = memoryEpochs;
    this.latch = latch;
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
  public long count() {
    return count.get();
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
        count.incrementAndGet();
        latch.unlock();
      }
    } finally {
      memoryEpochs.exit(slot);
    }
  }
}
