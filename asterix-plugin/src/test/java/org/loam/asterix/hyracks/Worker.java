package org.loam.asterix.hyracks;

import java.util.Queue;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.AbstractIndexTestWorker;
import org.apache.hyracks.storage.am.common.TestOperationSelector;
import org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.common.datagen.DataGenThread;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.MultiComparator;

/** One of the threads that use an index at a time; its failure is kept. */
final class Worker extends AbstractIndexTestWorker {
  private final MultiComparator comparator;
  private final Queue<Throwable> failures;

  Worker(
      DataGenThread tuples,
      TestOperationSelector operations,
      IIndex index,
      int batches,
      Queue<Throwable> failures)
      throws HyracksDataException {
    super(tuples, operations, index, batches);
    comparator = MultiComparator.create(((ITreeIndex) index).getComparatorFactories());
    this.failures = failures;
  }

  @Override
  public void performOp(ITupleReference tuple, TestOperation operation)
      throws HyracksDataException {
    try {
      perform(tuple, operation);
    } catch (HyracksDataException | RuntimeException | Error e) {
      failures.add(e);
      throw e;
    }
  }

  private void perform(ITupleReference tuple, TestOperation operation) throws HyracksDataException {
    switch (operation) {
      case INSERT -> insert(tuple);
      case DELETE -> indexAccessor.delete(tuple);
      case UPDATE -> indexAccessor.update(tuple);
      case UPSERT -> indexAccessor.upsert(tuple);
      case POINT_SEARCH -> search(tuple);
      case SCAN -> search(null);
      // Ours are none of its components', but the whole tree's.
      case MERGE -> ((ILSMIndexAccessor) indexAccessor).scheduleFullMerge();
      default -> throw new AssertionError(operation);
    }
  }

  /** Tuples are random, and their keys may be there. */
  private void insert(ITupleReference tuple) throws HyracksDataException {
    try {
      indexAccessor.insert(tuple);
    } catch (HyracksDataException e) {
      if (!e.matches(ErrorCode.DUPLICATE_KEY)) {
        throw e;
      }
    }
  }

  private void search(ITupleReference key) throws HyracksDataException {
    IIndexCursor cursor = indexAccessor.createSearchCursor(false);
    try {
      indexAccessor.search(
          cursor, new RangePredicate(key, key, true, true, comparator, comparator));
      try {
        consumeCursorTuples(cursor);
      } finally {
        cursor.close();
      }
    } finally {
      cursor.destroy();
    }
  }
}
