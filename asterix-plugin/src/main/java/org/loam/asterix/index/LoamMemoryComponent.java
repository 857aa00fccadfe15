package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
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
  private final TreeView view;

  @SuppressWarnings("NullAway") // There is no filter.
  LoamMemoryComponent(
      AbstractLSMIndex index, IndexTree tree, IVirtualBufferCache memory, TreeView view) {
    super(index, memory, null);
    this.tree = tree;
    this.view = view;
  }

  /** Called by one thread at a time. */
  @Override
  public boolean threadEnter(LSMOperationType operation, boolean isMutable)
      throws HyracksDataException {
    boolean isInside = super.threadEnter(operation, isMutable);
    if (operation == LSMOperationType.MODIFICATION && isMutable) {
      tree.writerCame(isInside);
    }
    return isInside;
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
