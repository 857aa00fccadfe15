package org.loam.workbench.peer.rocksdb;

import java.util.Map;
import java.util.Set;

/**
 * How the memory is divided.
 *
 * @param cacheBytes of the block cache
 * @param memtablesBytes of the memtables that a column family fills, or all together
 * @param limit of the memtables of all column families
 */
record RocksMemory(long cacheBytes, long memtablesBytes, Limit limit) {
  /** The setting with the part of the memory that memtables may take. */
  private static final String WRITE_PERCENT = "write.percent";

  private static final String USUAL_WRITE_PERCENT = "50";

  /** What keeps the memtables of several column families small. */
  enum Limit {
    /** Nothing: there is one. */
    NONE,
    /** A limit on all together: near it, the family whose memtable is oldest is flushed. */
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
   * @param settings of the engine: the part in percent, or nothing for half
   * @throws IllegalArgumentException if there is another setting
   */
  static RocksMemory charged(long memoryBytes, Map<String, String> settings) {
    if (!Set.of(WRITE_PERCENT).containsAll(settings.keySet())) {
      throw new IllegalArgumentException("settings = " + settings + ", rule: " + WRITE_PERCENT);
    }
    int percent = Integer.parseInt(settings.getOrDefault(WRITE_PERCENT, USUAL_WRITE_PERCENT));
    return new RocksMemory(memoryBytes, memoryBytes * percent / 100, Limit.CHARGED);
  }
}
