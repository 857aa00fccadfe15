package org.loam.lsm.memory;

/**
 * How many nodes a number of inserts can need at worst.
 *
 * <p>Each insert splits at most one node per level. For many inserts that is far too much: a split
 * needs a full node, and after a split a node takes at least {@link #REFILL} inserts to be full
 * again. A node that is full splits at most twice before that: once at its end while keys ascend
 * (or descend), which leaves it full, and once in the middle. So of n entries that come to a level
 * of k nodes at most 2 (k + n / REFILL) split one, and never more than n.
 */
final class NodeBudget {
  private static final int REFILL = Node.CAPACITY / 2 - 1;

  private final int[] nodesAtLevel;
  private int height;

  NodeBudget(int maxHeight) {
    this.nodesAtLevel = new int[maxHeight];
  }

  void nodeAdded(int level) {
    nodesAtLevel[level]++;
    height = Math.max(height, level + 1);
  }

  long worstCase(int operations) {
    long needed = 0;
    long entries = operations;
    for (int level = 0; level < height; level++) {
      entries = Math.min(entries, 2L * (nodesAtLevel[level] + entries / REFILL + 1));
      needed += entries;
    }
    return needed + ofNewLevels(entries);
  }

  /** The same of a tree without nodes. */
  static long ofNewLevels(long operations) {
    return ofNewLevels(operations, 1);
  }

  /** The same of trees without nodes, however the inserts are spread over them. */
  static long ofNewLevels(long operations, long trees) {
    long needed = 0;
    long entries = operations;
    long growing = Math.min(trees, operations);
    // Each level is begun by the left half of the first split below.
    while (entries > 0) {
      long splitting = Math.min(growing, entries / Node.CAPACITY);
      long splits = splitting == 0 ? 0 : 2 * (entries / REFILL + splitting);
      needed += growing + splits;
      entries = splits;
      growing = splitting;
    }
    return needed;
  }
}
