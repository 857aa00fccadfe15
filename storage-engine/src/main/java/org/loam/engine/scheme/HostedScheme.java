package org.loam.engine.scheme;

import org.jspecify.annotations.Nullable;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;

/**
 * Below the log of a host, which has whole trees flushed, one after the other: so a tree is not
 * divided.
 *
 * @param own the scheme of an engine with a log of its own
 */
record HostedScheme(MemoryScheme own) implements MemoryScheme {
  @Override
  public RangeSizes sizes(long ownBytes) {
    return RangeSizes.WHOLE;
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
    return own.forMemory(memory, bytes);
  }

  @Override
  public Victims forLog(Memory memory, long maxLogBytes) {
    return MemoryScheme.oldest(memory, 0);
  }
}
