package org.loam.asterix.runtime;

import java.util.List;
import org.apache.asterix.common.config.StorageProperties;
import org.apache.asterix.common.context.GlobalVirtualBufferCache;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;
import org.apache.hyracks.storage.common.buffercache.ICacheMemoryAllocator;
import org.loam.asterix.index.Partition;

/**
 * The write memory of AsterixDB's own indexes. When it is short, AsterixDB flushes one partition of
 * a dataset after the other, and knows partitions by their primary indexes. A primary index in Loam
 * takes none of this memory, so that it is among them only if another index of its partition does.
 */
final class LoamMemory extends GlobalVirtualBufferCache {
  LoamMemory(
      ICacheMemoryAllocator allocator, StorageProperties properties, int maxConcurrentFlushes) {
    super(allocator, properties, maxConcurrentFlushes);
  }

  /** Called when an index is written to for the first time. */
  @Override
  public void register(ILSMMemoryComponent component) {
    ILSMIndex index = component.getLsmIndex();
    Partition partition = Partition.of(index);
    if (Partition.isStock(index)) {
      super.register(component);
      primaryInLoam(partition).forEach(super::register);
    } else if (partition.hasStock()) {
      super.register(component);
    }
  }

  @Override
  public void unregister(ILSMMemoryComponent component) {
    super.unregister(component);
    ILSMIndex index = component.getLsmIndex();
    Partition partition = Partition.of(index);
    if (Partition.isStock(index)
        && partition.indexes().stream().noneMatch(i -> Partition.isStock(i) && i != index)) {
      primaryInLoam(partition).forEach(super::unregister);
    }
  }

  private static List<ILSMMemoryComponent> primaryInLoam(Partition partition) {
    return partition.indexes().stream()
        .filter(index -> index.isPrimaryIndex() && !Partition.isStock(index))
        .map(ILSMIndex::getCurrentMemoryComponent)
        .toList();
  }
}
