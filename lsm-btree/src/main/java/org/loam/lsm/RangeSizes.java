package org.loam.lsm;

/**
 * Into how many key ranges the write memory of a tree is divided. A pure function of sizes.
 *
 * @param most ranges of a tree, at least 1
 * @param leastBytes a smaller range is not worth its pages, which are part full
 */
public record RangeSizes(int most, long leastBytes) {
  /** One range. */
  public static final RangeSizes WHOLE = new RangeSizes(1, Long.MAX_VALUE);

  /** Refuses less than one range, and ranges without a size. */
  public RangeSizes {
    if (most < 1 || leastBytes < 1) {
      throw new IllegalArgumentException(
          "most " + most + ", leastBytes " + leastBytes + ": must be at least 1");
    }
  }

  /** The size that a range of a tree should have. */
  long wantedBytes(long treeBytes) {
    return Math.max(leastBytes, treeBytes / most);
  }

  /**
   * Into how many ranges one is divided when it is frozen.
   *
   * @param bytes of the range
   * @param treeBytes of all ranges
   * @param ranges of the tree, this one counted
   */
  int pieces(long bytes, long treeBytes, int ranges) {
    long wanted = (bytes + wantedBytes(treeBytes) / 2) / wantedBytes(treeBytes);
    return (int) Math.max(1, Math.min(wanted, most - ranges + 1));
  }

  /** Whether a range that is frozen goes together with an empty one beside it. */
  boolean isSmall(long bytes, long treeBytes) {
    return bytes < wantedBytes(treeBytes) / 2;
  }
}
