package org.loam.asterix.index;

import org.apache.hyracks.storage.am.lsm.common.impls.VirtualBufferCache;
import org.apache.hyracks.storage.common.buffercache.HeapBufferAllocator;

/** One for all indexes of a node, as AsterixDB has it: indexes come and go, and it stays. */
final class NodeMemory extends VirtualBufferCache {
  NodeMemory(int pageBytes, int pages) {
    super(new HeapBufferAllocator(), pageBytes, pages);
  }

  @Override
  public void open() {}

  @Override
  public void close() {}
}
