package org.loam.workbench.asterixdb.cluster;

/** Ports for clusters of tests. */
final class FreePorts {
  private static final long HEAP_BYTES = 256L << 20;

  private FreePorts() {}

  /** Settings whose ports are free. */
  static ClusterSettings settings(Storage storage) {
    return settings(storage, HEAP_BYTES);
  }

  /** The same, with so large a heap. */
  static ClusterSettings settings(Storage storage, long heapBytes) {
    return Ports.findFree(heapBytes, storage);
  }
}
