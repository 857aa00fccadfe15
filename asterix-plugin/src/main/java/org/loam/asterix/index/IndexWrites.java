package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.api.IExtendedModificationOperationCallback;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.jspecify.annotations.Nullable;

/**
 * The writes of transactions to an index: each locks its key, is logged, and then made in the tree.
 * An undo takes one back. Thread-safe.
 */
final class IndexWrites {
  private final IndexTree tree;
  private final boolean isPrimary;
  private final @Nullable KeyIndexLog keyLog;

  /** The types of a key's fields, the same for all keys; null before the first delete. */
  private volatile byte @Nullable [] keyTypes;

  /**
   * @param resource the id of the index in the log
   */
  IndexWrites(IndexTree tree, IndexShape shape, ResourceId resource) {
    this.tree = tree;
    isPrimary = shape.isPrimary();
    keyLog = shape.isOfKeys() ? new KeyIndexLog(resource) : null;
  }

  /** Makes the write of the operation, or takes it back if the operation is an undo. */
  void modify(LoamOpContext context, ITupleReference tuple) throws HyracksDataException {
    byte[] key = tree.require(context.keys().key(tuple));
    if (context.isUndo()) {
      tree.undo(key);
      return;
    }
    IExtendedModificationOperationCallback callback = context.getModificationCallback();
    callback.before(tuple);
    IndexOperation kind = context.getOperation();
    if (kind == IndexOperation.INSERT
        && isPrimary
        && !context.isRecovery()
        && tree.find(key).value() != null) {
      throw HyracksDataException.create(ErrorCode.DUPLICATE_KEY);
    }
    boolean deletes = kind == IndexOperation.DELETE || kind == IndexOperation.PHYSICALDELETE;
    if (deletes && keyTypes == null) {
      // Before any search can see a delete.
      keyTypes = context.keys().types(tuple);
    }
    byte[] value = deletes ? null : LoamTuple.encode(tuple);
    if (value != null) {
      tree.requireFits(key, value);
    }
    // If this fails, nothing was logged, and nothing will be undone.
    log(callback, tuple);
    boolean written = false;
    try {
      tree.write(key, value);
      written = true;
    } finally {
      tree.logged(key, written);
    }
  }

  @SuppressWarnings("NullAway") // AsterixDB has no old value: to undo a write, none is needed.
  private void log(IExtendedModificationOperationCallback callback, ITupleReference tuple)
      throws HyracksDataException {
    if (keyLog == null) {
      callback.found(null, tuple);
    } else {
      keyLog.found(callback, tuple);
    }
  }

  /** A tuple of a key that was deleted, without what is not in the key; null if that is unknown. */
  @Nullable LoamTuple deleted(byte[] key) {
    byte[] types = keyTypes;
    return types == null ? null : TupleKeys.tuple(key, types);
  }
}
