package org.loam.lsm;

import org.loam.lsm.read.EntryWalk;

/** One of the things that a scan merges, in its direction: a memory component or a run on disk. */
interface ScanInput extends EntryWalk {
  /** One of {@link org.loam.common.key.EntryKind}. */
  byte kind();

  /** Whether it is a memory component. */
  boolean isInMemory();

  /**
   * Makes the entry the next row of the batch.
   *
   * @param isAlone whether no other input has entries left: then entries behind this one may become
   *     rows with it, and the input is at the last of them
   * @return false if the entry behind the rows was found to be past the end of the scan
   */
  boolean addTo(ScanBatch batch, boolean isAlone);
}
