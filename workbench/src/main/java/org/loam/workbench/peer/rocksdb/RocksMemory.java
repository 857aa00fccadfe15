package org.loam.workbench.peer.rocksdb;

/**
 * How the memory is divided.
 *
 * @param cacheBytes of the block cache
 * @param memtablesBytes of the memtables that a column family fills, or all together
 * @param limit of the memtables of all column families
 */
record RocksMemory(long cacheBytes, long memtablesBytes, Limit limit) {
  /** What keeps the memtables of several column families small. */
  enum Limit {
    /** Nothing: there is one. */
    NONE,
    /** A limit on all together makes the largest one flush, as engines with one pool do. */
    TOGETHER,
    /** The same, and what memtables use is taken from the cache. */
    CHARGED
  }

  /** Half for the cache, half for memtables. */
  static RocksMemory halves(long memoryBytes, int families) {
    return new RocksMemory(
        memoryBytes / 2, memoryBytes / 2, families > 1 ? Limit.TOGETHER : Limit.NONE);
  }

  /**
   * All for the cache, from which memtables take what they use, at most a part.
   *
   * @param writePercent the part
   */
  static RocksMemory charged(long memoryBytes, int writePercent) {
    return new RocksMemory(memoryBytes, memoryBytes * writePercent / 100, Limit.CHARGED);
  }
}
