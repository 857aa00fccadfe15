package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.lsm.read.EntryWalk;

/** One of the things that a scan merges, in its direction: a memory component or a run on disk. */
interface ScanInput extends EntryWalk {
  /** One of {@link org.loam.common.key.EntryKind}. */
  byte kind();

  /** Whether it is a memory component. */
  boolean isInMemory();

  /** Makes the entry the next row of the batch. */
  void addTo(ScanBatch batch);

  /**
   * Makes the entry the next row of the batch, and perhaps some behind it that come before the
   * entries of all other inputs; the input is at the last of these rows then.
   *
   * @param others at the next entry of the other inputs; null if they have none left
   * @return false if the entry behind the rows was found to be past the end of the scan
   */
  default boolean addStreakTo(ScanBatch batch, @Nullable EntryWalk others) {
    addTo(batch);
    return true;
  }
}
