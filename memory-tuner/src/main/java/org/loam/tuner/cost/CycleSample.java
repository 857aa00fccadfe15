package org.loam.tuner.cost;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the engine counted in one cycle of the tuner. Immutable. Each count is the difference of two
 * looks at a counter, so that nothing is in two samples or in none.
 *
 * @param operations reads and writes of users
 * @param trees each tree that was written, flushed or merged
 * @param reads by class; a class that is not there was not read
 * @param memory how it was divided
 * @param log how it grew
 * @param curves what sampled reuse distances say
 * @param times how long the disk took
 */
public record CycleSample(
    long operations,
    List<TreeSample> trees,
    Map<ReadClass, ReadSample> reads,
    MemorySample memory,
    LogSample log,
    Curves curves,
    CycleTimes times) {
  public CycleSample {
    Require.atLeast("operations", operations, 0);
    trees = List.copyOf(trees);
    reads = Map.copyOf(reads);
    Set<Integer> ids = new HashSet<>();
    double shares = 0;
    for (TreeSample tree : trees) {
      if (!ids.add(tree.treeId())) {
        throw new IllegalArgumentException(
            "treeId: " + tree.treeId() + ", must be in a sample once");
      }
      shares += tree.share();
    }
    Require.within("sum of shares", shares, 0, 1 + 1e-6);
  }

  /** A cycle in which no request was timed. */
  public CycleSample(
      long operations,
      List<TreeSample> trees,
      Map<ReadClass, ReadSample> reads,
      MemorySample memory,
      LogSample log,
      Curves curves) {
    this(operations, trees, reads, memory, log, curves, CycleTimes.NONE);
  }

  /** The reads of a class. */
  public ReadSample reads(ReadClass readClass) {
    return reads.getOrDefault(readClass, ReadSample.NONE);
  }

  /** Bytes that flushes and merges wrote and that reads brought. */
  public long movedBytes() {
    long bytes = 0;
    for (TreeSample tree : trees) {
      bytes += tree.flushed().bytes() + tree.mergedBytes();
    }
    for (ReadSample read : reads.values()) {
      bytes += read.missedPages() * memory.pageBytes();
    }
    return bytes;
  }

  /** Reads that the ghost cache would have saved, of all classes. */
  public long savedPages() {
    return reads.values().stream().mapToLong(ReadSample::savedPages).sum();
  }

  /** Whether memory was divided as in another cycle. */
  public boolean hasSplitOf(CycleSample other) {
    return memory.equals(other.memory);
  }

  /**
   * This cycle and the one after it as one longer cycle, with the same split.
   *
   * @param next its sizes, shares and curves count
   */
  public CycleSample plus(CycleSample next) {
    if (!hasSplitOf(next)) {
      throw new IllegalArgumentException(
          "memory: " + next.memory + ", must be that of the cycle before, " + memory);
    }
    Map<Integer, TreeSample> both = new LinkedHashMap<>();
    trees.forEach(tree -> both.put(tree.treeId(), tree.withoutMemory()));
    next.trees.forEach(tree -> both.merge(tree.treeId(), tree, TreeSample::plus));
    Map<ReadClass, ReadSample> sums = new EnumMap<>(ReadClass.class);
    for (ReadClass readClass : ReadClass.values()) {
      sums.put(readClass, reads(readClass).plus(next.reads(readClass)));
    }
    return new CycleSample(
        operations + next.operations,
        List.copyOf(both.values()),
        sums,
        next.memory,
        new LogSample(log.grownBytes() + next.log.grownBytes(), next.log.maxBytes()),
        next.curves,
        times.plus(next.times));
  }
}
