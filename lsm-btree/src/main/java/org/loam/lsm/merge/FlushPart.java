package org.loam.lsm.merge;

import java.util.List;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.version.LiveTable;

/** What a flush knows of components of a tree: of which tree they are, what becomes of them. */
public interface FlushPart {
  /** The tree. */
  int treeId();

  /**
   * What is flushed; it takes no more writes. The pieces have no key in common, and are in their
   * order; the runs of each are newest first.
   */
  List<List<MemoryRun>> pieces();

  /** The components of all pieces. */
  default List<MemoryComponent> components() {
    return pieces().stream().flatMap(List::stream).map(MemoryRun::component).toList();
  }

  /** Memory of the components. */
  default long usedBytes() {
    return components().stream().mapToLong(MemoryComponent::usedBytes).sum();
  }

  /** Of the tree. */
  TableStore store();

  /** Whether no table of the tree overlaps a component. */
  boolean isLowest();

  /** Keys at which the result is cut, ascending. */
  List<byte[]> cuts();

  /**
   * Called once before the first entry is read; from then on every write in the components is
   * published.
   *
   * @throws org.loam.common.error.StorageException if the flush must not go on
   */
  void prepare();

  /** Whether the tree was dropped, so that no result is wanted. */
  boolean isDropped();

  /** So much of {@link #usedBytes} is written by now. */
  void advanced(long consumedBytes);

  /** The tables are there, and durable. They belong to the tree once {@link #isInstalled}. */
  void written(List<LiveTable> tables);

  /** Whether the tables are in the place of the components. */
  boolean isInstalled();

  /** The flush has ended without a result for the components, which are as they were. */
  void aborted();
}
