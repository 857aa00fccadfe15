package org.loam.asterix.runtime;

import org.apache.asterix.common.config.StorageProperties;
import org.apache.asterix.common.context.GlobalVirtualBufferCache;
import org.apache.hyracks.storage.common.buffercache.ICacheMemoryAllocator;
import org.loam.asterix.node.LoamNode;

/**
 * The write memory of a node: that of AsterixDB's own indexes, and Loam's. Operations wait before
 * they begin when either is full; so those that are inside can end, and flushes come.
 */
final class LoamMemory extends GlobalVirtualBufferCache {
  private final LoamNode loam;

  LoamMemory(
      ICacheMemoryAllocator allocator,
      StorageProperties properties,
      int maxConcurrentFlushes,
      LoamNode loam) {
    super(allocator, properties, maxConcurrentFlushes);
    this.loam = loam;
  }

  @Override
  public boolean isFull() {
    boolean stock = super.isFull();
    return loam.isFull() || stock;
  }
}
