package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.asterix.common.context.DatasetInfo;
import org.apache.asterix.common.ioopcallbacks.LSMIOOperationCallback;
import org.apache.asterix.common.storage.IIndexCheckpointManagerProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMComponentId;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation.LSMIOOperationType;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.impls.EmptyComponent;

/** Notes flushes and loads of an index as AsterixDB does, or fails to. */
final class IoNotes extends LSMIOOperationCallback {
  private final TestDataset dataset;

  IoNotes(
      TestDataset dataset,
      DatasetInfo info,
      ILSMIndex index,
      ILSMComponentId id,
      IIndexCheckpointManagerProvider checkpoints) {
    super(info, index, id, checkpoints);
    this.dataset = dataset;
  }

  private void told(String call, ILSMIOOperation operation) {
    if (operation.getIOOpertionType() == LSMIOOperationType.LOAD && lsmIndex.isPrimaryIndex()) {
      assertThat(operation.getNewComponent()).isSameAs(EmptyComponent.INSTANCE);
      dataset.toldOfLoads.add(call);
    }
  }

  @Override
  public synchronized void scheduled(ILSMIOOperation operation) throws HyracksDataException {
    told("scheduled", operation);
    super.scheduled(operation);
  }

  @Override
  public void beforeOperation(ILSMIOOperation operation) throws HyracksDataException {
    told("before", operation);
    super.beforeOperation(operation);
  }

  @Override
  public void afterOperation(ILSMIOOperation operation) throws HyracksDataException {
    told("after", operation);
    super.afterOperation(operation);
  }

  @Override
  public void afterFinalize(ILSMIOOperation operation) throws HyracksDataException {
    told("noted", operation);
    if (dataset.checkpointsFail) {
      throw HyracksDataException.create(new IOException("no checkpoint today"));
    }
    if (!dataset.checkpointsAreLost) {
      super.afterFinalize(operation);
    }
  }

  @Override
  public synchronized void completed(ILSMIOOperation operation) {
    told("completed", operation);
    super.completed(operation);
  }
}
