package org.loam.workbench.asterixdb.cluster;

/** Ports for clusters of tests. */
final class FreePorts {
  private static final long HEAP_BYTES = 256L << 20;

  private FreePorts() {}

  /** Settings whose ports nobody has. */
  static ClusterSettings settings(Storage storage) {
    return Ports.findFree(HEAP_BYTES, storage);
  }
}
