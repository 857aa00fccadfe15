package org.loam.engine.scheme;

import org.jspecify.annotations.Nullable;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;

/**
 * A tree has one component, without a share of its own (B+-dynamic of MemoryWalls §6.2). It is
 * frozen when it has half of the write memory: the other half takes writes while it is flushed.
 */
record DynamicScheme(ByPolicy policy) implements MemoryScheme {
  @Override
  public RangeSizes sizes(long ownBytes) {
    return RangeSizes.WHOLE;
  }

  @Override
  public long treeBytes(long ownBytes) {
    return ownBytes / 2;
  }

  @Override
  public @Nullable Victims full(Memory memory, LsmTree tree, MemoryComponent active) {
    return Fullness.of(tree, active, memory.ownBytes() / 2);
  }

  @Override
  public Victims forMemory(Memory memory, long bytes) {
    return policy.choose(memory, bytes);
  }
}
