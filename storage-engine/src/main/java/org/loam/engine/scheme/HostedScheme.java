package org.loam.engine.scheme;

import org.jspecify.annotations.Nullable;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;

/**
 * Below the log of a host, which freezes all ranges of a tree at one moment, and all trees of a
 * unit. They are flushed in small groups, and the memory of each comes back when it is on disk.
 *
 * @param own divides trees as in an engine with a log of its own
 * @param policy chooses the unit
 */
record HostedScheme(MemoryScheme own, ByPolicy policy) implements MemoryScheme {
  /** Part of write memory at which a range asks for the flush: its memory comes back as one. */
  static final double FULL_RATIO = 0.1;

  /** The part of write memory that a group has at most, if it has several ranges. */
  private static final int GROUP_SHARE = 16;

  @Override
  public RangeSizes sizes(long ownBytes) {
    return own.sizes(ownBytes);
  }

  @Override
  public long flushBytes(long ownBytes) {
    return ownBytes / GROUP_SHARE;
  }

  @Override
  public long treeBytes(long ownBytes) {
    return own.treeBytes(ownBytes);
  }

  @Override
  public @Nullable Victims full(Memory memory, LsmTree tree, MemoryComponent active) {
    return own.full(memory, tree, active);
  }

  @Override
  public Victims forMemory(Memory memory, long bytes) {
    return policy.chooseTogether(memory, bytes);
  }

  @Override
  public Victims forLog(Memory memory, long maxLogBytes) {
    return MemoryScheme.oldest(memory, 0);
  }
}
