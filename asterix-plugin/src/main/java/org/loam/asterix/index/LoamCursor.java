package org.loam.asterix.index;

import java.util.Arrays;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.dataflow.common.utils.TupleUtils;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.api.ILSMIndexCursor;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.common.EnforcedIndexCursor;
import org.apache.hyracks.storage.common.ICursorInitialState;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;
import org.loam.engine.host.Found;
import org.loam.engine.host.HostCursor;
import org.loam.engine.host.HostScan;

/**
 * Shows the tuples that a search asks for, as AsterixDB's transactions allow. Before the cursor
 * shows a tuple that may not be committed, it asks the callback of the search whether it may {@code
 * proceed}. If not, a transaction holds the key: the cursor calls {@code reconcile}, which waits
 * for the end of that transaction, and reads the tuple again. Then it calls {@code complete} if the
 * tuple is still there, else {@code cancel}.
 *
 * <p>A scan shows the tree as it was when the scan began, and some of these writes may have been
 * taken back since. So the scan begins again, at its current key, whenever it sees that a write was
 * taken back.
 *
 * <p>Tuples on disk are committed, so the cursor asks only about tuples in memory. A lookup of a
 * key asks about deletes, too, as they may be rolled back; so does a scan of the primary index or
 * of an index of keys. A scan of another index asks about the tuples that it shows, or has no
 * callback to ask. A search must not ask about a key that is not there: AsterixDB looks for the key
 * of a delete in all partitions of a node, and the delete may have its lock already.
 *
 * <p>What the key does not give back of the tuple of a scan lies where the engine's cursor has it.
 * It is valid until the next tuple is asked for, like a tuple in a page of AsterixDB's.
 */
final class LoamCursor extends EnforcedIndexCursor implements ILSMIndexCursor {
  private final IndexTree tree;
  private final IndexShape shape;
  private final IndexWrites writes;
  private final LoamOpContext context;
  private final ISearchOperationCallback callback;
  private final boolean asks;
  private final LoamTuple tuple;

  private HostScan range = HostScan.all();
  private byte @Nullable [] point;
  private @Nullable HostCursor scan;
  private long undone;
  private boolean atEntry;
  private boolean ready;
  private boolean proceeded = true;

  LoamCursor(IndexTree tree, IndexShape shape, IndexWrites writes, LoamOpContext context) {
    this.tree = tree;
    this.shape = shape;
    this.writes = writes;
    this.context = context;
    this.callback = context.searchCallback();
    this.asks = callback != NoOpOperationCallback.INSTANCE;
    this.tuple = new LoamTuple(shape);
  }

  @Override
  protected void doOpen(@Nullable ICursorInitialState state, ISearchPredicate predicate)
      throws HyracksDataException {
    RangePredicate wanted = (RangePredicate) predicate;
    ready = false;
    atEntry = false;
    proceeded = true;
    point = context.keys().point(wanted);
    if (point == null) {
      range = context.keys().range(wanted);
      if (asks && (shape.isPrimary() || shape.isOfKeys())) {
        range = range.withAntiMatter();
      }
      restart();
    } else {
      ready = find(point, wanted.getLowKey());
    }
  }

  // ---- One key.

  private boolean find(byte[] key, ITupleReference searched) throws HyracksDataException {
    Found found;
    do {
      // Reads again if a write was taken back, and asks again: another transaction may have written
      // the key since the callback said that none holds it.
      found = read(key);
      if (!asks || !found.isInMemory()) {
        return found.value() != null;
      }
      // Also about a delete: it may be rolled back.
      proceeded = callback.proceed(searched);
    } while (proceeded && undone != writes.undone());
    if (!proceeded) {
      callback.reconcile(searched);
      found = read(key);
      if (found.value() != null) {
        callback.complete(searched);
      } else {
        callback.cancel(searched);
      }
    }
    return found.value() != null;
  }

  private Found read(byte[] key) throws HyracksDataException {
    undone = writes.undone();
    Found found = tree.find(key);
    byte[] value = found.value();
    if (value != null) {
      tuple.reset(key, value);
    }
    return found;
  }

  // ---- A range.

  /** Begins the scan, or begins it again at the range's new start. */
  private void restart() throws HyracksDataException {
    endScan();
    undone = writes.undone();
    scan = tree.scan(range);
  }

  private boolean step() throws HyracksDataException {
    HostCursor cursor = scan;
    atEntry = cursor != null && tree.next(cursor);
    if (atEntry && cursor != null) {
      tuple.reset(
          cursor.keyArray(),
          cursor.keyOffset(),
          cursor.keyLength(),
          cursor.valueArray(),
          cursor.valueOffset(),
          cursor.valueLength());
    }
    return atEntry;
  }

  @Override
  protected boolean doHasNext() throws HyracksDataException {
    while (!ready && point == null && (atEntry || step())) {
      // An entry on disk is committed, because a flush waits for the transactions inside.
      boolean asked = asks && current().isInMemory();
      proceeded = !asked || callback.proceed(tuple);
      if (!asked) {
        show();
      } else if (!proceeded) {
        reconcile();
      } else if (undone != writes.undone()) {
        range = range.from(key());
        restart();
        atEntry = false;
      } else {
        show();
      }
    }
    return ready;
  }

  /** Shows the current entry of the scan, unless it is a delete. */
  private void show() {
    ready = !current().isAntiMatter();
    atEntry = ready;
  }

  /** Waits for the transaction at the scan's key, and shows the tuple if it is there then. */
  private void reconcile() throws HyracksDataException {
    byte[] key = key();
    ITupleReference waited = TupleUtils.copyTuple(tuple);
    callback.reconcile(waited);
    range = range.from(key);
    restart();
    if (step() && Arrays.equals(key(), key)) {
      show();
    }
    if (ready) {
      callback.complete(tuple);
    } else {
      callback.cancel(waited);
    }
  }

  private byte[] key() {
    return current().key();
  }

  private HostCursor current() {
    HostCursor cursor = scan;
    if (cursor == null) {
      throw new IllegalStateException("the scan has not begun");
    }
    return cursor;
  }

  @Override
  protected void doNext() {
    ready = false;
    atEntry = false;
  }

  @Override
  protected ITupleReference doGetTuple() {
    return tuple;
  }

  // ---- End.

  private void endScan() {
    HostCursor cursor = scan;
    scan = null;
    if (cursor != null) {
      cursor.close();
    }
  }

  @Override
  protected void doClose() throws HyracksDataException {
    ready = false;
    atEntry = false;
    try {
      endScan();
    } finally {
      context.getIndex().getHarness().endSearch(context);
    }
  }

  @Override
  protected void doDestroy() {}

  // There are no filters.

  @Override
  @SuppressWarnings("NullAway")
  public ITupleReference getFilterMinTuple() {
    return null;
  }

  @Override
  @SuppressWarnings("NullAway")
  public ITupleReference getFilterMaxTuple() {
    return null;
  }

  @Override
  public boolean getSearchOperationCallbackProceedResult() {
    return proceeded;
  }
}
