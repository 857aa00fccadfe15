package org.loam.asterix.index;

import org.apache.hyracks.storage.am.common.api.IExtendedModificationOperationCallback;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexOperationContext;
import org.apache.hyracks.storage.common.IIndexAccessParameters;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.apache.hyracks.util.trace.ITracer;

/** What the operations of one accessor share; for one thread. */
final class LoamOpContext extends AbstractLSMIndexOperationContext {
  private final TupleKeys keys;
  private boolean undo;

  @SuppressWarnings("NullAway") // Null for indexes without filters.
  LoamOpContext(
      ILSMIndex index, IndexShape shape, IIndexAccessParameters parameters, ITracer tracer) {
    super(
        index,
        null,
        null,
        null,
        parameters.getSearchOperationCallback(),
        (IExtendedModificationOperationCallback) parameters.getModificationCallback(),
        tracer);
    keys = new TupleKeys(shape.keyTypes());
  }

  TupleKeys keys() {
    return keys;
  }

  ISearchOperationCallback searchCallback() {
    return searchCallback;
  }

  /** The memory component that a write is inside. */
  ILSMMemoryComponent component() {
    // As for AsterixDB's harness, it is the first.
    return (ILSMMemoryComponent) getComponentHolder().get(0);
  }

  /** Whether a transaction's writes come and go without locks and log records. */
  boolean isWithoutCallback() {
    return modificationCallback == NoOpOperationCallback.INSTANCE;
  }

  /** Whether the operation takes back the newest write of its key. */
  boolean isUndo() {
    return undo;
  }

  void setUndo(boolean value) {
    undo = value;
  }

  /** Components hold nothing, so which one is written through makes no difference. */
  @Override
  public void setCurrentMutableComponentId(int currentMutableComponentId) {}

  @Override
  public void destroy() {}
}
