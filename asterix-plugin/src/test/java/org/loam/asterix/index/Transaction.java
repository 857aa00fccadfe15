package org.loam.asterix.index;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.asterix.common.transactions.DatasetId;
import org.apache.asterix.common.transactions.ITransactionContext;
import org.apache.asterix.common.transactions.TxnId;
import org.apache.asterix.transaction.management.opcallbacks.AbstractIndexModificationOperationCallback;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.dataflow.common.utils.TupleUtils;
import org.apache.hyracks.storage.am.common.impls.IndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.am.lsm.common.api.LSMOperationType;

/**
 * A transaction that writes as AsterixDB's operators do, through this callback, and is rolled back
 * or redone as its recovery manager does it, in the index that a log record names. Like that of
 * AsterixDB's insert, it is the callback of the primary index, whatever index it is handed to.
 */
final class Transaction extends AbstractIndexModificationOperationCallback {
  /** What the index asked, as {@code "before 1"}. */
  final List<String> asked = new ArrayList<>();

  private final TestDataset dataset;
  private final Deque<Logged> log = new ArrayDeque<>();
  private IndexOperation operation = IndexOperation.NOOP;
  private int inside;
  private boolean logFails;
  private Search.Others others = () -> {};

  /** A write in the log. */
  private record Logged(IndexOperation operation, ITupleReference tuple, long resource) {}

  /** A write of an accessor. */
  private interface Write {
    void write(ILSMIndexAccessor accessor, ITupleReference tuple) throws HyracksDataException;
  }

  @SuppressWarnings("NullAway") // no lock is taken, and the context is never read
  Transaction(TestDataset dataset) {
    super(
        new DatasetId(1),
        new int[] {0},
        context(),
        null,
        null,
        TestDataset.resource(TestDataset.PRIMARY),
        0,
        (byte) 0,
        Operation.INSERT);
    this.dataset = dataset;
  }

  private static ITransactionContext context() {
    return (ITransactionContext)
        Proxy.newProxyInstance(
            ITransactionContext.class.getClassLoader(),
            new Class<?>[] {ITransactionContext.class},
            (proxy, method, arguments) -> new TxnId(1));
  }

  /** From now on writes do not come into the log. */
  Transaction logFails() {
    logFails = true;
    return this;
  }

  /** What others do as soon as a write is in the log, and before it is made. */
  Transaction whenLogged(Search.Others action) {
    others = action;
    return this;
  }

  @Override
  public void beforeOperation() {}

  @Override
  public void afterOperation() {}

  @Override
  public void before(ITupleReference tuple) {
    asked.add("before " + AdmTuple.text(tuple, 0));
  }

  @Override
  public void found(ITupleReference before, ITupleReference after) throws HyracksDataException {
    asked.add("found " + AdmTuple.text(after, 0));
    if (logFails) {
      throw HyracksDataException.create(new InterruptedException("while waiting for a log page"));
    }
    log.push(new Logged(operation, TupleUtils.copyTuple(after), indexRecord.getResourceId()));
    others.act();
  }

  @Override
  public void after(ITupleReference after) {}

  // ---- Writes.

  Transaction insert(Object... fields) throws HyracksDataException {
    return insertInto(dataset.primary(), fields);
  }

  Transaction insertInto(LoamIndex index, Object... fields) throws HyracksDataException {
    return write(IndexOperation.INSERT, ILSMIndexAccessor::insert, index, fields);
  }

  Transaction upsert(Object... fields) throws HyracksDataException {
    return write(IndexOperation.UPSERT, ILSMIndexAccessor::upsert, dataset.primary(), fields);
  }

  Transaction delete(Object... fields) throws HyracksDataException {
    return deleteFrom(dataset.primary(), fields);
  }

  Transaction deleteFrom(LoamIndex index, Object... fields) throws HyracksDataException {
    return write(IndexOperation.DELETE, ILSMIndexAccessor::delete, index, fields);
  }

  private Transaction write(IndexOperation kind, Write write, LoamIndex index, Object... fields)
      throws HyracksDataException {
    operation = kind;
    ILSMIndexAccessor accessor =
        index.createAccessor(new IndexAccessParameters(this, NoOpOperationCallback.INSTANCE));
    try {
      write.write(accessor, AdmTuple.of(fields));
      inside += index.isPrimaryIndex() ? 1 : 0;
    } finally {
      accessor.destroy();
    }
    return this;
  }

  /** The indexes that its log records name, the oldest record first. */
  List<Long> loggedResources() {
    List<Long> resources = new ArrayList<>();
    log.descendingIterator().forEachRemaining(logged -> resources.add(logged.resource));
    return resources;
  }

  /** The index that the next log record will name, unless a test says otherwise. */
  long nextResource() {
    return indexRecord.getResourceId();
  }

  // ---- Ends.

  /** Its writes count; operations are inside until then. */
  void commit() throws HyracksDataException {
    for (; inside > 0; inside--) {
      dataset
          .tracker()
          .completeOperation(
              dataset.primary(),
              LSMOperationType.MODIFICATION,
              NoOpOperationCallback.INSTANCE,
              this);
    }
  }

  /** Takes all writes in the log back, the newest first, and ends. */
  void rollBack() throws HyracksDataException {
    while (!log.isEmpty()) {
      undoLast();
    }
    commit();
  }

  /** Takes the newest write in the log back that was not yet. */
  void undoLast() throws HyracksDataException {
    Logged logged = log.pop();
    ILSMIndexAccessor accessor = accessor(logged);
    try {
      if (logged.operation == IndexOperation.INSERT) {
        accessor.forceDelete(logged.tuple);
      } else {
        // The log has no old value.
        accessor.forcePhysicalDelete(logged.tuple);
      }
    } finally {
      accessor.destroy();
    }
  }

  /** Makes all writes in the log again, the oldest first, after a crash. */
  void redo() throws HyracksDataException {
    for (var logged = log.descendingIterator(); logged.hasNext(); ) {
      Logged next = logged.next();
      ILSMIndexAccessor accessor = accessor(next);
      accessor.getOpContext().setRecovery(true);
      switch (next.operation) {
        case INSERT -> accessor.forceInsert(next.tuple);
        case DELETE -> accessor.forceDelete(next.tuple);
        default -> accessor.forceUpsert(next.tuple);
      }
      accessor.destroy();
    }
  }

  private ILSMIndexAccessor accessor(Logged logged) {
    return dataset.byResource(logged.resource).createAccessor(NoOpIndexAccessParameters.INSTANCE);
  }
}
