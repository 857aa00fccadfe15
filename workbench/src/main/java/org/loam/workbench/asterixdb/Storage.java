package org.loam.workbench.asterixdb;

/**
 * Who keeps the data of the node controllers. Another one than AsterixDB's own has its application
 * class here, its jars at the end of {@link Artifacts#classPath}, and its settings in {@link
 * ClusterConfiguration#text}.
 */
public enum Storage {
  /** AsterixDB's own. */
  STOCK("org.apache.asterix.hyracks.bootstrap.NCApplication");

  private final String nodeApplication;

  Storage(String nodeApplication) {
    this.nodeApplication = nodeApplication;
  }

  /** The class that a node controller is told to run. */
  String nodeApplication() {
    return nodeApplication;
  }
}
