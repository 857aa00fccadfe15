package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** A cluster on Loam for a test, on free ports; no process of it is left behind. */
final class TestCluster implements AutoCloseable {
  final ClusterFiles files;
  final ClusterSettings settings;
  final AsterixCluster cluster;

  private final Artifacts artifacts = new Artifacts(Path.of(".."));

  /** One that does not run yet. */
  TestCluster(Path home) {
    this(home, FreePorts.settings(Storage.LOAM));
  }

  /** One that does not run yet, with these settings. */
  TestCluster(Path home, ClusterSettings settings) {
    this.settings = settings;
    files = new ClusterFiles(home);
    cluster = new AsterixCluster(home, artifacts);
  }

  void start() throws InterruptedException {
    cluster.start(settings);
  }

  /**
   * Starts all of it with a configuration of its own.
   *
   * @param edit makes the configuration file of what it would be
   */
  void start(UnaryOperator<String> edit) throws IOException, InterruptedException {
    files.makeDirectory();
    files.prepare(settings);
    Path file = files.configuration();
    Files.writeString(file, edit.apply(Files.readString(file)));
    String classPath = artifacts.classPath(Storage.LOAM);
    for (Node node : Node.values()) {
      new NodeProcess(node, files).start(settings, classPath);
    }
    cluster.awaitActive();
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
