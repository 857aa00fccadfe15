package org.loam.asterix.hyracks;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation.LSMIOOperationStatus;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexFileManager;
import org.apache.hyracks.storage.am.lsm.common.impls.IndexComponentFileReference;

/** Notes the newest flush or load of an index, as AsterixDB does in the index's checkpoint. */
final class NotedSequence implements ILSMIOOperationCallback {
  private volatile long last = AbstractLSMIndexFileManager.UNINITIALIZED_COMPONENT_SEQ;

  @Override
  public void afterFinalize(ILSMIOOperation operation) throws HyracksDataException {
    if (operation.getStatus() != LSMIOOperationStatus.FAILURE) {
      String name = operation.getTarget().getFile().getName();
      last = IndexComponentFileReference.of(name).getSequenceEnd();
    }
  }

  @Override
  public long getLastValidSequence() {
    return last;
  }

  @Override
  public void scheduled(ILSMIOOperation operation) {}

  @Override
  public void beforeOperation(ILSMIOOperation operation) {}

  @Override
  public void afterOperation(ILSMIOOperation operation) {}

  @Override
  public void completed(ILSMIOOperation operation) {}

  @Override
  public void recycled(ILSMMemoryComponent component) {}

  @Override
  public void allocated(ILSMMemoryComponent component) {}
}
