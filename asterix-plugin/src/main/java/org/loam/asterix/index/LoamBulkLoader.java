package org.loam.asterix.index;

import java.util.Arrays;
import org.apache.asterix.common.ioopcallbacks.LSMIOOperationCallback;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation.LSMIOOperationStatus;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.impls.EmptyComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentId;
import org.apache.hyracks.storage.am.lsm.common.impls.LoadOperation;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.buffercache.ICachedPage;
import org.jspecify.annotations.Nullable;
import org.loam.engine.host.HostLoad;

/**
 * Fills an empty index without log records: for LOAD, and for an index built on existing records.
 * Only the load writes to the index meanwhile. The loaded entries count once AsterixDB has noted
 * the load in the index's checkpoint; after a crash before that, the index is emptied when it is
 * opened. A load that fails or is aborted leaves the index empty, if it was empty before. A load
 * without entries is not noted: {@code CREATE INDEX} makes such a load if there are no records yet,
 * and the index may still be loaded later. To end or abort a load that has ended does nothing.
 */
final class LoamBulkLoader implements IIndexBulkLoader {
  /** LOAD fills indexes after the records, and each partition by itself. */
  private static final String REST_OF_LOAD =
      "; a LOAD that fails may leave records without index entries: drop and create the dataset";

  private final IndexTree tree;
  private final LoadOperation operation;
  private final TupleKeys keys;
  private final boolean verifies;
  private final Runnable ended;

  /** The end of the error of a key that is too long. */
  private final String advice;

  private final boolean wasEmpty;
  private final TreeLoad load;
  private byte @Nullable [] last;
  private boolean isFinished;

  /**
   * Begins a load.
   *
   * @param verifies whether a key that comes twice is a failure; otherwise the first counts
   * @param ended runs when the load has ended, if this constructor did not throw
   */
  LoamBulkLoader(
      IndexTree tree, LoadOperation operation, TupleKeys keys, boolean verifies, Runnable ended)
      throws HyracksDataException {
    this.tree = tree;
    this.operation = operation;
    this.keys = keys;
    this.verifies = verifies;
    this.ended = ended;
    this.advice = isOfLoad(operation) ? REST_OF_LOAD : "";
    this.wasEmpty = tree.isEmpty();
    this.load = newLoad(tree);
    operation.setNewComponent(EmptyComponent.INSTANCE);
    callback().scheduled(operation);
  }

  /** Whether the statement is LOAD. CREATE INDEX names the components of the primary index. */
  private static boolean isOfLoad(LoadOperation operation) {
    return LSMComponentId.DEFAULT_COMPONENT_ID.equals(
        operation.getParameters().get(LSMIOOperationCallback.KEY_FLUSHED_COMPONENT_ID));
  }

  /** A way to load the tree, past write memory if that is possible now. */
  private static TreeLoad newLoad(IndexTree tree) throws HyracksDataException {
    HostLoad sorted = tree.tryBulkLoad();
    return sorted == null ? new MemoryLoad(tree) : new SortedLoad(tree, sorted);
  }

  private ILSMIOOperationCallback callback() {
    return operation.getCallback();
  }

  @Override
  public void add(ITupleReference tuple) throws HyracksDataException {
    try {
      byte[] key = tree.require(keys.key(tuple), advice);
      if (isAboveLast(key)) {
        load.add(key, keys.value(key, tuple));
        last = key;
      }
    } catch (Throwable t) {
      operation.setFailure(t);
      throw t;
    }
  }

  private boolean isAboveLast(byte[] key) throws HyracksDataException {
    byte[] before = last;
    int order = before == null ? 1 : Arrays.compareUnsigned(key, before);
    if (order < 0) {
      throw HyracksDataException.create(ErrorCode.UNSORTED_LOAD_INPUT);
    }
    if (order == 0 && verifies) {
      throw HyracksDataException.create(ErrorCode.DUPLICATE_LOAD_INPUT);
    }
    return order > 0;
  }

  @Override
  public void end() throws HyracksDataException {
    if (isFinished) {
      return;
    }
    if (operation.hasFailed()) {
      // AsterixDB also ends a load that has failed; it knows the failure already.
      finish();
      return;
    }
    try {
      load.commit();
      if (last != null) {
        callback().afterOperation(operation);
        callback().afterFinalize(operation);
      }
    } catch (Throwable t) {
      operation.setFailure(t);
      try {
        finish();
      } catch (HyracksDataException | RuntimeException e) {
        t.addSuppressed(e);
      }
      throw t;
    }
    finish();
  }

  @Override
  public void abort() throws HyracksDataException {
    if (isFinished) {
      return;
    }
    operation.setStatus(LSMIOOperationStatus.FAILURE);
    finish();
  }

  /** Ends the load. If it has failed, and the index was empty, no entry stays. */
  private void finish() throws HyracksDataException {
    isFinished = true;
    try {
      load.close();
      if (wasEmpty && operation.hasFailed()) {
        tree.clearRest();
      }
    } finally {
      ended.run();
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
