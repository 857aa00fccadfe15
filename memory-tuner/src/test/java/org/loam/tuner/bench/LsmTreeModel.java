package org.loam.tuner.bench;

import java.util.Arrays;
import org.loam.tuner.cost.TreeSample;

/**
 * One LSM-tree as sizes: 16 key ranges of write memory, of which a flush takes one, and levels on
 * disk that grow and move on. A key that is written again while its range has it takes no memory.
 */
final class LsmTreeModel {
  static final int RECORD_BYTES = 1024;
  private static final int RANGES = 16;
  private static final double SIZE_RATIO = 10;

  /** A level leaves only when write memory is clearly too large for it (MemoryWalls §4.1.3). */
  private static final double LEAVE_FACTOR = 1.5;

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

  /** Bytes of levels 1 to N on disk. */
  private double[] levels = {};

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
    int range = (int) ((long) key * RANGES / keys);
    if (epochOfKey[key] == epochs[range]) {
      return 0;
    }
    epochOfKey[key] = epochs[range];
    firstLsn[range] = Math.min(firstLsn[range], lsn);
    rangeBytes[range] += RECORD_BYTES;
    memoryBytes += RECORD_BYTES;
    return RECORD_BYTES;
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
    epochs[range]++;
    fitLevels();
    memoryBytes -= bytes;
    double covered = ring ? Math.min(1.0 / RANGES, bytes / dataBytes()) : 1.0 / RANGES;
    merge(bytes, levels[0] * covered, 0);
    for (int level = 0; level < levels.length - 1; level++) {
      double excess = levels[level] - target(level);
      if (excess > 0) {
        double part = ring ? excess / dataBytes() : excess / levels[level];
        levels[level] -= excess;
        merge(excess, levels[level + 1] * part, level + 1);
      }
    }
    return bytes;
  }

  private void merge(double bytes, double overlap, int level) {
    mergedBytes += bytes + overlap;
    if (level < levels.length - 1) {
      double known = ring ? 0 : levels[level] / dataBytes();
      levels[level] += bytes * (1 - known);
    }
  }

  private double target(int level) {
    return dataBytes() / Math.pow(SIZE_RATIO, levels.length - 1 - level);
  }

  /**
   * Levels come and go above the first one as memory shrinks and grows. A level comes full, so that
   * costs are steady soon.
   */
  private void fitLevels() {
    double memory = Math.max(RECORD_BYTES, memoryBytes);
    while (memory * SIZE_RATIO < target(0)) {
      double[] more = new double[levels.length + 1];
      System.arraycopy(levels, 0, more, 1, levels.length);
      levels = more;
      levels[0] = target(0);
    }
    while (levels.length > 1 && memory * SIZE_RATIO > LEAVE_FACTOR * target(1)) {
      double gone = levels[0];
      levels = Arrays.copyOfRange(levels, 1, levels.length);
      merge(gone, levels[0] * Math.min(1, gone / levels[0]), 0);
    }
  }

  /** Notes what it has of the memory. */
  void look(long usedBytes) {
    memorySum += usedBytes == 0 ? 0 : (double) memoryBytes / usedBytes;
    memorySamples++;
  }

  /** Bytes flushed and merged since the last sample. */
  double movedBytes() {
    return forMemoryBytes + forLogBytes + mergedBytes;
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
            (long) dataBytes(),
            new TreeSample.Held(share, memoryBytes - memoryBefore));
    memoryBefore = memoryBytes;
    entries = 0;
    forMemoryBytes = 0;
    forLogBytes = 0;
    mergedBytes = 0;
    memorySum = 0;
    memorySamples = 0;
    return sample;
  }
}
