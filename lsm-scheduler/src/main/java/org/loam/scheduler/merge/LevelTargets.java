package org.loam.scheduler.merge;

/**
 * How large each level should be, and which level takes the merges out of L0.
 *
 * <p>The last level counts as full and sizes the others: each is smaller than the next by the size
 * ratio T. L1 is the first one that is at most T times the write memory, so levels are added at the
 * top as the data grows or the write memory shrinks. A level is redundant when the next one would
 * do as L1 too; it is drained only when the write memory has grown further by a factor f
 * (MemoryWalls §4.1.3), so that the number of levels does not swing.
 *
 * @param top id of the level that takes the merges out of L0
 * @param lastBytes size of the last level
 */
record LevelTargets(int top, double lastBytes, int levelRatio) {
  static LevelTargets of(TreeShape shape, int levelRatio, double deleteFactor) {
    double base = (double) shape.memoryComponentBytes() * levelRatio;
    LevelTargets targets =
        new LevelTargets(Level.LAST, Component.bytes(shape.level(Level.LAST)), levelRatio);
    int wanted = Level.LAST;
    while (wanted > Level.L0 + 1 && targets.bytes(wanted) > base) {
      wanted--;
    }
    int top = Level.LAST;
    for (Level level : shape.levels()) {
      if (!level.components().isEmpty()) {
        top = Math.min(top, level.id());
      }
    }
    while (top < wanted && base > deleteFactor * targets.bytes(top + 1)) {
      top++;
    }
    return new LevelTargets(Math.min(top, wanted), targets.lastBytes, levelRatio);
  }

  /** The size that a level should have. */
  double bytes(int id) {
    return lastBytes / Math.pow(levelRatio, Level.LAST - id);
  }
}
