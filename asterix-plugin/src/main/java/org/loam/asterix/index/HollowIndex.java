package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMDiskComponent;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexOperationContext;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndex;
import org.apache.hyracks.storage.am.lsm.common.impls.AbstractLSMIndexOperationContext;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentFileReferences;

/**
 * An LSM index of AsterixDB without data of its own: it has memory components, which hold nothing,
 * and neither filters nor disk components. So AsterixDB has nothing to merge.
 */
abstract class HollowIndex extends AbstractLSMIndex {
  /** An index that is not open, and has no memory components yet. */
  @SuppressWarnings("NullAway") // What belongs to filters and disk components is null.
  HollowIndex(IndexSite site, boolean isDurable) throws HyracksDataException {
    super(
        site.place().ioManager(),
        site.memory().components(),
        site.memory().bufferCache(),
        new LoamFiles(site.place().ioManager(), site.place().directory()),
        0,
        site.duties().mergePolicy(),
        site.duties().tracker(),
        site.duties().scheduler(),
        site.duties().ioCallbacks(),
        site.duties().pageCallbacks(),
        null,
        null,
        null,
        null,
        null,
        isDurable,
        null,
        null,
        site.tracer());
  }

  /**
   * A search enters no component, since none has what it reads. If it did, AsterixDB could not let
   * writers into that component again before the search has ended.
   */
  @Override
  public final void getOperationalComponents(ILSMIndexOperationContext operation)
      throws HyracksDataException {
    if (operation.getOperation() == IndexOperation.SEARCH) {
      operation.getComponentHolder().clear();
    } else {
      super.getOperationalComponents(operation);
    }
  }

  @Override
  protected final LSMComponentFileReferences getMergeFileReferences(
      ILSMDiskComponent first, ILSMDiskComponent last) {
    throw nothingToMerge();
  }

  @Override
  protected final ILSMIOOperation createMergeOperation(
      AbstractLSMIndexOperationContext context,
      LSMComponentFileReferences files,
      ILSMIOOperationCallback callback) {
    throw nothingToMerge();
  }

  @Override
  protected final ILSMDiskComponent doMerge(ILSMIOOperation operation) {
    throw nothingToMerge();
  }

  private static UnsupportedOperationException nothingToMerge() {
    return new UnsupportedOperationException("there are no disk components to merge");
  }
}
