package org.loam.workbench.asterixdb.cluster;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The processes of a cluster, found by its directory. */
final class ClusterProcesses {
  private final ClusterFiles files;

  ClusterProcesses(ClusterFiles files) {
    this.files = files;
  }

  /** That of a node, running or not. */
  NodeProcess of(Node node) {
    return new NodeProcess(node, files);
  }

  /** The nodes whose processes run. */
  Set<Node> running() {
    Set<Node> running = EnumSet.allOf(Node.class);
    running.removeIf(node -> !of(node).isRunning());
    return running;
  }

  /** Ends processes by force. */
  void end(Set<Node> nodes) throws InterruptedException {
    for (Node node : nodes) {
      of(node).stop(Duration.ZERO);
    }
  }
}
