package org.loam.tuner.cost;

/**
 * What merges write for each byte that a tree flushes, by its levels alone. Keys are written
 * evenly, and some of them are new.
 *
 * <p>A merge into a level writes what arrives and what overlaps it there, but a key of both once:
 * the level has a part of all keys, and so of the arriving ones that are not new. What was absorbed
 * does not go further down. Overlaps, for a byte that arrives:
 *
 * <ul>
 *   <li>Out of L0 come {@code l0Depth} flushes of a range together. A range has twice its mean when
 *       it is flushed. So L1 / (2 · l0Depth · memory) bytes overlap.
 *   <li>A level gives away the table with the least overlap, from where about twice the mean has
 *       gathered. So half of the ratio of levels overlaps.
 * </ul>
 *
 * @param lastBytes size of the last level
 * @param memoryBytes write memory of the tree
 * @param l0Depth flushes of a range that a merge out of L0 takes together
 * @param sizes how many levels there are, and the ratio between them
 * @param newPart part of the flushed bytes that are of new keys
 */
public record MergeShape(
    double lastBytes, double memoryBytes, double l0Depth, LevelRule.Sizes sizes, double newPart) {
  /** What the rule gives a tree with so much memory, if its levels follow that. */
  public static MergeShape of(
      LevelRule rule, TreeSample.Levels levels, double memoryBytes, double newPart) {
    double memory = Math.max(1, memoryBytes);
    double sizedFor = levels.sizedForBytes() > 0 ? levels.sizedForBytes() : memory;
    return new MergeShape(
        (double) levels.lastBytes(),
        memory,
        levels.l0Depth(),
        rule.sizes(levels, sizedFor),
        newPart);
  }

  /** Bytes that merges write for a byte flushed. */
  public double perFlushedByte() {
    double overlap = lastBytes * partOfKeys(1) / (2 * l0Depth * memoryBytes);
    return perArriving(1, overlap, perByteOf(1));
  }

  /** Bytes that merges write to take a byte of a level above the last one down to that. */
  double perUpperByte() {
    double bytes = 0;
    double merged = 0;
    for (int level = 1; level < sizes.count(); level++) {
      bytes += partOfKeys(level);
      merged += partOfKeys(level) * perByteOf(level);
    }
    return bytes == 0 ? 0 : merged / bytes;
  }

  /** The same for one of the levels, which are numbered from 1 on. */
  private double perByteOf(int level) {
    double merged = 0;
    for (int below = sizes.count(); below > level; below--) {
      merged = perArriving(below, sizes.ratio() / 2, merged);
    }
    return merged;
  }

  /**
   * The same for a byte that arrives in a level.
   *
   * @param overlap bytes of the level that are written with it
   * @param onward what each byte costs that goes further down
   */
  private double perArriving(int level, double overlap, double onward) {
    return stays(level) + overlap + stays(level) * onward;
  }

  private double partOfKeys(int level) {
    return Math.pow(sizes.ratio(), level - sizes.count());
  }

  /** Of a byte that arrives in a level, what it did not have. */
  private double stays(int level) {
    return 1 - (1 - newPart) * partOfKeys(level);
  }
}
