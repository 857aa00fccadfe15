package org.loam.lsm;

import java.util.List;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.TreeShape;

/**
 * Learns of flushes and merges as they begin and end. Thread-safe. Called under the tree's install
 * lock, so that the order of calls is the order of changes: must neither wait nor take a lock of
 * the engine.
 */
public interface WorkObserver {
  /** Looks at nothing. */
  WorkObserver NONE =
      new WorkObserver() {
        @Override
        public Ending flushBegun(String tree, FlushCause cause, List<MemoryComponent> components) {
          return Ending.NONE;
        }

        @Override
        public Ending mergeBegun(String tree, MergePlan plan, TreeShape shape, boolean move) {
          return Ending.NONE;
        }
      };

  /** Learns how it ended: one of the methods is called, once. */
  interface Ending {
    /** Looks at nothing. */
    Ending NONE =
        new Ending() {
          @Override
          public void installed(List<LiveTable> result) {}

          @Override
          public void aborted() {}
        };

    /** The result is in its place. */
    void installed(List<LiveTable> result);

    /** It failed, its tree was dropped, or the workers have stopped. */
    void aborted();
  }

  /**
   * The flush of components of a tree begins.
   *
   * @param tree its name
   */
  Ending flushBegun(String tree, FlushCause cause, List<MemoryComponent> components);

  /**
   * A merge begins.
   *
   * @param tree its name
   * @param shape of the tree before
   * @param move whether its one input only changes its place
   */
  Ending mergeBegun(String tree, MergePlan plan, TreeShape shape, boolean move);
}
