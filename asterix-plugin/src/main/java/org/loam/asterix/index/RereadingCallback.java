package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.common.ISearchOperationCallback;

/**
 * Has AsterixDB's lookup of a batch of keys read a key again if something was undone since it may
 * have read it: as if a transaction were at the key, which the lookup waits for. For one search.
 */
final class RereadingCallback implements ISearchOperationCallback {
  private final IndexWrites writes;
  private final ISearchOperationCallback callback;

  /** What was undone before the next key is read. */
  private long undone;

  RereadingCallback(IndexWrites writes, ISearchOperationCallback callback) {
    this.writes = writes;
    this.callback = callback;
    undone = writes.undone();
  }

  @Override
  public boolean proceed(ITupleReference tuple) throws HyracksDataException {
    long before = undone;
    boolean proceeds = callback.proceed(tuple);
    undone = writes.undone();
    return proceeds && undone == before;
  }

  @Override
  public void before(ITupleReference tuple) throws HyracksDataException {
    callback.before(tuple);
  }

  @Override
  public void reconcile(ITupleReference tuple) throws HyracksDataException {
    callback.reconcile(tuple);
  }

  @Override
  public void cancel(ITupleReference tuple) throws HyracksDataException {
    undone = writes.undone();
    callback.cancel(tuple);
  }

  @Override
  public void complete(ITupleReference tuple) throws HyracksDataException {
    undone = writes.undone();
    callback.complete(tuple);
  }
}
