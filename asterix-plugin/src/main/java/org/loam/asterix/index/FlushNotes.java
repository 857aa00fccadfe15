package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;

/**
 * What AsterixDB is told of the flushes of an index, but that it notes none in the index's
 * checkpoint while a fresh index is loaded: what is on disk would count then, and half of a load
 * must not. Nothing is forgotten by that: nobody ever wrote to a fresh index. Thread-safe.
 */
final class FlushNotes implements ILSMIOOperationCallback {
  private final ILSMIOOperationCallback callback;
  private final IndexTree tree;

  /**
   * @param callback AsterixDB's
   */
  FlushNotes(ILSMIOOperationCallback callback, IndexTree tree) {
    this.callback = callback;
    this.tree = tree;
  }

  @Override
  public void scheduled(ILSMIOOperation operation) throws HyracksDataException {
    callback.scheduled(operation);
  }

  @Override
  public void beforeOperation(ILSMIOOperation operation) throws HyracksDataException {
    callback.beforeOperation(operation);
  }

  @Override
  public void afterOperation(ILSMIOOperation operation) throws HyracksDataException {
    callback.afterOperation(operation);
  }

  /** Where AsterixDB writes the checkpoint. */
  @Override
  public void afterFinalize(ILSMIOOperation operation) throws HyracksDataException {
    tree.unlessLoading(() -> callback.afterFinalize(operation));
  }

  @Override
  public void completed(ILSMIOOperation operation) {
    callback.completed(operation);
  }

  @Override
  public void recycled(ILSMMemoryComponent component) throws HyracksDataException {
    callback.recycled(component);
  }

  @Override
  public void allocated(ILSMMemoryComponent component) throws HyracksDataException {
    callback.allocated(component);
  }

  @Override
  public long getLastValidSequence() throws HyracksDataException {
    return callback.getLastValidSequence();
  }
}
