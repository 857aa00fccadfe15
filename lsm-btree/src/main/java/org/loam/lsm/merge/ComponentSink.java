package org.loam.lsm.merge;

import java.util.List;
import org.loam.lsm.version.LiveTable;

/** Where a flush or merge gives its result: its tree. */
public interface ComponentSink {
  /**
   * Called once before the first entry is read.
   *
   * @throws org.loam.common.error.StorageException if the operation must not go on
   */
  void prepare();

  /**
   * Puts tables in place of the inputs, durably and in one step; they belong to the tree from then
   * on.
   *
   * @return false if the tree was dropped meanwhile; nothing has changed then
   * @throws org.loam.common.error.FencedException if it is not known whether it happened
   * @throws org.loam.common.error.StorageException if it did not; after anything else that is
   *     thrown it may have
   */
  boolean install(List<LiveTable> tables);

  /** The operation has ended without a result; its inputs are as they were. */
  void aborted();

  /** Whether the tree was dropped, so that no result is wanted. */
  boolean isDropped();
}
