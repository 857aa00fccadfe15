package org.loam.lsm;

/**
 * The part of write memory that a tree has when some of its memory is frozen: the mean of the last
 * 16 times (a in MemoryWalls §4.1.3). A tree that was not frozen yet counts as one that has all.
 * One thread at a time adds, under the commit latch; any thread may read.
 */
final class MemoryShare {
  private static final int TIMES = 16;

  private final long leastBytes;
  private volatile double share = 1;
  private int times;

  /**
   * Of a tree that has all.
   *
   * @param leastBytes of any share, as of the smallest table: a flush of less writes as much
   */
  MemoryShare(long leastBytes) {
    this.leastBytes = leastBytes;
  }

  /**
   * Some of the tree is to be frozen.
   *
   * @param part of write memory that the tree has now; more than 1 counts as 1
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time adds
  void add(double part) {
    times = Math.min(times + 1, TIMES);
    share += (Math.min(1, part) - share) / times;
  }

  /** So much of an amount, and no less than the least share. */
  long of(long bytes) {
    return Math.max(leastBytes, (long) (bytes * share));
  }
}
