package org.loam.lsm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which trees to flush when write memory is short (MemoryWalls §4.2). A pure function. When the log
 * is too long it is always those with the smallest LSNs.
 */
public enum FlushPolicy {
  /** The tree with the largest active memory component. */
  MAX_MEMORY {
    @Override
    Comparator<TreeMemory> order() {
      return Comparator.comparingLong(TreeMemory::activeBytes).reversed();
    }
  },
  /** The tree with the oldest write that is only in memory. */
  MIN_LSN {
    @Override
    Comparator<TreeMemory> order() {
      return Comparator.comparingLong(TreeMemory::minLsn);
    }
  };

  /**
   * A tree's part of write memory.
   *
   * @param activeBytes size of the active component
   * @param minLsn smallest LSN in the active component, {@code Long.MAX_VALUE} if it is empty
   */
  public record TreeMemory(LsmTree tree, long activeBytes, long minLsn) {}

  /** The tree to flush first comes first. */
  abstract Comparator<TreeMemory> order();

  /**
   * Chooses among the trees that hold something, in the order of the policy, until they have enough
   * together.
   *
   * @param bytes of active components that are to be flushed; the last tree may have more
   * @return at least one tree if one holds something
   */
  public List<LsmTree> choose(List<TreeMemory> trees, long bytes) {
    List<LsmTree> chosen = new ArrayList<>();
    long sum = 0;
    for (TreeMemory tree : trees.stream().sorted(order()).toList()) {
      if (tree.minLsn() != Long.MAX_VALUE && (chosen.isEmpty() || sum < bytes)) {
        chosen.add(tree.tree());
        sum += tree.activeBytes();
      }
    }
    return chosen;
  }
}
