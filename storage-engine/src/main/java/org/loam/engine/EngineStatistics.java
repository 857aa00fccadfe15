package org.loam.engine;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.loam.cache.CacheStatistics;
import org.loam.scheduler.work.StallLog;

/**
 * What an engine holds and has done since it was opened. Immutable.
 *
 * @param memory memory by use
 * @param cache what the buffer cache did
 * @param log the log
 * @param work flushes, merges and bulk loads
 * @param stalls waits of writers, by cause
 * @param trees the trees, by name
 * @param datasets the datasets, by name
 * @param times how long operations take
 */
public record EngineStatistics(
    Memory memory,
    CacheStatistics cache,
    Log log,
    Work work,
    StallLog.Snapshot stalls,
    List<TreeStatistics> trees,
    List<DatasetStatistics> datasets,
    Times times) {
  /**
   * Off-heap memory in bytes.
   *
   * @param totalBytes the budget
   * @param writeUsedBytes memory components
   * @param writeTargetBytes what they may take, with what the buffer cache has lent
   * @param cacheUsedBytes pages in the buffer cache
   * @param cacheTargetBytes what they may take
   * @param fixedBytes buffers and tables, allocated at open
   * @param writeUse what memory components hold
   * @param tuner what divides memory between the two
   */
  public record Memory(
      long totalBytes,
      long writeUsedBytes,
      long writeTargetBytes,
      long cacheUsedBytes,
      long cacheTargetBytes,
      long fixedBytes,
      WriteUse writeUse,
      Tuner tuner) {
    /** Everything together; never above the budget. */
    public long usedBytes() {
      return writeUsedBytes + cacheUsedBytes + fixedBytes;
    }
  }

  /**
   * Memory components, of a tree or of all trees.
   *
   * @param liveBytes what is neither an overwritten version nor the unused end of a page
   * @param supersededBytes overwritten versions
   * @param leavingBytes what is on its way to disk, live or not
   * @param keys in them; of several components with a key each counts
   */
  public record WriteUse(long liveBytes, long supersededBytes, long leavingBytes, long keys) {}

  /**
   * The memory tuner.
   *
   * @param mode what it does with its decisions, as the setting {@code tuner.mode}
   * @param writeBytes what write memory has by itself now, without what the buffer cache has lent
   * @param targetBytes what write memory is to have; it moves there
   * @param ghostHits pages that were read but would have been in a larger buffer cache, by class of
   *     access
   * @param unit what costs of the last cycle are in, {@code NANOS}, or {@code PAGES} with the
   *     setting {@code tuner.cost}; null if none has ended
   * @param last the decision of the last cycle; null if none has ended
   * @param lastMove what that cycle showed of the last move; null if nothing
   */
  public record Tuner(
      String mode,
      long writeBytes,
      long targetBytes,
      SortedMap<String, Long> ghostHits,
      @Nullable String unit,
      @Nullable TunerDecision last,
      @Nullable MoveOutcome lastMove) {}

  /**
   * What the tuner decided at the end of a cycle.
   *
   * @param cycle number of the cycle since the engine was opened
   * @param fromBytes write memory before
   * @param wantedBytes write memory that the policy wanted
   * @param toBytes write memory from then on
   * @param rule name of the rule that limited the step, or kept the split
   * @param meaning the rule in a few words
   * @param cost of an operation in the cycle, weighted
   * @param predictedGain by how much the step should lower the cost
   */
  public record TunerDecision(
      long cycle,
      long fromBytes,
      long wantedBytes,
      long toBytes,
      String rule,
      String meaning,
      double cost,
      double predictedGain) {}

  /**
   * A move of memory, after it.
   *
   * @param predictedGain by how much the cost of an operation should have become lower
   * @param observedGain by how much it did
   */
  public record MoveOutcome(double predictedGain, double observedGain) {}

  /**
   * The log.
   *
   * @param endLsn exclusive end of the last frame
   * @param durableLsn exclusive end of what survives power loss
   * @param lengthBytes what a recovery would read
   * @param writtenBytes frames appended since the engine was opened; LSNs go further in the same
   *     time, since no frame lies at the ends of segments. By how many LSNs a host's log has grown
   */
  public record Log(long endLsn, long durableLsn, long lengthBytes, long writtenBytes) {}

  /**
   * Flushes, merges and bulk loads.
   *
   * @param flushes flushes installed
   * @param flushedBytes their tables
   * @param merges merges installed
   * @param mergedBytes their tables; those that only moved do not count
   * @param loads bulk loads committed
   * @param loadedBytes their tables
   * @param openMerges merges that are going on
   * @param openMergeBytes what they have still to consume of their inputs
   */
  public record Work(
      long flushes,
      long flushedBytes,
      long merges,
      long mergedBytes,
      long loads,
      long loadedBytes,
      int openMerges,
      long openMergeBytes) {
    /** Bytes of all tables written. */
    public long writtenBytes() {
      return flushedBytes + mergedBytes + loadedBytes;
    }
  }

  /**
   * A tree.
   *
   * @param memoryBytes its memory components
   * @param writeUse what they hold
   * @param levels its levels from L0 on, empty ones left out
   * @param merges how it is merged, if that is not what the settings say; else null
   * @param excessBytes what its levels below L0 have above the sizes that the merge policy wants;
   *     with the bytes of L0 it is what merges have still to move
   * @param l0 how deep L0 is
   * @param mergedInMemoryBytes write memory that merges within it have filled since the tree was
   *     opened
   */
  public record TreeStatistics(
      String name,
      long memoryBytes,
      WriteUse writeUse,
      List<LevelStatistics> levels,
      @Nullable MergeOptions merges,
      long excessBytes,
      L0 l0,
      long mergedInMemoryBytes) {}

  /**
   * L0 of a tree. Its depth is the number of its tables that may hold one key; {@code l0.minMerge}
   * and {@code l0.stop} are such numbers.
   *
   * @param depth the depth of the key with the most of them
   * @param due the depth at which it is merged now
   */
  public record L0(int depth, int due) {}

  /**
   * A level of a tree.
   *
   * @param level 0 for L0, 1 for the one below it, and so on
   * @param groups groups of L0, 1 elsewhere
   * @param tables SSTables
   * @param bytes their size
   * @param entries their entries, all versions and anti-matter counted
   * @param targetBytes the size that the merge policy gives the level; 0 for L0, for the last
   *     level, which sizes the others, and for a level that is being drained
   */
  public record LevelStatistics(
      int level, int groups, int tables, long bytes, long entries, long targetBytes) {
    /** What the level has above its target; 0 if it has no target. */
    public long excessBytes() {
      return targetBytes == 0 ? 0 : Math.max(0, bytes - targetBytes);
    }
  }

  /**
   * A dataset. Writes that were refused count as far as they came.
   *
   * @param writes records written or deleted
   * @param recordReads old records looked up for that: one for each write if there are indexes, or
   *     if the write is an insert, else none
   * @param indexEntries entries that the writes added to indexes and removed from them
   * @param recordsFetched records looked up for entries that queries of indexes found
   */
  public record DatasetStatistics(
      String name, long writes, long recordReads, long indexEntries, long recordsFetched) {}

  /**
   * How long reads of a key and writes take, from the call to its return. One operation of a thread
   * in {@code oneIn} is measured; none is if the program gave the engine an environment of its own.
   *
   * @param sinceOpenNanos how long ago the engine was opened
   * @param reads by duration, ascending
   * @param writes with all waits, by duration, ascending
   */
  public record Times(long sinceOpenNanos, int oneIn, List<Bucket> reads, List<Bucket> writes) {}

  /**
   * Operations that took about as long.
   *
   * @param belowNanos exclusive; the one before is where this one begins
   */
  public record Bucket(long belowNanos, long count) {}

  /** Bytes written to disk by flushes, merges, bulk loads and the log. */
  public long writtenBytes() {
    return work.writtenBytes() + log.writtenBytes();
  }
}
