package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.loam.cache.AccessClass;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;

/**
 * What the engine counted while the demo wrote and read.
 *
 * @param flushes of write memory to disk components
 * @param merges of disk components
 * @param writtenBytes by flushes, merges and log
 * @param memoryUsedBytes off heap, at the end
 * @param levels of all trees
 * @param cacheMisses pages that reads had to fetch from disk; those of merges are left out
 * @param cacheHits pages that reads found in memory
 */
record EngineFigures(
    @JsonProperty("flushes") long flushes,
    @JsonProperty("merges") long merges,
    @JsonProperty("writtenBytes") long writtenBytes,
    @JsonProperty("memoryUsedBytes") long memoryUsedBytes,
    @JsonProperty("levels") List<Level> levels,
    @JsonProperty("cacheMisses") long cacheMisses,
    @JsonProperty("cacheHits") long cacheHits) {

  /**
   * A level of a tree.
   *
   * @param tree its name
   * @param level 0 is the newest
   * @param tables on it
   * @param bytes of these
   * @param entries in these
   */
  record Level(
      @JsonProperty("tree") String tree,
      @JsonProperty("level") int level,
      @JsonProperty("tables") int tables,
      @JsonProperty("bytes") long bytes,
      @JsonProperty("entries") long entries) {}

  static EngineFigures of(EngineStatistics statistics) {
    List<Level> levels = new ArrayList<>();
    for (TreeStatistics tree : statistics.trees()) {
      for (LevelStatistics level : tree.levels()) {
        levels.add(
            new Level(tree.name(), level.level(), level.tables(), level.bytes(), level.entries()));
      }
    }
    return new EngineFigures(
        statistics.work().flushes(),
        statistics.work().merges(),
        statistics.writtenBytes(),
        statistics.memory().usedBytes(),
        levels,
        ofReads(statistics.cache().misses()),
        ofReads(statistics.cache().hits()));
  }

  private static long ofReads(Map<AccessClass, Long> counts) {
    long sum = 0;
    for (Map.Entry<AccessClass, Long> entry : counts.entrySet()) {
      if (entry.getKey() != AccessClass.MERGE) {
        sum += entry.getValue();
      }
    }
    return sum;
  }
}
