package org.loam.asterix.index;

import java.util.function.Supplier;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.common.data.accessors.FrameTupleReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.lsm.common.api.IFrameOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.IFrameTupleProcessor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMHarness;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMTreeIndexAccessor;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIoOperation;

/**
 * Access to an index for one thread. AsterixDB rolls a transaction back record by record, the
 * newest first, with forced writes that have no callback and are no redo. Each such write takes
 * back the newest write of its key, whatever earlier value the record has.
 */
final class LoamIndexAccessor extends LSMTreeIndexAccessor {
  private final LoamOpContext context;
  private final IndexTree tree;

  LoamIndexAccessor(
      ILSMHarness harness, LoamOpContext context, IndexTree tree, Supplier<LoamCursor> cursors) {
    super(harness, context, unused -> cursors.get());
    this.context = context;
    this.tree = tree;
  }

  private interface Force {
    void write(ITupleReference tuple) throws HyracksDataException;
  }

  private void force(Force write, ITupleReference tuple) throws HyracksDataException {
    context.setUndo(context.isWithoutCallback() && !context.isRecovery());
    try {
      write.write(tuple);
    } finally {
      context.setUndo(false);
    }
  }

  @Override
  public void forceInsert(ITupleReference tuple) throws HyracksDataException {
    force(super::forceInsert, tuple);
  }

  @Override
  public void forceUpsert(ITupleReference tuple) throws HyracksDataException {
    force(super::forceUpsert, tuple);
  }

  @Override
  public void forceDelete(ITupleReference tuple) throws HyracksDataException {
    force(super::forceDelete, tuple);
  }

  @Override
  public void forcePhysicalDelete(ITupleReference tuple) throws HyracksDataException {
    force(super::forcePhysicalDelete, tuple);
  }

  /**
   * As AsterixDB's operators write to the primary index, frame by frame: a frame with a large
   * record has no other.
   */
  @Override
  public void batchOperate(
      FrameTupleAccessor frame,
      FrameTupleReference tuple,
      IFrameTupleProcessor processor,
      IFrameOperationCallback callback)
      throws HyracksDataException {
    tree.writeLarge(
        frame.getBuffer().capacity(), () -> super.batchOperate(frame, tuple, processor, callback));
  }

  /** For COMPACT, of what is on disk: transactions write to the dataset meanwhile. */
  @Override
  public ILSMIOOperation scheduleFullMerge() throws HyracksDataException {
    tree.compact();
    return NoOpIoOperation.INSTANCE;
  }
}
