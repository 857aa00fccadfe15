package org.loam.asterix.index;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.asterix.common.dataflow.LSMIndexUtil;
import org.apache.asterix.common.ioopcallbacks.LSMIOOperationCallback;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.common.freepage.MutableArrayValueReference;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;

/** What an index does for a recovery of AsterixDB that redoes the log. */
final class IndexRecovery {
  /** A note in a memory component that means nothing. */
  private static final MutableArrayValueReference NO_WRITE =
      new MutableArrayValueReference("loam".getBytes(StandardCharsets.UTF_8));

  private final HollowIndex index;
  private final PartitionFlush partition;

  IndexRecovery(HollowIndex index, PartitionFlush partition) {
    this.index = index;
    this.partition = partition;
  }

  /** Flushes the index as AsterixDB does when it meets a flush in the log. */
  void flushRedone(long lsn) throws HyracksDataException {
    if (index.isCurrentMutableComponentEmpty()) {
      return;
    }
    Map<String, Object> notes = new HashMap<>();
    notes.put(LSMIOOperationCallback.KEY_FLUSH_LOG_LSN, lsn);
    notes.put(
        LSMIOOperationCallback.KEY_NEXT_COMPONENT_ID, index.getCurrentMemoryComponent().getId());
    ILSMIndexAccessor accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    accessor.getOpContext().setParameters(notes);
    ILSMIOOperation flush = accessor.scheduleFlush();
    LSMIndexUtil.waitFor(List.of(flush));
    if (flush.getStatus() == ILSMIOOperation.LSMIOOperationStatus.FAILURE) {
      throw HyracksDataException.create(flush.getFailure());
    }
    index.resetCurrentComponentIndex();
  }

  /**
   * AsterixDB flushes no index of a partition whose primary index has no writes in memory, and
   * drops what the others have when it closes them. This is the case if only the primary index was
   * flushed in the course of a recovery, so that it has to look written to.
   */
  void redone() throws HyracksDataException {
    if (index.isPrimaryIndex() && index.isCurrentMutableComponentEmpty() && partition.isWanted()) {
      index.createAccessor(NoOpIndexAccessParameters.INSTANCE).forceUpdateMeta(NO_WRITE, NO_WRITE);
    }
  }
}
