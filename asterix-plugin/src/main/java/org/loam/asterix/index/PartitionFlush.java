package org.loam.asterix.index;

import org.apache.asterix.common.context.PrimaryIndexOperationTracker;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMComponent.ComponentState;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;

/**
 * A flush of a partition of a dataset that Loam asks AsterixDB for. AsterixDB flushes all indexes
 * of the partition together, and begins with the primary one. Thread-safe.
 */
final class PartitionFlush {
  private final Partition partition;

  PartitionFlush(Partition partition) {
    this.partition = partition;
  }

  /** Asks for the flush, and does not wait for it. */
  void request() throws HyracksDataException {
    for (ILSMIndex index : partition.indexes()) {
      if (index.isPrimaryIndex()) {
        request(index);
      }
    }
  }

  /** Whether any index of the partition has writes in memory. */
  boolean isWanted() throws HyracksDataException {
    for (ILSMIndex index : partition.indexes()) {
      if (!index.isCurrentMutableComponentEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Keeps new operations out, and has the dataset flushed when those inside have ended. */
  private static void request(ILSMIndex primary) throws HyracksDataException {
    PrimaryIndexOperationTracker tracker =
        (PrimaryIndexOperationTracker) primary.getOperationTracker();
    synchronized (tracker) {
      if (primary.isCurrentMutableComponentEmpty() || tracker.isFlushLogCreated()) {
        return;
      }
      ILSMMemoryComponent component = primary.getCurrentMemoryComponent();
      if (component.getState() == ComponentState.READABLE_WRITABLE) {
        component.setUnwritable();
      }
      tracker.setFlushOnExit(true);
      tracker.flushIfNeeded();
    }
  }
}
