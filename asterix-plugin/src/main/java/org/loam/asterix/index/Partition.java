package org.loam.asterix.index;

import java.util.Set;
import org.apache.asterix.common.context.BaseOperationTracker;
import org.apache.asterix.common.context.PrimaryIndexOperationTracker;
import org.apache.asterix.common.storage.ResourceReference;
import org.apache.asterix.common.utils.StoragePathUtil;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMOperationTracker;

/**
 * The open indexes of a partition of a dataset: those of Loam, and those that AsterixDB keeps in
 * its own storage. AsterixDB flushes all of them together. Thread-safe.
 */
public final class Partition {
  private final ILSMOperationTracker tracker;
  private final String path;

  /**
   * The partition of an index.
   *
   * @param tracker of the index
   * @param path of the index, relative to its device
   */
  Partition(ILSMOperationTracker tracker, String path) {
    this.tracker = tracker;
    this.path = path;
  }

  /** The partition of an index of any kind. */
  public static Partition of(ILSMIndex index) {
    ResourceReference place = ResourceReference.ofIndex(index.getIndexIdentifier());
    return new Partition(index.getOperationTracker(), place.getRelativePath().toString());
  }

  /** All of them. */
  public Set<ILSMIndex> indexes() {
    return ((BaseOperationTracker) tracker)
        .getDatasetInfo()
        .getDatasetPartitionOpenIndexes(StoragePathUtil.getPartitionNumFromRelativePath(path));
  }

  /** Whether a transaction has begun to write to its primary index, and has not ended. */
  boolean isWrittenTo() {
    return tracker instanceof PrimaryIndexOperationTracker primary
        && primary.getNumActiveOperations() > 0;
  }

  /** Whether AsterixDB keeps any of them in its own storage. */
  public boolean hasStock() {
    return indexes().stream().anyMatch(Partition::isStock);
  }

  /** Whether AsterixDB keeps an index in its own storage. */
  public static boolean isStock(ILSMIndex index) {
    return !(index instanceof LoamIndex);
  }
}
