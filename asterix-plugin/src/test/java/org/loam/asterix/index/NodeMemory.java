package org.loam.asterix.index;

import org.apache.hyracks.storage.am.lsm.common.api.ILSMMemoryComponent;
import org.apache.hyracks.storage.am.lsm.common.impls.VirtualBufferCache;
import org.apache.hyracks.storage.common.buffercache.HeapBufferAllocator;

/** One for all indexes of a node, as AsterixDB has it: indexes come and go, and it stays. */
final class NodeMemory extends VirtualBufferCache {
  /** Whether nothing is left of it. */
  boolean full;

  NodeMemory(int pageBytes, int pages) {
    super(new HeapBufferAllocator(), pageBytes, pages);
  }

  @Override
  public void open() {}

  @Override
  public void close() {}

  @Override
  public boolean isFull() {
    return full || super.isFull();
  }

  /** As AsterixDB's memory of a node: a component is full if it is to be flushed. */
  @Override
  public boolean isFull(ILSMMemoryComponent component) {
    return false;
  }
}
