package org.loam.engine.scheme;

import org.jspecify.annotations.Nullable;
import org.loam.lsm.EvenFlushes;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;

/**
 * A tree has a component for each of several ranges of keys. One is frozen when it has several
 * times the mean of a tree that has all of write memory: where keys are written evenly, none gets
 * there before memory is short.
 *
 * @param fullRatio part of write memory at which a component is frozen
 */
record RangesScheme(ByPolicy policy, long pageBytes, double fullRatio) implements MemoryScheme {
  /** Three times the mean. */
  static final double FULL_RATIO = 3.0 / 16;

  /** The most ranges of keys that the write memory of a tree is divided into. */
  private static final int RANGES = 16;

  /** A range of fewer pages is not worth its own; of a small write memory, of half a share. */
  private static final int RANGE_PAGES = 64;

  /** Its nodes and its records begin a page each. */
  private static final int LEAST_PAGES = 4;

  /** A batch may begin two of these pages in every range, so that a small write memory has few. */
  private static final int PAGES_FOR_RANGE = 16;

  @Override
  public RangeSizes sizes(long ownBytes) {
    long pages = ownBytes / pageBytes;
    int most = (int) Math.max(1, Math.min(pages / PAGES_FOR_RANGE, RANGES));
    long least = pageBytes * Math.max(LEAST_PAGES, Math.min(pages / (2 * RANGES), RANGE_PAGES));
    return new RangeSizes(most, least);
  }

  @Override
  public long treeBytes(long ownBytes) {
    return ownBytes;
  }

  @Override
  public @Nullable Victims full(Memory memory, LsmTree tree, MemoryComponent active) {
    return Fullness.of(tree, active, (long) (fullRatio * memory.ownBytes()));
  }

  @Override
  public Victims beforeLogIsLong(
      Memory memory, EvenFlushes flushes, long endLsn, long longBytes, long grownBytes) {
    return ByPolicy.evenly(memory, flushes, endLsn, longBytes, grownBytes);
  }

  @Override
  public Victims forMemory(Memory memory, long bytes) {
    return policy.choose(memory, bytes);
  }
}
