package org.loam.lsm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.loam.lsm.memory.MemoryComponent;

/**
 * Which memory components to flush when write memory is short (MemoryWalls §4.2). A pure function.
 * When the log is too long it is always those with the smallest LSNs.
 */
public enum FlushPolicy {
  /** The largest active component of the tree with the largest ones. */
  MAX_MEMORY {
    @Override
    Comparator<ActiveMemory> order() {
      return Comparator.comparingLong(ActiveMemory::treeBytes)
          .thenComparingLong(ActiveMemory::bytes)
          .reversed();
    }
  },
  /** The active component with the oldest write that is only in memory. */
  MIN_LSN {
    @Override
    Comparator<ActiveMemory> order() {
      return Comparator.comparingLong(ActiveMemory::minLsn);
    }
  };

  /**
   * An active component and its part of write memory.
   *
   * @param treeBytes size of all active components of its tree
   * @param bytes its size
   * @param minLsn smallest LSN in it, {@code Long.MAX_VALUE} if it is empty
   */
  public record ActiveMemory(
      LsmTree tree, MemoryComponent component, long treeBytes, long bytes, long minLsn) {}

  /** The component to flush first comes first. */
  abstract Comparator<ActiveMemory> order();

  /**
   * Chooses among the components that hold something, in the order of the policy, until they have
   * enough together.
   *
   * @param bytes that are to be flushed; the last component may have more
   * @return at least one component if one holds something
   */
  public List<ActiveMemory> choose(List<ActiveMemory> all, long bytes) {
    List<ActiveMemory> chosen = new ArrayList<>();
    long sum = 0;
    for (ActiveMemory one : all.stream().sorted(order()).toList()) {
      if (one.minLsn() != Long.MAX_VALUE && (chosen.isEmpty() || sum < bytes)) {
        chosen.add(one);
        sum += one.bytes();
      }
    }
    return chosen;
  }
}
