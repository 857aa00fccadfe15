package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.WorkDirectory;

/** AsterixDB on Loam with two I/O devices for each node. */
@Tag("soak")
class LoamDevicesTest {
  @TempDir Path directory;

  @AfterEach
  void leaveNoProcessBehind() throws InterruptedException {
    for (Node node : Node.values()) {
      new NodeProcess(node, new ClusterFiles(directory)).kill();
    }
  }

  private static String records(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(id -> "{\"id\":" + id + ",\"kind\":" + id % 10 + "}")
        .collect(Collectors.joining(","));
  }

  private static int count(AsterixCluster cluster, String condition) throws InterruptedException {
    String query = "USE shop; SELECT VALUE COUNT(*) FROM things t WHERE " + condition + ";";
    return cluster.rows(query).get(0).intValue();
  }

  private Path loam(Node node, String device) {
    return new ClusterFiles(directory).home(node).resolve(device).resolve("loam");
  }

  private static long tables(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".sst")).count();
    }
  }

  private AsterixCluster start(ClusterSettings settings) throws InterruptedException {
    AsterixCluster cluster = new AsterixCluster(directory, new Artifacts(Path.of("..")));
    cluster.start(settings);
    cluster.run(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE Thing AS {id: bigint, kind: bigint};"
            + " CREATE DATASET things(Thing) PRIMARY KEY id; CREATE INDEX byKind ON things(kind);"
            + " INSERT INTO things (["
            + records(0, 500)
            + "]);",
        row -> {});
    return cluster;
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void eachDeviceHasTheTreesOfItsPartition() throws Exception {
    ClusterSettings settings = FreePorts.settings(Storage.LOAM).withDevices(2);
    AsterixCluster cluster = start(settings);
    assertThat(count(cluster, "t.kind = 3")).isEqualTo(50);
    for (Node node : Node.CONTROLLERS) {
      cluster.kill(node);
    }
    cluster.start(settings);
    assertThat(count(cluster, "t.kind = 3")).isEqualTo(50);
    cluster.run("USE shop; INSERT INTO things ([" + records(500, 600) + "]);", row -> {});
    assertThat(cluster.stop()).isEmpty();
    for (Node node : Node.CONTROLLERS) {
      // A table of the records at least, and one of the index.
      assertThat(tables(loam(node, "data"))).as("tables of %s", node).isGreaterThanOrEqualTo(2);
      assertThat(tables(loam(node, "data2"))).as("tables of %s", node).isGreaterThanOrEqualTo(2);
    }

    Path device = loam(Node.NC2, "data2");
    Path away = device.resolveSibling("away");
    Files.move(device, away);
    assertThatThrownBy(() -> cluster.start(settings))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("data directory 1 of the database")
        .hasMessageContaining("is missing, where these trees live")
        .hasMessageContaining("is its device mounted?");
    Files.move(away, device);
    cluster.start(settings);
    assertThat(count(cluster, "t.kind = 3")).isEqualTo(60);
    assertThat(count(cluster, "true")).isEqualTo(600);

    // A node's partitions all look for the key, and one deletes it, under locks that they share.
    cluster.run(
        IntStream.range(0, 400)
            .mapToObj(id -> "DELETE FROM things WHERE id = " + id + ";")
            .collect(Collectors.joining(" ", "USE shop;", "")),
        row -> {});
    assertThat(count(cluster, "t.kind = 3")).isEqualTo(20);
    assertThat(count(cluster, "true")).isEqualTo(200);
  }

  /** A start without some directories of a node, tried twice: a refused one may make them anew. */
  private void requireRefused(
      AsterixCluster cluster, ClusterSettings settings, List<String> missing, String... words)
      throws IOException {
    Path home = new ClusterFiles(directory).home(Node.NC2);
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    for (String name : missing) {
      Files.move(home.resolve(name), elsewhere.resolve(name));
    }
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> cluster.start(settings))
          .isInstanceOf(CommandException.class)
          .hasMessageContainingAll(words);
    }
    for (String name : missing) {
      WorkDirectory.delete(home.resolve(name));
      Files.move(elsewhere.resolve(name), home.resolve(name));
    }
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aNodeWithoutItsFirstDeviceAndItsLogOrWithoutAllDevicesIsRefused() throws Exception {
    ClusterSettings settings = FreePorts.settings(Storage.LOAM).withDevices(2);
    AsterixCluster cluster = start(settings);
    cluster.kill(Node.NC2);
    requireRefused(
        cluster,
        settings,
        List.of("data", "log"),
        "nc2 did not start: txn.log.dir: ",
        " has no log, but there is data in " + loam(Node.NC2, "data2"));
    requireRefused(
        cluster,
        settings,
        List.of("data", "data2"),
        "nc2 did not start: txn.log.dir: ",
        " has a log, but there is no database in " + loam(Node.NC2, "data"));
    cluster.start(settings);
    assertThat(count(cluster, "t.kind = 3")).isEqualTo(50);
    assertThat(count(cluster, "true")).isEqualTo(500);
  }
}
