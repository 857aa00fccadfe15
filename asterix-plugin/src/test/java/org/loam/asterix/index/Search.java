package org.loam.asterix.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.BatchPredicate;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.impls.IndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTreeBatchPointSearchCursor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.apache.hyracks.storage.common.MultiComparator;
import org.jspecify.annotations.Nullable;

/**
 * Searches of an index by a transaction whose part a test plays: which keys are locked, and what
 * happens while it asks for them or waits. What it was asked is kept.
 */
final class Search implements ISearchOperationCallback {
  /** What other transactions do meanwhile. */
  interface Others {
    void act() throws HyracksDataException;
  }

  /** What the index asked, as {@code "proceed 1"}. */
  final List<String> asked = new ArrayList<>();

  /** The rows that were shown after a wait, except those of {@link #keys}. */
  final List<String> waited = new ArrayList<>();

  private final LoamIndex index;
  private final Set<String> locked = new HashSet<>();
  private final Map<String, Others> actions = new HashMap<>();
  private boolean hasTransaction = true;

  Search(LoamIndex index) {
    this.index = index;
  }

  /** Another transaction has the lock of a key until this one has waited for it. */
  Search locked(long key) {
    locked.add(Long.toString(key));
    return this;
  }

  /** The searches belong to no transaction. */
  Search withoutTransaction() {
    hasTransaction = false;
    return this;
  }

  /**
   * What happens within a call, once.
   *
   * @param call as in {@link #asked}
   */
  Search during(String call, Others others) {
    actions.put(call, others);
    return this;
  }

  private void asked(String call, ITupleReference tuple) throws HyracksDataException {
    String text = call + " " + AdmTuple.text(tuple, 0);
    asked.add(text);
    Others others = actions.remove(text);
    if (others != null) {
      others.act();
    }
  }

  @Override
  public void before(ITupleReference tuple) {}

  @Override
  public boolean proceed(ITupleReference tuple) throws HyracksDataException {
    // What happens meanwhile comes after the answer, and before the index has it.
    boolean isFree = !locked.contains(AdmTuple.text(tuple, 0));
    asked("proceed", tuple);
    return isFree;
  }

  @Override
  public void reconcile(ITupleReference tuple) throws HyracksDataException {
    asked("reconcile", tuple);
    locked.remove(AdmTuple.text(tuple, 0));
  }

  @Override
  public void cancel(ITupleReference tuple) throws HyracksDataException {
    asked("cancel", tuple);
  }

  @Override
  public void complete(ITupleReference tuple) throws HyracksDataException {
    asked("complete", tuple);
  }

  // ---- Searches.

  ILSMIndexAccessor accessor() {
    return index.createAccessor(
        new IndexAccessParameters(
            NoOpOperationCallback.INSTANCE,
            hasTransaction ? this : NoOpOperationCallback.INSTANCE));
  }

  private MultiComparator comparator(int fields) {
    return MultiComparator.create(index.getComparatorFactories(), 0, fields);
  }

  /** What is from one key to another, both included, or without a bound where one is null. */
  List<String> range(@Nullable Object low, @Nullable Object high) throws HyracksDataException {
    return range(low, true, high, true);
  }

  /** What is between two keys, which are included or not. */
  List<String> range(
      @Nullable Object low, boolean lowIncluded, @Nullable Object high, boolean highIncluded)
      throws HyracksDataException {
    return rows(
        new RangePredicate(
            low == null ? null : AdmTuple.of(low),
            high == null ? null : AdmTuple.of(high),
            lowIncluded,
            highIncluded,
            comparator(1),
            comparator(1)));
  }

  /** What has a key. */
  List<String> key(Object key) throws HyracksDataException {
    ITupleReference tuple = AdmTuple.of(key);
    return rows(new RangePredicate(tuple, tuple, true, true, comparator(1), comparator(1)));
  }

  private List<String> rows(RangePredicate predicate) throws HyracksDataException {
    ILSMIndexAccessor accessor = accessor();
    return rows(accessor, accessor.createSearchCursor(false), predicate);
  }

  /** What has one of many keys, by AsterixDB's cursor for that. */
  List<String> keys(Object... keys) throws HyracksDataException {
    ILSMIndexAccessor accessor = accessor();
    return rows(
        accessor,
        new LSMBTreeBatchPointSearchCursor(accessor.getOpContext()),
        new Keys(comparator(1), List.of(keys).iterator()));
  }

  private List<String> rows(
      ILSMIndexAccessor accessor, IIndexCursor cursor, RangePredicate predicate)
      throws HyracksDataException {
    List<String> rows = new ArrayList<>();
    try {
      accessor.search(cursor, predicate);
      try {
        while (cursor.hasNext()) {
          cursor.next();
          String row = AdmTuple.text(cursor.getTuple());
          rows.add(row);
          if (cursor instanceof LoamCursor ours
              && !ours.getSearchOperationCallbackProceedResult()) {
            waited.add(row);
          }
        }
      } finally {
        cursor.close();
      }
    } finally {
      cursor.destroy();
      accessor.destroy();
    }
    return rows;
  }

  /** Keys one after the other, which AsterixDB takes from a frame. */
  @SuppressWarnings("serial")
  private static final class Keys extends BatchPredicate {
    private final Iterator<Object> keys;
    private ITupleReference key = AdmTuple.of(0);

    Keys(MultiComparator comparator, Iterator<Object> keys) {
      super(null, comparator, null, null, null);
      this.keys = keys;
    }

    @Override
    public boolean hasNext() {
      return keys.hasNext();
    }

    @Override
    public void next() {
      key = AdmTuple.of(keys.next());
    }

    @Override
    public ITupleReference getLowKey() {
      return key;
    }

    @Override
    public ITupleReference getHighKey() {
      return key;
    }
  }
}
