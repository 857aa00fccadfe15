package org.loam.scheduler.merge;

/**
 * How large each level should be, and which level takes the merges out of L0.
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
 * half of l0MinMerge flushes count as the size of L0.
 *
 * @param top id of the level that takes the merges out of L0
 * @param lastBytes size of the last level
 * @param ratio of a level to the level above it
 */
record LevelTargets(int top, double lastBytes, double ratio) {
  /** With less, the levels above the last one would be as large as that one. */
  private static final double LEAST_RATIO = 2;

  static LevelTargets of(TreeShape shape, PartitionedLeveling.Settings settings) {
    double memoryBytes = shape.memoryComponentBytes();
    double mostBytes = memoryBytes * settings.levelRatio();
    LevelTargets full =
        new LevelTargets(
            Level.LAST, Component.bytes(shape.level(Level.LAST)), settings.levelRatio());
    int wanted = Level.LAST;
    while (wanted > Level.L0 + 1 && full.bytes(wanted) > mostBytes) {
      wanted--;
    }
    int top = Level.LAST;
    for (Level level : shape.levels()) {
      if (!level.components().isEmpty()) {
        top = Math.min(top, level.id());
      }
    }
    while (top < wanted && mostBytes > settings.deleteFactor() * full.bytes(top + 1)) {
      top++;
    }
    top = Math.min(top, wanted);
    double l0Bytes = memoryBytes * settings.l0MinMerge() / 2;
    return new LevelTargets(top, full.lastBytes, full.evenRatio(l0Bytes, Level.LAST - top + 1));
  }

  /** The ratio of so many levels if all are the same. */
  private double evenRatio(double l0Bytes, int levels) {
    double even = Math.pow(lastBytes / l0Bytes, 1.0 / levels);
    return Math.max(LEAST_RATIO, Math.min(ratio, even));
  }

  /** The size that a level should have. */
  double bytes(int id) {
    return Math.rint(lastBytes / Math.pow(ratio, Level.LAST - id));
  }
}
