package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;

/** A cluster on Loam for a test, on free ports; nobody of it is left behind. */
final class TestCluster implements AutoCloseable {
  final ClusterFiles files;
  final ClusterSettings settings = FreePorts.settings(Storage.LOAM);
  final AsterixCluster cluster;

  /** One that does not run yet. */
  TestCluster(Path home) {
    files = new ClusterFiles(home);
    cluster = new AsterixCluster(home, new Artifacts(Path.of("..")));
  }

  void start() throws InterruptedException {
    cluster.start(settings);
  }

  /** Starts it with another storage. */
  void start(Storage storage) throws InterruptedException {
    cluster.start(new ClusterSettings(settings.port(), settings.heapBytes(), storage));
  }

  void restart() throws InterruptedException {
    cluster.stop();
    start();
  }

  List<JsonNode> rows(String script) throws InterruptedException {
    return cluster.rows(script);
  }

  @Override
  public void close() throws InterruptedException {
    for (Node node : Node.values()) {
      new NodeProcess(node, files).kill();
    }
  }
}
