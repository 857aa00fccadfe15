package org.loam.asterix.index;

import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.am.lsm.common.impls.FlushOperation;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentFileReferences;

/** A flush of AsterixDB's, and what of the tree it has to see on disk. */
final class LoamFlush extends FlushOperation {
  private final long loamFlush;

  /**
   * @param loamFlush what {@link org.loam.engine.host.HostTree#beginFlush} returned
   */
  LoamFlush(
      ILSMIndexAccessor accessor,
      FileReference target,
      ILSMIOOperationCallback callback,
      String index,
      long loamFlush) {
    super(accessor, target, callback, index);
    this.loamFlush = loamFlush;
  }

  long loamFlush() {
    return loamFlush;
  }

  /** There is no file to clean up. */
  @Override
  @SuppressWarnings("NullAway") // Null is how an operation without files says so.
  protected LSMComponentFileReferences getComponentFiles() {
    return null;
  }
}
