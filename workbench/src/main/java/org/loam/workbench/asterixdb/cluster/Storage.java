package org.loam.workbench.asterixdb.cluster;

import java.util.List;

/** What keeps the data of the node controllers. */
public enum Storage {
  /** Loam: B+-tree indexes; those of other kinds are AsterixDB's. */
  LOAM("org.loam.asterix.LoamNCApplication", "org.loam.asterix.LoamCCApplication"),

  /** AsterixDB's own. */
  STOCK(
      "org.apache.asterix.hyracks.bootstrap.NCApplication",
      "org.apache.asterix.hyracks.bootstrap.CCApplication");

  private final String nodeApplication;
  private final String controllerApplication;

  Storage(String nodeApplication, String controllerApplication) {
    this.nodeApplication = nodeApplication;
    this.controllerApplication = controllerApplication;
  }

  /** The class that a node controller is told to run. */
  String nodeApplication() {
    return nodeApplication;
  }

  /** The class that the cluster controller is told to run. */
  String controllerApplication() {
    return controllerApplication;
  }

  /**
   * What the section of the node controllers says of memory.
   *
   * @param bytes of buffer cache, and as many of memory components
   */
  List<String> memory(long bytes) {
    List<String> stock =
        List.of(
            "storage.buffercache.size=" + bytes, "storage.memorycomponent.globalbudget=" + bytes);
    if (this == STOCK) {
      return stock;
    }
    // Outside of the heap, and as much as the stock storage has of it; that has its least.
    return List.of(
        "loam.memory=" + 2 * bytes + "B",
        "storage.buffercache.size=" + LEAST_BYTES,
        "storage.memorycomponent.globalbudget=" + LEAST_BYTES);
  }

  /** For indexes that are not Loam's. */
  private static final long LEAST_BYTES = 16L << 20;
}
