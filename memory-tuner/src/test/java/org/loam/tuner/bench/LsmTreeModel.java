package org.loam.tuner.bench;

import java.util.Arrays;
import org.loam.tuner.cost.EngineLevels;
import org.loam.tuner.cost.LevelRule;
import org.loam.tuner.cost.TreeSample;

/**
 * One LSM-tree as sizes: 16 key ranges of write memory, of which a flush takes one, and levels on
 * disk that grow and move on. A key that is written again while its range has it takes no memory.
 * The engine's rule says how many levels there are, and how large they are.
 */
final class LsmTreeModel {
  static final int RECORD_BYTES = 1024;
  private static final int RANGES = 16;
  private static final int MOST_RATIO = 10;

  /** Flushes of a range that are merged together. */
  private static final int L0_MIN_MERGE = 4;

  /** Levels follow the mean memory of so many flushes. */
  private static final int FLUSHES_OF_THE_MEAN = 16;

  private final int treeId;
  private final int keys;
  private final boolean ring;

  /** The flush of its range after which a key was last written. */
  private final int[] epochOfKey;

  private final int[] epochs = new int[RANGES];
  private final long[] rangeBytes = new long[RANGES];
  private final long[] firstLsn = new long[RANGES];
  private int turn;
  private long memoryBytes;
  private long memoryBefore;

  /** Of each range in L0, a key that was flushed twice once. */
  private final double[] l0Bytes = new double[RANGES];

  private final int[] l0Flushes = new int[RANGES];
  private final long[] l0FlushedBytes = new long[RANGES];
  private long l0Grown;

  /** Bytes of levels 1 to N on disk. */
  private double[] levels = {};

  private double ratio = MOST_RATIO;
  private double upperGrown;
  private double meanMemory;
  private int flushesOfTheMean;

  private long entries;
  private long forMemoryBytes;
  private long forLogBytes;
  private double mergedBytes;
  private double memorySum;
  private long memorySamples;

  LsmTreeModel(int treeId, Workload.Tree spec) {
    this.treeId = treeId;
    this.keys = spec.keys();
    this.ring = spec.isRing();
    this.epochOfKey = new int[keys];
    Arrays.fill(epochOfKey, -1);
    Arrays.fill(firstLsn, Long.MAX_VALUE);
    levels = new double[] {dataBytes()};
  }

  private double dataBytes() {
    return (double) keys * RECORD_BYTES;
  }

  long memoryBytes() {
    return memoryBytes;
  }

  /** Writes a key; the bytes by which memory grew. */
  int write(int key, long lsn) {
    entries++;
    if (has(key)) {
      return 0;
    }
    int range = rangeOf(key);
    epochOfKey[key] = epochs[range];
    firstLsn[range] = Math.min(firstLsn[range], lsn);
    rangeBytes[range] += RECORD_BYTES;
    memoryBytes += RECORD_BYTES;
    return RECORD_BYTES;
  }

  /** Whether memory has a key. */
  boolean has(int key) {
    return epochOfKey[key] == epochs[rangeOf(key)];
  }

  private int rangeOf(int key) {
    return (int) ((long) key * RANGES / keys);
  }

  /** The LSN of the oldest write in memory. */
  long oldestLsn() {
    long oldest = Long.MAX_VALUE;
    for (long lsn : firstLsn) {
      oldest = Math.min(oldest, lsn);
    }
    return oldest;
  }

  /** Flushes the next range in turn, because memory is full; the bytes that it had. */
  long flushForMemory() {
    do {
      turn = (turn + 1) % RANGES;
    } while (rangeBytes[turn] == 0);
    long bytes = flush(turn);
    forMemoryBytes += bytes;
    return bytes;
  }

  /** Flushes the range with the oldest write, because the log is too long. */
  long flushForLog() {
    int oldest = 0;
    for (int range = 1; range < RANGES; range++) {
      oldest = firstLsn[range] < firstLsn[oldest] ? range : oldest;
    }
    long bytes = flush(oldest);
    forLogBytes += bytes;
    return bytes;
  }

  private long flush(int range) {
    long bytes = rangeBytes[range];
    rangeBytes[range] = 0;
    firstLsn[range] = Long.MAX_VALUE;
    if (epochs[range]++ == 0) {
      // As after long use: not all ranges are merged at the same time.
      for (int before = 0; before < range % L0_MIN_MERGE; before++) {
        intoL0(range, bytes);
      }
    }
    flushesOfTheMean = Math.min(FLUSHES_OF_THE_MEAN, flushesOfTheMean + 1);
    meanMemory += (memoryBytes - meanMemory) / flushesOfTheMean;
    memoryBytes -= bytes;
    intoL0(range, bytes);
    l0Grown += bytes;
    if (l0Flushes[range] == L0_MIN_MERGE) {
      fitLevels();
      double width = dataBytes() / RANGES;
      double covered = ring ? Math.min(1, l0Bytes[range] / width) : 1;
      merge(l0Bytes[range], levels[0] / RANGES * covered, 0);
      l0Flushes[range] = 0;
      l0Bytes[range] = 0;
      l0Grown -= l0FlushedBytes[range];
      l0FlushedBytes[range] = 0;
      moveDown();
    }
    return bytes;
  }

  private void intoL0(int range, long bytes) {
    double width = dataBytes() / RANGES;
    l0Bytes[range] += bytes * (ring ? 1 : 1 - Math.min(1, l0Bytes[range] / width));
    l0FlushedBytes[range] += bytes;
    l0Flushes[range]++;
  }

  /** Takes what is too much in a level from where twice the mean has gathered. */
  private void moveDown() {
    for (int level = 0; level < levels.length - 1; level++) {
      double excess = levels[level] - target(level);
      if (excess > 0) {
        upperGrown -= excess;
        double part = ring ? excess / dataBytes() : excess / levels[level] / 2;
        levels[level] -= excess;
        merge(excess, levels[level + 1] * part, level + 1);
      }
    }
  }

  /**
   * The last level has all keys, and the others those of a part of them. Keys that are written one
   * after the other meet none in the others, so that their tables only change the level.
   */
  private void merge(double bytes, double overlap, int level) {
    boolean isLast = level == levels.length - 1;
    boolean isMove = ring && !isLast;
    double known = isLast ? 1 : isMove ? 0 : levels[level] / dataBytes();
    double added = bytes * (1 - known);
    mergedBytes += isMove ? 0 : added + overlap;
    if (!isLast) {
      levels[level] += added;
      upperGrown += added;
    }
  }

  private double target(int level) {
    return dataBytes() / Math.pow(ratio, levels.length - 1 - level);
  }

  private TreeSample.Levels shape() {
    TreeSample.Growth grown = new TreeSample.Growth(l0Grown, Math.round(upperGrown), 0);
    return new TreeSample.Levels(
        (long) dataBytes(), levels.length, MOST_RATIO, L0_MIN_MERGE, L0_MIN_MERGE, 0, grown);
  }

  /**
   * Levels come and go above the first one as memory shrinks and grows. A level comes full, so that
   * costs are steady soon. Merges out of L0 take one that goes along.
   */
  private void fitLevels() {
    LevelRule.Sizes sizes = EngineLevels.sizes(shape(), Math.max(RECORD_BYTES, meanMemory));
    int before = levels.length;
    double[] fitted = new double[sizes.count()];
    for (int i = 1; i <= before; i++) {
      if (i <= fitted.length) {
        fitted[fitted.length - i] = levels[before - i];
      } else {
        upperGrown -= levels[before - i];
      }
    }
    levels = fitted;
    ratio = sizes.ratio();
    if (levels.length > before) {
      for (int level = 0; level < levels.length - 1; level++) {
        levels[level] = Math.max(levels[level], target(level));
      }
    }
  }

  /** Notes what it has of the memory. */
  void look(long usedBytes) {
    memorySum += usedBytes == 0 ? 0 : (double) memoryBytes / usedBytes;
    memorySamples++;
  }

  /** Bytes that merges wrote since the last sample. */
  double mergedBytes() {
    return mergedBytes;
  }

  /**
   * What it did since the last sample.
   *
   * @param usedPart of the write memory that is used
   */
  TreeSample endCycle(double usedPart) {
    double share = memorySamples == 0 ? 0 : memorySum / memorySamples * usedPart;
    TreeSample sample =
        new TreeSample(
            treeId,
            new TreeSample.Written(entries, entries * RECORD_BYTES),
            new TreeSample.Flushed(forMemoryBytes, forLogBytes),
            Math.round(mergedBytes),
            shape(),
            new TreeSample.Held(share, memoryBytes - memoryBefore));
    memoryBefore = memoryBytes;
    entries = 0;
    forMemoryBytes = 0;
    forLogBytes = 0;
    mergedBytes = 0;
    upperGrown = 0;
    l0Grown = 0;
    memorySum = 0;
    memorySamples = 0;
    return sample;
  }
}
