package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.impls.LoadOperation;

/**
 * Begins loads of an index. What has to be empty for a load has to be fresh: redo makes writes
 * again that are in the log, over what was loaded; and after a flush AsterixDB could not note the
 * load, whose checkpoint would go back in its log. Thread-safe.
 */
final class IndexLoads {
  private final IndexTree tree;
  private final IndexTree.Check check;
  private final int keyFields;

  /** Makes what AsterixDB calls a load. */
  interface Operations {
    /** Makes one. */
    LoadOperation create() throws HyracksDataException;
  }

  /**
   * @param check says whether the index is fresh
   * @param keyFields of a tuple
   */
  IndexLoads(IndexTree tree, IndexTree.Check check, int keyFields) {
    this.tree = tree;
    this.check = check;
    this.keyFields = keyFields;
  }

  /**
   * Begins a load.
   *
   * @param requiresFresh whether an index that is not fresh refuses it
   * @param verifies whether a key that comes twice is a failure
   */
  LoamBulkLoader begin(boolean requiresFresh, boolean verifies, Operations operations)
      throws HyracksDataException {
    boolean isFresh = tree.beginLoading(check);
    boolean begun = false;
    try {
      if (requiresFresh && !isFresh) {
        throw HyracksDataException.create(ErrorCode.LOAD_NON_EMPTY_INDEX);
      }
      LoamBulkLoader loader =
          new LoamBulkLoader(
              tree, operations.create(), new TupleKeys(keyFields), verifies, isFresh);
      begun = true;
      return loader;
    } finally {
      if (!begun) {
        tree.endLoading(isFresh);
      }
    }
  }
}
