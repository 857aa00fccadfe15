package org.loam.asterix.index;

import java.util.Arrays;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation.LSMIOOperationStatus;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.impls.EmptyComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.LoadOperation;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.buffercache.ICachedPage;
import org.jspecify.annotations.Nullable;

/**
 * Fills an index that is empty, without log records: LOAD, and the building of an index on records
 * that are there. Nobody else writes to the index meanwhile. What was loaded counts once AsterixDB
 * has noted the load in the index's checkpoint; before that, a crash empties the index again when
 * it is opened.
 */
final class LoamBulkLoader implements IIndexBulkLoader {
  private final LoamIndex index;
  private final LoadOperation operation;
  private final TupleKeys keys;
  private final boolean verifies;
  private byte @Nullable [] last;

  /**
   * @param verifies whether to make sure that the tuples come in order
   */
  LoamBulkLoader(LoamIndex index, LoadOperation operation, boolean verifies)
      throws HyracksDataException {
    this.index = index;
    this.operation = operation;
    this.verifies = verifies;
    keys = new TupleKeys(index.getComparatorFactories().length);
    operation.setNewComponent(EmptyComponent.INSTANCE);
    callback().scheduled(operation);
    index.beginLoad();
  }

  private ILSMIOOperationCallback callback() {
    return index.getIOOperationCallback();
  }

  @Override
  public void add(ITupleReference tuple) throws HyracksDataException {
    try {
      byte[] key = index.tree().require(keys.key(tuple));
      if (verifies) {
        verify(key);
      }
      index.tree().write(key, LoamTuple.encode(tuple));
    } catch (Throwable t) {
      operation.setFailure(t);
      throw t;
    }
  }

  private void verify(byte[] key) throws HyracksDataException {
    byte[] before = last;
    if (before != null) {
      int order = Arrays.compareUnsigned(key, before);
      if (order < 0) {
        throw HyracksDataException.create(ErrorCode.UNSORTED_LOAD_INPUT);
      }
      if (order == 0) {
        throw HyracksDataException.create(ErrorCode.DUPLICATE_LOAD_INPUT);
      }
    }
    last = key;
  }

  @Override
  public void end() throws HyracksDataException {
    try {
      index.tree().flush();
      callback().afterOperation(operation);
      callback().afterFinalize(operation);
    } catch (Throwable t) {
      operation.setFailure(t);
      throw t;
    } finally {
      index.endLoad();
      callback().completed(operation);
    }
  }

  @Override
  public void abort() throws HyracksDataException {
    operation.setStatus(LSMIOOperationStatus.FAILURE);
    try {
      index.undoLoad();
    } finally {
      index.endLoad();
      callback().completed(operation);
    }
  }

  @Override
  public void force() {}

  @Override
  public void writeFailed(ICachedPage page, Throwable failure) {
    operation.setFailure(failure);
  }

  @Override
  public boolean hasFailed() {
    return operation.hasFailed();
  }

  @Override
  public Throwable getFailure() {
    return operation.getFailure();
  }
}
