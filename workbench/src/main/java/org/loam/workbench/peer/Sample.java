package org.loam.workbench.peer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an engine says of itself at one moment. What it does not say is absent, never zero. Used by
 * one thread at a time.
 */
public final class Sample {
  /** Values of this moment, by name. */
  private final Map<String, Double> gauges = new LinkedHashMap<>();

  /** Sums since the engine was opened, by name. */
  private final Map<String, Double> counters = new LinkedHashMap<>();

  private List<L0> l0ByTree = List.of();

  /** The gauge with the bytes that merges have still to move. */
  public static final String OWED_BYTES = "owedBytes";

  /** The gauge with the largest size of a level, as a share of what it should have. */
  public static final String LEVEL_FULLNESS_MAX = "levelFullnessMax";

  /** The gauge with the merges that are open. */
  public static final String OPEN_MERGES = "openMerges";

  /** The gauge with the bytes that they have still to read. */
  public static final String OPEN_MERGE_BYTES = "openMergeBytes";

  /** The gauge with the bytes of memory components. */
  public static final String WRITE_MEMORY_USED_BYTES = "writeMemoryUsedBytes";

  /** The gauge with what memory components hold that is not overwritten. */
  public static final String WRITE_MEMORY_LIVE_BYTES = "writeMemoryLiveBytes";

  /** The gauge with the part of memory components that is on its way to disk. */
  public static final String WRITE_MEMORY_LEAVING_BYTES = "writeMemoryLeavingBytes";

  /** The gauge with the keys in memory components. */
  public static final String WRITE_MEMORY_KEYS = "writeMemoryKeys";

  /** The gauge with what memory components may take. */
  public static final String WRITE_MEMORY_TARGET_BYTES = "writeMemoryTargetBytes";

  /** The gauge with what write memory has by itself, without loans. */
  public static final String WRITE_MEMORY_OWN_BYTES = "writeMemoryOwnBytes";

  /** The gauge with what write memory is to have by itself; it moves there. */
  public static final String WRITE_MEMORY_GOAL_BYTES = "writeMemoryGoalBytes";

  /** The gauge with the depth of L0 in the deepest tree. */
  public static final String L0_DEPTH_MAX = "l0DepthMax";

  /** The gauge with the depths of L0 of all trees together. */
  public static final String L0_DEPTH_SUM = "l0DepthSum";

  /** The gauge with the bytes of L0 in the tree that has most. */
  public static final String L0_BYTES_MAX = "l0BytesMax";

  /** The gauge with the bytes of L0 of all trees. */
  public static final String L0_BYTES_SUM = "l0BytesSum";

  /** Gauges with the depth of L0 in one tree, its number follows. */
  public static final String L0_DEPTH = "l0Depth.";

  /** Gauges with the bytes of L0 in one tree, its number follows. */
  public static final String L0_BYTES = "l0Bytes.";

  /** Trees of more than one that have gauges of their own, from the first on. */
  public static final int MOST_TREES = 16;

  /** Trees of more than one whose L0 is listed, from the first on. */
  public static final int MOST_LISTED_TREES = 1000;

  /** The counter of bytes that flushes wrote. */
  public static final String FLUSHED_BYTES = "flushedBytes";

  /** The counter of bytes that merges wrote. */
  public static final String MERGED_BYTES = "mergedBytes";

  /** The counter of bytes that the log took. */
  public static final String LOGGED_BYTES = "loggedBytes";

  /** Counters of milliseconds that writers waited, the cause follows. */
  public static final String STALL_MILLIS = "stallMillis.";

  /** Counters of pages found in the cache, the class of the access follows. */
  public static final String HITS = "hits.";

  /** Counters of pages not found in the cache, the class of the access follows. */
  public static final String MISSES = "misses.";

  /**
   * L0 of a tree.
   *
   * @param depth the largest number of its tables that hold one key; all files, for RocksDB
   * @param bytes of it
   */
  public record L0(double depth, double bytes) {}

  /** Adds a value of this moment. */
  public Sample gauge(String name, double value) {
    gauges.put(name, value);
    return this;
  }

  /** Adds a whole number of this moment. */
  public Sample gauge(String name, long value) {
    return gauge(name, (double) value);
  }

  /** Adds L0 of all trees, the first one first. */
  public Sample l0(List<L0> trees) {
    gauge(L0_DEPTH_MAX, trees.stream().mapToDouble(L0::depth).max().orElse(0));
    gauge(L0_DEPTH_SUM, trees.stream().mapToDouble(L0::depth).sum());
    gauge(L0_BYTES_MAX, trees.stream().mapToDouble(L0::bytes).max().orElse(0));
    gauge(L0_BYTES_SUM, trees.stream().mapToDouble(L0::bytes).sum());
    for (int tree = 0; trees.size() > 1 && tree < Math.min(trees.size(), MOST_TREES); tree++) {
      gauge(L0_DEPTH + tree, trees.get(tree).depth());
      gauge(L0_BYTES + tree, trees.get(tree).bytes());
    }
    l0ByTree =
        trees.size() > 1
            ? List.copyOf(trees.subList(0, Math.min(trees.size(), MOST_LISTED_TREES)))
            : List.of();
    return this;
  }

  /** Adds a sum since the engine was opened. */
  public Sample counter(String name, double value) {
    counters.put(name, value);
    return this;
  }

  /** Adds a whole number since the engine was opened. */
  public Sample counter(String name, long value) {
    return counter(name, (double) value);
  }

  public Map<String, Double> gauges() {
    return gauges;
  }

  public Map<String, Double> counters() {
    return counters;
  }

  /** L0 of each of the first {@link #MOST_LISTED_TREES} trees; empty if there is one tree. */
  public List<L0> l0ByTree() {
    return l0ByTree;
  }
}
