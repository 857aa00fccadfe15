package org.loam.asterix.index;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentHashMap.KeySetView;
import java.util.concurrent.atomic.AtomicLong;
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
  private final IndexLoads loads;
  private final boolean isPrimary;
  private final @Nullable KeyIndexLog keyLog;

  /** Keys of writes that are in AsterixDB's log and failed after that. */
  private final KeySetView<Key, Boolean> unwritten = ConcurrentHashMap.newKeySet();

  private final AtomicLong undone = new AtomicLong();

  /** A key in a set. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by its bytes.
  private record Key(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && Arrays.equals(key.bytes, bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /**
   * @param loads of the index, beside which no transaction writes
   * @param resource the id of the index in the log
   */
  IndexWrites(IndexTree tree, IndexLoads loads, IndexShape shape, ResourceId resource) {
    this.tree = tree;
    this.loads = loads;
    isPrimary = shape.isPrimary();
    keyLog = shape.isOfKeys() ? new KeyIndexLog(resource) : null;
  }

  /** Makes the write of the operation, or takes it back if the operation is an undo. */
  void modify(LoamOpContext context, ITupleReference tuple) throws HyracksDataException {
    byte[] key = tree.require(context.keys().key(tuple));
    if (context.isUndo()) {
      undo(key);
      return;
    }
    loads.requireNone();
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
    byte[] value = deletes ? null : context.keys().value(key, tuple);
    if (value != null) {
      tree.requireFits(key, value);
    }
    // AsterixDB's harness calls it when the write was made, which may wait for its turn before
    // that.
    context.component().setModified();
    // If this fails, nothing was logged, and nothing will be undone.
    log(callback, tuple);
    boolean written = false;
    try {
      tree.write(key, value);
      written = true;
    } finally {
      logged(key, written);
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

  /**
   * How many writes were taken back since the index was opened. A write is counted before its
   * transaction gives its locks up. So a reader can read this number, read a key, ask for the lock
   * of the key, and read the number again: if it is the same, the reader has read no write of this
   * key that was taken back.
   */
  long undone() {
    return undone.get();
  }

  /** The write of a key is in AsterixDB's log; {@code written} says if it was made as well. */
  private void logged(byte[] key, boolean written) {
    if (!written) {
      unwritten.add(new Key(key));
    } else if (!unwritten.isEmpty()) {
      // The transaction that failed has been rolled back, or the key would still be locked.
      unwritten.remove(new Key(key));
    }
  }

  /** Takes back the newest write of a key, unless it was never made. */
  private void undo(byte[] key) throws HyracksDataException {
    if (!unwritten.isEmpty() && unwritten.remove(new Key(key))) {
      return;
    }
    boolean found = tree.undo(key);
    undone.incrementAndGet();
    if (!found) {
      throw HyracksDataException.create(new IllegalStateException("no write to take back"));
    }
  }
}
