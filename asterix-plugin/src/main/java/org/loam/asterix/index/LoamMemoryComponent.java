package org.loam.asterix.index;

import java.util.function.BooleanSupplier;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMOperationTracker;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.api.LSMOperationType;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndex;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMMemoryComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentFileReferences;

/**
 * What AsterixDB counts writers with, and flushes. It holds no data; what it shows is the index's
 * whole tree.
 */
final class LoamMemoryComponent extends AbstractLSMMemoryComponent {
  private final IndexTree tree;
  private final IVirtualBufferCache memory;
  private final TreeView view;
  private final ILSMOperationTracker tracker;
  private final BooleanSupplier isFull;

  /**
   * @param memory AsterixDB's
   * @param tracker of the index
   * @param isFull whether transactions have to wait before they write
   */
  @SuppressWarnings("NullAway") // There is no filter.
  LoamMemoryComponent(
      AbstractLSMIndex index,
      IndexTree tree,
      IVirtualBufferCache memory,
      TreeView view,
      ILSMOperationTracker tracker,
      BooleanSupplier isFull) {
    super(index, memory, null);
    this.tree = tree;
    this.memory = memory;
    this.view = view;
    this.tracker = tracker;
    this.isFull = isFull;
  }

  /**
   * Called by one thread at a time. A transaction may begin to write while there is memory for what
   * it writes; AsterixDB would ask its own memory only.
   */
  @Override
  public boolean threadEnter(LSMOperationType operation, boolean isMutable)
      throws HyracksDataException {
    if (operation != LSMOperationType.MODIFICATION || !isMutable) {
      return super.threadEnter(operation, isMutable);
    }
    boolean isInside =
        isWritable()
            && !memory.isFull(this)
            && !isFull.getAsBoolean()
            && super.threadEnter(LSMOperationType.FORCE_MODIFICATION, true);
    tree.writerCame(isInside);
    return isInside;
  }

  /** An inactive component becomes writable as soon as it is entered. */
  private boolean isWritable() {
    return getState() == ComponentState.READABLE_WRITABLE || getState() == ComponentState.INACTIVE;
  }

  /**
   * From now on the component is not empty, although it may have nothing in it. AsterixDB keeps its
   * log from the first LSN of each component that is not empty. An operator that opens, and finds
   * the component empty, sets that LSN to the end of the log, under the monitor of the tracker. So
   * the record of a write that calls this before it is logged is never below the first LSN. A call
   * that finds the mark of an earlier one needs no monitor.
   */
  @Override
  public void setModified() {
    if (!isModified()) {
      synchronized (tracker) {
        super.setModified();
      }
    }
  }

  @Override
  public TreeView getIndex() {
    return view;
  }

  @Override
  @SuppressWarnings("NullAway") // It has no other files.
  public LSMComponentFileReferences getComponentFileRefs() {
    return new LSMComponentFileReferences(view.getFileReference(), null, null);
  }
}
