package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.loam.engine.host.HostLoad;

/** Fills an empty tree past write memory: each entry is written to disk once. */
final class SortedLoad implements TreeLoad {
  private final IndexTree tree;
  private final HostLoad load;

  SortedLoad(IndexTree tree, HostLoad load) {
    this.tree = tree;
    this.load = load;
  }

  @Override
  public void add(byte[] key, byte[] value) throws HyracksDataException {
    tree.run(() -> load.add(key, value));
  }

  @Override
  public void commit() throws HyracksDataException {
    tree.run(load::commit);
  }

  @Override
  public void close() throws HyracksDataException {
    tree.run(load::close);
  }
}
