package org.loam.asterix.index;

import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMMemoryComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentFileReferences;

/**
 * What AsterixDB counts writers with, and flushes. It holds no data; what it shows is the index's
 * whole tree.
 */
final class LoamMemoryComponent extends AbstractLSMMemoryComponent {
  private final TreeView view;

  @SuppressWarnings("NullAway") // There is no filter.
  LoamMemoryComponent(LoamIndex index, IVirtualBufferCache memory, TreeView view) {
    super(index, memory, null);
    this.view = view;
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
