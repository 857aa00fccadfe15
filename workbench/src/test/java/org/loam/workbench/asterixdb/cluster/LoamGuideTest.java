package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The steps of {@code docs/ASTERIXDB.md} for restarting nodes and for a backup, with AsterixDB's
 * released distribution, data in both storages, and a feed.
 */
@Tag("soak")
class LoamGuideTest {
  /** Places are in an R-tree, which stays in stock storage. */
  private static final String SCHEMA =
      """
      CREATE DATAVERSE shop;
      USE shop;
      CREATE TYPE OrderType AS { id: bigint, city: string, place: point? };
      CREATE DATASET orders(OrderType) PRIMARY KEY id;
      CREATE INDEX byCity ON orders(city);
      CREATE INDEX byPlace ON orders(place) TYPE RTREE;
      CREATE DATASET fed(OrderType) PRIMARY KEY id;
      """;

  private static final String STATE =
      """
      USE shop;
      SELECT VALUE COUNT(*) FROM orders;
      SELECT VALUE COUNT(*) FROM orders o WHERE o.city = "Rome";
      SELECT VALUE COUNT(*) FROM orders o
        WHERE spatial_intersect(o.place, create_rectangle(create_point(-1.0, -1.0),
          create_point(1000.0, 1.0)));
      SELECT VALUE COUNT(*) FROM fed;
      SELECT VALUE o FROM orders o ORDER BY o.id;
      """;

  private static final List<String> DIRECTORIES = List.of("disk1", "disk2", "log");
  private static final int SENT = 100;

  @TempDir Path directory;

  private InstalledCluster cluster;
  private int feedPort;

  @BeforeEach
  void install() throws Exception {
    cluster = new InstalledCluster(directory);
    feedPort = Ports.findFree(cluster.ports, 3).get(2);
    configure("128MiB");
    cluster.startServices();
  }

  @AfterEach
  void end() throws InterruptedException {
    cluster.close();
  }

  /** Two I/O devices for each node, and a directory of its own for the log. */
  private void configure(String memory) throws Exception {
    List<String> lines = new ArrayList<>();
    for (String line : cluster.loamConfiguration("data")) {
      String[] option = line.split("=", 2);
      lines.add(
          switch (option[0]) {
            case "iodevices" -> line + "/disk1," + option[1] + "/disk2";
            case "txn.log.dir" -> line.replace("txnlog", "log");
            case "loam.memory" -> "loam.memory=" + memory;
            default -> line;
          });
    }
    Files.write(cluster.configuration, lines);
    cluster.install(0);
  }

  // ---- Data.

  private void insert(int from, int to, String city) throws InterruptedException {
    cluster.rows(
        IntStream.range(from, to)
            .mapToObj(
                id ->
                    "{\"id\":%d,\"city\":\"%s\",\"place\":point(\"%d.0,0.5\")}"
                        .formatted(id, city, id))
            .collect(Collectors.joining(",", "USE shop; INSERT INTO orders ([", "]);")));
  }

  /** Counts by each index, and all records. */
  private String state() throws InterruptedException {
    return String.join("\n", new StatementClient(cluster.api).texts(STATE));
  }

  private int fed() throws InterruptedException {
    return cluster.number("SELECT VALUE COUNT(*) FROM shop.fed;");
  }

  private void makeFeed() throws InterruptedException {
    cluster.rows(
        "USE shop; CREATE FEED wire WITH {'adapter-name': 'socket_adapter', 'address-type': 'nc',"
            + " 'sockets': 'nc2:"
            + feedPort
            + "', 'type-name': 'OrderType', 'format': 'json'};"
            + " CONNECT FEED wire TO DATASET fed;");
  }

  /** Starts the feed, sends records, and waits until queries show them. */
  private void feed(int from, Process controller) throws Exception {
    cluster.rows("USE shop; START FEED wire;");
    try (Socket socket = FeedSocket.connect(feedPort);
        OutputStream out = socket.getOutputStream()) {
      for (int id = from; id < from + SENT; id++) {
        String line = "{\"id\":" + id + ",\"city\":\"Bonn\"}\n";
        out.write(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    cluster.await(() -> fed() == from + SENT, controller);
  }

  private void stopFeed() throws InterruptedException {
    cluster.rows("USE shop; STOP FEED wire;");
  }

  private long loamBytes(Node node) throws InterruptedException {
    JsonNode memory = cluster.api.loamStatistics(node).orElseThrow().path("memory");
    return memory.path("totalBytes").longValue();
  }

  // ---- Restarting nodes.

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void nodesRestartOneAfterTheOther() throws Exception {
    Process controller = cluster.start();
    cluster.rows(SCHEMA);
    makeFeed();
    insert(0, 600, "Rome");
    insert(600, 900, "Oslo");
    feed(0, controller);
    configure("160MiB");
    List<Process> byHand = new ArrayList<>();
    for (Node node : List.of(Node.NC2, Node.NC1)) {
      stopFeed();
      String before = state();
      long memory = loamBytes(node);
      ProcessHandle process =
          ProcessHandle.of(cluster.api.registeredId(node).orElseThrow()).orElseThrow();
      process.destroy();
      process.onExit().get();
      cluster.await(
          () -> cluster.api.state().filter(now -> now.cluster().equals("UNUSABLE")).isPresent(),
          controller);
      assertThatThrownBy(() -> cluster.rows("SELECT VALUE COUNT(*) FROM shop.orders;"))
          .isInstanceOf(StatementException.class)
          .hasMessageContaining("UNUSABLE");
      byHand.add(cluster.startByHand(node, controller));
      assertThat(state()).as("after the restart of %s", node).isEqualTo(before);
      assertThat(loamBytes(node)).as("memory of %s", node).isGreaterThan(memory);
      feed(byHand.size() * SENT, controller);
    }
    stopFeed();
    String before = state();
    assertThat(before).startsWith("900\n600\n900\n300\n");
    cluster.shutDown(controller, byHand.get(0), byHand.get(1));
    cluster.start();
    assertThat(state()).isEqualTo(before);
    insert(900, 901, "Rome");
    assertThat(cluster.number("SELECT VALUE COUNT(*) FROM shop.orders;")).isEqualTo(901);
  }

  // ---- Backup.

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void aBackupIsRestored() throws Exception {
    Process controller = cluster.start();
    cluster.rows(SCHEMA);
    insert(0, 600, "Rome");
    insert(600, 900, "Oslo");
    cluster.rows("USE shop; DELETE FROM orders WHERE id >= 100 AND id < 200;");
    String before = state();
    assertThat(before).startsWith("800\n500\n800\n0\n");

    cluster.shutDown(controller);
    Path backup = Files.createDirectory(directory.resolve("backup"));
    Files.copy(cluster.configuration, backup.resolve("cc.conf"));
    for (Node node : Node.CONTROLLERS) {
      Path copies = Files.createDirectory(backup.resolve(node.id()));
      for (String name : DIRECTORIES) {
        copy(cluster.home("data", node).resolve(name), copies.resolve(name));
      }
    }
    controller = cluster.start();
    assertThat(state()).as("after the backup").isEqualTo(before);

    // What must be gone again after the backup is put back.
    insert(900, 950, "Rome");
    cluster.rows(
        "USE shop; DELETE FROM orders WHERE id < 300; DROP INDEX orders.byCity;"
            + " CREATE DATASET later(OrderType) PRIMARY KEY id;");
    cluster.shutDown(controller);
    for (Node node : Node.CONTROLLERS) {
      for (String name : DIRECTORIES) {
        Path place = cluster.home("data", node).resolve(name);
        delete(place);
        copy(backup.resolve(node.id()).resolve(name), place);
      }
    }
    cluster.start();
    assertThat(state()).as("restored").isEqualTo(before);
    assertThat(
            cluster.rows(
                "SELECT VALUE d.DatasetName FROM Metadata.`Dataset` d"
                    + " WHERE d.DataverseName = 'shop' ORDER BY d.DatasetName;"))
        .hasToString("[\"fed\", \"orders\"]");
    insert(100, 200, "Rome");
    assertThat(state()).startsWith("900\n600\n900\n0\n");
  }
}
