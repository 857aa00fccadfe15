package org.loam.common.config;

/**
 * The shape of the trees on disk.
 *
 * @param sstableBytes size at which an SSTable ends
 * @param levelRatio how many times larger each level is than the one above
 * @param sizedForBytes write memory that merges assume, which sizes levels; 0 for its own size
 * @param bloomBitsPerKey bits per key in the filters of tables with nothing below them; filters of
 *     other tables have twice as many, at most 20; 0 for no filters
 */
public record DiskConfig(
    long sstableBytes, int levelRatio, long sizedForBytes, L0 l0, int bloomBitsPerKey) {
  /**
   * When L0 is merged, and when it stops writes. Its depth is the number of its tables that hold
   * one key.
   *
   * @param minMerge depth at which it is merged where scans come
   * @param scanFreeRatio how many times as deep it is merged where no scan comes
   * @param stop depth at which writes stop
   * @param stopRatio bytes of L0, divided by those of a full L1, at which writes stop
   * @param mergesWhenQuiet whether it is merged although it is not due, once no write came for a
   *     while
   * @param elastic whether a merge takes more than makes it due, if there is more
   */
  public record L0(
      int minMerge,
      int scanFreeRatio,
      int stop,
      int stopRatio,
      boolean mergesWhenQuiet,
      boolean elastic) {}
}
