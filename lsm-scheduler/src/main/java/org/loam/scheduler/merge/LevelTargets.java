package org.loam.scheduler.merge;

/**
 * How large each level should be, and which level takes the merges out of L0. A pure function of
 * sizes, which the cost model of the memory tuner uses as well.
 *
 * <p>The last level counts as full and sizes the others. There are as few levels as will do if each
 * is at most T times the next one above, and L1 at most T times the write memory; so levels are
 * added at the top as the data grows or the write memory shrinks. A level is redundant when the
 * next one would do as L1 too; it is drained only when the write memory has grown further by a
 * factor f (MemoryWalls §4.1.3), so that the number of levels does not swing.
 *
 * <p>The sizes are such that a byte costs as much in each merge on its way down, which takes the
 * fewest bytes in all. A merge out of L0 takes some l0MinMerge flushes of a range, and one out of a
 * level takes from where most has gathered, about twice the mean. So all ratios are the same if
 * half of l0MinMerge flushes counts as the size of L0.
 *
 * <p>While scans are few or writes do not pause, L0 is deeper than that when it is merged, and a
 * merge takes more flushes. That has the effect of a larger write memory, and levels are sized for
 * it: see {@link MergedDepth}.
 *
 * @param top id of the level that takes the merges out of L0
 * @param lastBytes size of the last level
 * @param ratio of a level to the level above it
 */
public record LevelTargets(int top, double lastBytes, double ratio) {
  /** No level has a target. */
  public static final LevelTargets NONE = new LevelTargets(Level.LAST, 0, 1);

  /** With less, the levels above the last one would be as large as that one. */
  private static final double LEAST_RATIO = 2;

  /**
   * The numbers of the rule.
   *
   * @param levelRatio T
   * @param l0MinMerge flushes of a range that a merge out of L0 takes together at least
   * @param deleteFactor f
   */
  public record Rule(int levelRatio, int l0MinMerge, double deleteFactor) {}

  static LevelTargets of(TreeShape shape, Rule rule) {
    int top = Level.LAST;
    for (Level level : shape.levels()) {
      if (!level.components().isEmpty()) {
        top = Math.min(top, level.id());
      }
    }
    double lastBytes = Component.bytes(shape.level(Level.LAST));
    double memoryBytes = shape.memoryComponentBytes();
    double mergedDepth = shape.lately().mergedDepth();
    return of(lastBytes, memoryBytes, mergedDepth, Level.LAST - top + 1, rule);
  }

  /**
   * The levels of a tree by its sizes.
   *
   * @param memoryBytes write memory that the tree fills before it is flushed
   * @param mergedDepth flushes of a range that merges out of L0 really take together; fewer than
   *     {@code l0MinMerge} count as so many
   * @param present levels that it has, the last one included; at least 1
   */
  public static LevelTargets of(
      double lastBytes, double memoryBytes, double mergedDepth, int present, Rule rule) {
    double depth = Math.max(rule.l0MinMerge, mergedDepth);
    double mostBytes = memoryBytes * rule.levelRatio * depth / rule.l0MinMerge;
    LevelTargets full = new LevelTargets(Level.LAST, lastBytes, rule.levelRatio);
    int wanted = Level.LAST;
    while (wanted > Level.L0 + 1 && full.bytes(wanted) > mostBytes) {
      wanted--;
    }
    int top = Level.LAST - present + 1;
    while (top < wanted && mostBytes > rule.deleteFactor * full.bytes(top + 1)) {
      top++;
    }
    top = Math.min(top, wanted);
    double l0Bytes = memoryBytes * depth / 2;
    return new LevelTargets(top, lastBytes, full.evenRatio(l0Bytes, Level.LAST - top + 1));
  }

  /** The ratio of so many levels if all are the same. */
  private double evenRatio(double l0Bytes, int levels) {
    double even = Math.pow(lastBytes / l0Bytes, 1.0 / levels);
    return Math.max(LEAST_RATIO, Math.min(ratio, even));
  }

  /** Levels that merges out of L0 and below go through. */
  public int count() {
    return Level.LAST - top + 1;
  }

  /** Whether a level has a target: not the last one, nor one that is being drained. */
  boolean has(int id) {
    return id >= top && id < Level.LAST;
  }

  /** The size that a level should have, in whole bytes; 0 for a level that has no target. */
  public long targetBytes(int id) {
    return has(id) ? (long) bytes(id) : 0;
  }

  /** The size that a level should have. */
  double bytes(int id) {
    return Math.rint(lastBytes / Math.pow(ratio, Level.LAST - id));
  }
}
