package org.loam.lsm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which tree to flush when write memory is short (MemoryWalls §4.2). A pure function. When the log
 * is too long it is always the tree with the minimum LSN.
 */
public enum FlushPolicy {
  /** The tree with the largest active memory component. */
  MAX_MEMORY {
    @Override
    boolean isBetter(TreeMemory a, TreeMemory b) {
      return a.activeBytes() > b.activeBytes();
    }
  },
  /** The tree with the oldest write that is only in memory. */
  MIN_LSN {
    @Override
    boolean isBetter(TreeMemory a, TreeMemory b) {
      return a.minLsn() < b.minLsn();
    }
  };

  /**
   * A tree's part of write memory.
   *
   * @param activeBytes size of the active component
   * @param minLsn smallest LSN in the active component, {@code Long.MAX_VALUE} if it is empty
   */
  public record TreeMemory(LsmTree tree, long activeBytes, long minLsn) {}

  abstract boolean isBetter(TreeMemory a, TreeMemory b);

  /** Chooses among the trees that hold something; null if none does. */
  public @Nullable LsmTree choose(List<TreeMemory> trees) {
    TreeMemory best = null;
    for (TreeMemory tree : trees) {
      if (tree.minLsn() != Long.MAX_VALUE && (best == null || isBetter(tree, best))) {
        best = tree;
      }
    }
    return best == null ? null : best.tree();
  }
}
