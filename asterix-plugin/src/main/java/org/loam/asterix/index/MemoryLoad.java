package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;

/**
 * Fills a tree through write memory: one that is not empty, or while as many loads as there are
 * buffers for go on.
 */
final class MemoryLoad implements TreeLoad {
  private final IndexTree tree;

  MemoryLoad(IndexTree tree) {
    this.tree = tree;
  }

  @Override
  public void add(byte[] key, byte[] value) throws HyracksDataException {
    tree.requireFits(key, value);
    tree.write(key, value);
  }

  @Override
  public void commit() throws HyracksDataException {
    tree.flush();
  }

  /** What was written is there, and goes when the tree is cleared. */
  @Override
  public void close() {}
}
