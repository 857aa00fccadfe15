package org.loam.lsm.merge;

import java.util.List;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Guards;

/** What a flush knows of one of its components: of which tree it is, and what becomes of it. */
public interface FlushPart {
  /** Takes no more writes. */
  MemoryComponent component();

  /** Of the tree. */
  TableStore store();

  /** Whether no table of the tree overlaps the component. */
  boolean isLowest();

  /** Where the result is cut; not at all if the component is too small for that. */
  Guards guards();

  /**
   * Called once before the first entry is read; from then on every write in the component is
   * published.
   *
   * @throws org.loam.common.error.StorageException if the flush must not go on
   */
  void prepare();

  /** Whether the tree was dropped, so that no result is wanted. */
  boolean isDropped();

  /** The tables are there, and durable. They belong to the tree once {@link #isInstalled}. */
  void written(List<LiveTable> tables);

  /** Whether the tables are in the place of the component. */
  boolean isInstalled();

  /** The flush has ended without a result for this component, which is as it was. */
  void aborted();
}
