package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;

/**
 * Passes the events of an index's flushes on to AsterixDB. While a fresh index is loaded, AsterixDB
 * must note no flush in the index's checkpoint: what is on disk would then count, and half of a
 * load must not. This loses nothing, because a fresh index has no earlier writes. Thread-safe.
 */
final class FlushNotes implements ILSMIOOperationCallback {
  private final ILSMIOOperationCallback callback;
  private final IndexTree tree;
  private final IndexLoads loads;

  /**
   * @param callback AsterixDB's
   */
  FlushNotes(ILSMIOOperationCallback callback, IndexTree tree, IndexLoads loads) {
    this.callback = callback;
    this.tree = tree;
    this.loads = loads;
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

  /** In this call AsterixDB writes the checkpoint, unless a failed load has left entries. */
  @Override
  public void afterFinalize(ILSMIOOperation operation) throws HyracksDataException {
    loads.unlessFresh(
        () -> {
          if (!tree.hasRest()) {
            callback.afterFinalize(operation);
          }
        });
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
