package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
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

/** {@code loam asterixdb install} puts Loam in charge of AsterixDB's released distribution. */
@Tag("soak")
class LoamInstallTest {
  private static final String SCHEMA =
      """
      CREATE DATAVERSE shop;
      USE shop;
      CREATE TYPE OrderType AS { id: bigint, city: string };
      CREATE DATASET orders(OrderType) PRIMARY KEY id;
      CREATE INDEX byCity ON orders(city);
      """;

  private static final String DATA = "data";

  private static final String STOCK_NODE =
      "org.apache.asterix.hyracks.bootstrap.NCApplication), although Loam's jar is on its class"
          + " path; start it with bin/asterixncloam";

  @TempDir Path directory;

  private InstalledCluster cluster;

  @BeforeEach
  void unpack() throws IOException {
    cluster = new InstalledCluster(directory);
  }

  @AfterEach
  void end() throws InterruptedException {
    cluster.close();
  }

  private byte[] script(String name) throws IOException {
    return Files.readAllBytes(cluster.distribution.script(name));
  }

  private void installed() throws Exception {
    byte[] node = script("asterixnc");
    byte[] controller = script("asterixcc");
    List<String> lines = cluster.stockConfiguration(DATA);
    lines.add("command=asterixnc");
    Files.write(cluster.configuration, lines);
    assertThat(cluster.install(1))
        .contains("repo/loam-asterixdb.jar  installed")
        .contains("bin/asterixncloam        installed")
        .contains("bin/asterixccloam        installed")
        .contains("    command=asterixncloam")
        .contains("problem: [nc] command=asterixnc: ");
    Files.write(cluster.configuration, cluster.loamConfiguration(DATA));
    assertThat(cluster.install(0)).contains("loam-asterixdb.jar  already there", "cc.conf: right");
    assertThat(script("asterixnc")).isEqualTo(node);
    assertThat(script("asterixcc")).isEqualTo(controller);
  }

  // ---- Statements.

  private static String orders(int from, int to, String city) {
    return IntStream.range(from, to)
        .mapToObj(id -> "{\"id\":" + id + ",\"city\":\"" + city + "\"}")
        .collect(Collectors.joining(",", "([", "]);"));
  }

  private void requireOrders(int all, int rome) throws InterruptedException {
    assertThat(cluster.number("SELECT VALUE COUNT(*) FROM shop.orders;")).isEqualTo(all);
    assertThat(cluster.number("SELECT VALUE COUNT(*) FROM shop.orders o WHERE o.city = \"Rome\";"))
        .isEqualTo(rome);
  }

  // ---- Loam in charge.

  /** The tree of an index on a node, by Loam's own statistics. */
  private JsonNode tree(Node node, String index) throws InterruptedException {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode tree : cluster.api.loamStatistics(node).orElseThrow().path("trees")) {
      if (tree.path("name").asText().endsWith("/shop/orders/0/" + index)) {
        found.add(tree);
      }
    }
    assertThat(found).as("trees of %s on %s", index, node).hasSize(1);
    return found.get(0);
  }

  private long entriesOnDisk(String index) throws InterruptedException {
    long entries = 0;
    for (Node node : Node.CONTROLLERS) {
      for (JsonNode level : tree(node, index).path("levels")) {
        entries += level.path("entries").longValue();
      }
    }
    return entries;
  }

  private long files(Node node, String below, String name) throws IOException {
    try (Stream<Path> files = Files.walk(cluster.home(DATA, node).resolve(below))) {
      return files.filter(file -> String.valueOf(file.getFileName()).matches(name)).count();
    }
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void theReleasedDistributionRunsOnLoam() throws Exception {
    installed();
    cluster.startServices();
    Process controller = cluster.start();
    cluster.rows(SCHEMA);
    cluster.rows("USE shop; INSERT INTO orders " + orders(0, 400, "Oslo"));
    cluster.rows("USE shop; UPSERT INTO orders " + orders(300, 500, "Rome"));
    cluster.rows("USE shop; DELETE FROM orders WHERE id < 50;");
    requireOrders(450, 200);
    for (Node node : Node.CONTROLLERS) {
      assertThat(tree(node, "orders").path("memoryBytes").longValue()).isPositive();
      assertThat(tree(node, "byCity").path("memoryBytes").longValue()).isPositive();
    }

    // A node dies, and is started by hand.
    kill(Node.NC2);
    Process byHand = cluster.startByHand(Node.NC2, controller);
    requireOrders(450, 200);
    cluster.rows("USE shop; INSERT INTO orders " + orders(0, 50, "Rome"));

    // All of it is stopped, and the services start the nodes again.
    cluster.shutDown(controller, byHand);
    for (Node node : Node.CONTROLLERS) {
      assertThat(files(node, "loam", ".*\\.sst")).as("tables of %s", node).isGreaterThan(1);
      assertThat(files(node, "storage", ".*_[bf]")).as("AsterixDB's components").isZero();
    }
    controller = cluster.start();
    requireOrders(500, 250);
    assertThat(entriesOnDisk("orders")).isGreaterThanOrEqualTo(500);
    assertThat(entriesOnDisk("byCity")).isGreaterThanOrEqualTo(500);

    aNodeWithoutLoamIsNoticed(controller);
  }

  /** Kills a node that its service has started. */
  private void kill(Node node) throws Exception {
    ProcessHandle dead = cluster.ofService(node);
    dead.destroyForcibly();
    dead.onExit().get();
  }

  /** By the node, and by the cluster controller, which it joins with data of its own. */
  private void aNodeWithoutLoamIsNoticed(Process controller) throws Exception {
    kill(Node.NC2);
    // Loam's options are unknown to it.
    Process refused = cluster.startNode(Node.NC2, "asterixnc", cluster.configuration);
    assertThat(refused.waitFor()).isNotZero();
    assertThat(cluster.distribution.said("nc2-by-hand"))
        .startsWith("WARNING: LOAM IS NOT IN USE")
        .contains(STOCK_NODE, "Unknown option in ini: [nc] loam.memory");
    // Without them, nothing else would say it.
    Path stock = cluster.distribution.work().resolve("stock.conf");
    Files.write(stock, cluster.stockConfiguration("stock"));
    Process silent = cluster.startNode(Node.NC2, "asterixnc", stock);
    Path log = cluster.distribution.work().resolve("logs/cc.log");
    cluster.await(
        () -> Files.readString(log).contains("node nc2 has joined WITHOUT LOAM"),
        controller,
        silent);
    assertThat(cluster.distribution.said("nc2-by-hand"))
        .startsWith("WARNING: LOAM IS NOT IN USE")
        .contains(STOCK_NODE);
  }
}
