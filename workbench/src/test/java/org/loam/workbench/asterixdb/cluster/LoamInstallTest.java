package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
 * Loam in AsterixDB's released distribution, as an operator has it: unpacked, {@code loam asterixdb
 * install}, a configuration, an {@code NCService} for each node, and a cluster controller.
 */
@Tag("once")
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

  private static final int LOOK_MILLIS = 100;

  private static final String STOCK_NODE =
      "org.apache.asterix.hyracks.bootstrap.NCApplication), although Loam's jar is on its class"
          + " path; start it with bin/asterixncloam";

  @TempDir Path directory;

  private final ClusterSettings ports = FreePorts.settings(Storage.LOAM);
  private final List<Integer> servicePorts = Ports.findFree(ports, 2);
  private final HttpApi api = new HttpApi(ports);
  private final Map<Node, Process> services = new EnumMap<>(Node.class);
  private Distribution distribution;
  private Path configuration;

  @BeforeEach
  void unpack() throws IOException {
    distribution = new Distribution(directory);
    configuration = distribution.work().resolve("cc.conf");
  }

  @AfterEach
  void end() throws InterruptedException {
    distribution.close();
  }

  // ---- Installing.

  /** A command that exits with this code; what it prints. */
  private String loam(int exitCode, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dloam.home=" + Path.of("..").toAbsolutePath().normalize());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.loam.workbench.Loam");
    command.addAll(List.of(arguments));
    Path err = directory.resolve("err");
    Process process = new ProcessBuilder(command).redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out + Files.readString(err)).isEqualTo(exitCode);
    return out;
  }

  private String install(int exitCode) throws Exception {
    String root = distribution.root.toString();
    return loam(exitCode, "asterixdb", "install", root, "--conf", configuration.toString());
  }

  private int servicePort(Node node) {
    return servicePorts.get(node == Node.NC1 ? 0 : 1);
  }

  /** A cluster of AsterixDB's own, without what Loam needs. */
  private List<String> stockConfiguration(String data) {
    List<String> lines = new ArrayList<>();
    for (Node node : Node.CONTROLLERS) {
      String home = data + "/" + node.id();
      lines.add("[nc/" + node.id() + "]");
      lines.add("ncservice.port=" + servicePort(node));
      lines.add("nc.api.port=" + ports.httpPort(node));
      lines.add("iodevices=" + home);
      lines.add("txn.log.dir=" + home + "/txnlog");
      lines.add("core.dump.dir=" + home + "/coredump");
    }
    lines.addAll(List.of("[cc]", "address=127.0.0.1", "api.port=" + ports.port()));
    lines.add("cluster.listen.port=" + ports.clusterPort());
    lines.add("client.listen.port=" + ports.clientPort());
    for (String service : List.of("active", "web", "web.queryinterface", "console.listen")) {
      lines.add(service + ".port=0");
    }
    lines.addAll(List.of("[common]", "log.dir=logs", "log.level=INFO"));
    lines.addAll(List.of("[nc]", "address=127.0.0.1", "command=asterixnc"));
    return lines;
  }

  private void installed() throws Exception {
    byte[] node = Files.readAllBytes(distribution.script("asterixnc"));
    byte[] controller = Files.readAllBytes(distribution.script("asterixcc"));
    List<String> lines = stockConfiguration("data");
    Files.write(configuration, lines);
    assertThat(install(1))
        .contains("repo/loam-asterixdb.jar  installed")
        .contains("bin/asterixncloam        installed")
        .contains("bin/asterixccloam        installed")
        .contains("    command=asterixncloam")
        .contains("problem: [nc] command=asterixnc: ");
    lines.remove("command=asterixnc");
    lines.addAll(List.of("command=asterixncloam", "jvm.args=-Xmx384m -XX:+UseSerialGC"));
    lines.addAll(List.of("loam.memory=128MiB", "storage.buffercache.size=16MB"));
    lines.add("storage.memorycomponent.globalbudget=16MB");
    Files.write(configuration, lines);
    assertThat(install(0)).contains("loam-asterixdb.jar  already there", "cc.conf: right");
    assertThat(distribution.script("asterixnc")).hasBinaryContent(node);
    assertThat(distribution.script("asterixcc")).hasBinaryContent(controller);
  }

  // ---- The cluster.

  private void startServices() throws IOException {
    for (Node node : Node.CONTROLLERS) {
      int port = servicePort(node);
      Path file = distribution.work().resolve(node.id() + ".conf");
      Files.writeString(file, "[ncservice]\naddress=127.0.0.1\nport=" + port + "\nlogdir=-\n");
      services.put(
          node, distribution.start(node.id(), "asterixncservice", "-config-file", file.toString()));
    }
  }

  private Process startController() {
    return distribution.start("cc", "asterixccloam", "-config-file", configuration.toString());
  }

  /** Starts a node without its service. */
  private Process startNode(Node node, String script, Path file) {
    return distribution.start(
        node.id() + "-by-hand",
        script,
        "-config-file",
        file.toString(),
        "-node-id",
        node.id(),
        "-cluster-address",
        "127.0.0.1",
        "-cluster-port",
        Integer.toString(ports.clusterPort()));
  }

  /** Waits for an end that others bring about; processes that are needed for it must not end. */
  private void await(Callable<Boolean> isDone, Process... needed) throws Exception {
    while (!isDone.call()) {
      for (Process process : needed) {
        assertThat(process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS))
            .as("%s has ended; the controller said: %s", process.info(), distribution.said("cc"))
            .isFalse();
      }
    }
  }

  private void awaitActive(Process... needed) throws Exception {
    await(() -> api.state().filter(state -> state.isActive(Node.CONTROLLERS)).isPresent(), needed);
  }

  private void rows(String script) throws InterruptedException {
    for (SqlScript.Statement statement : SqlScript.statements(script)) {
      api.run(statement, row -> {});
    }
  }

  private int number(String query) throws InterruptedException {
    List<JsonNode> rows = new ArrayList<>();
    for (SqlScript.Statement statement : SqlScript.statements("USE shop; " + query)) {
      api.run(statement, rows::add);
    }
    return rows.get(rows.size() - 1).intValue();
  }

  private static String orders(int from, int to, String city) {
    return IntStream.range(from, to)
        .mapToObj(id -> "{\"id\":" + id + ",\"city\":\"" + city + "\"}")
        .collect(Collectors.joining(",", "([", "]);"));
  }

  private void requireOrders(int all, int rome) throws InterruptedException {
    assertThat(number("SELECT VALUE COUNT(*) FROM orders;")).isEqualTo(all);
    assertThat(number("SELECT VALUE COUNT(*) FROM orders o WHERE o.city = \"Rome\";"))
        .isEqualTo(rome);
  }

  // ---- Loam in charge.

  /** The tree of an index on a node, by Loam's own statistics. */
  private JsonNode tree(Node node, String index) throws InterruptedException {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode tree : api.loamStatistics(node).orElseThrow().path("trees")) {
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
    Path home = distribution.work().resolve("data/" + node.id()).resolve(below);
    try (Stream<Path> files = Files.walk(home)) {
      return files.filter(file -> String.valueOf(file.getFileName()).matches(name)).count();
    }
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void theReleasedDistributionRunsOnLoam() throws Exception {
    installed();
    startServices();
    Process controller = startController();
    awaitActive(controller, services.get(Node.NC1), services.get(Node.NC2));
    rows(SCHEMA);
    rows("USE shop; INSERT INTO orders " + orders(0, 400, "Oslo"));
    rows("USE shop; UPSERT INTO orders " + orders(300, 500, "Rome"));
    rows("USE shop; DELETE FROM orders WHERE id < 50;");
    requireOrders(450, 200);
    for (Node node : Node.CONTROLLERS) {
      assertThat(tree(node, "orders").path("memoryBytes").longValue()).isPositive();
      assertThat(tree(node, "byCity").path("memoryBytes").longValue()).isPositive();
    }

    // A node dies, and is started by hand.
    ProcessHandle dead = services.get(Node.NC2).children().findFirst().orElseThrow();
    dead.destroyForcibly();
    dead.onExit().get();
    Process byHand = startNode(Node.NC2, "asterixncloam", configuration);
    await(() -> api.registeredId(Node.NC2).filter(id -> id == byHand.pid()).isPresent(), byHand);
    awaitActive(controller, byHand);
    requireOrders(450, 200);
    rows("USE shop; INSERT INTO orders " + orders(0, 50, "Rome"));

    // All of it is stopped, and the services start the nodes again.
    HttpRequest shutdown =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.port() + "/admin/shutdown"))
            .POST(BodyPublishers.noBody())
            .build();
    HttpClient.newHttpClient().send(shutdown, BodyHandlers.discarding());
    controller.waitFor();
    byHand.waitFor();
    for (Node node : Node.CONTROLLERS) {
      assertThat(files(node, "loam", ".*\\.sst")).as("tables of %s", node).isGreaterThan(1);
      assertThat(files(node, "storage", ".*_[bf]")).as("AsterixDB's components").isZero();
    }
    controller = startController();
    awaitActive(controller, services.get(Node.NC1), services.get(Node.NC2));
    requireOrders(500, 250);
    assertThat(entriesOnDisk("orders")).isGreaterThanOrEqualTo(500);
    assertThat(entriesOnDisk("byCity")).isGreaterThanOrEqualTo(500);

    aNodeWithoutLoamIsNoticed(controller);
  }

  /** By the node, and by the cluster controller, which it joins with data of its own. */
  private void aNodeWithoutLoamIsNoticed(Process controller) throws Exception {
    ProcessHandle dead = services.get(Node.NC2).children().findFirst().orElseThrow();
    dead.destroyForcibly();
    dead.onExit().get();
    // Loam's options are unknown to it.
    Process refused = startNode(Node.NC2, "asterixnc", configuration);
    assertThat(refused.waitFor()).isNotZero();
    assertThat(distribution.said("nc2-by-hand"))
        .startsWith("WARNING: LOAM IS NOT IN USE")
        .contains(STOCK_NODE, "Unknown option in ini: [nc] loam.memory");
    // Without them, nothing else would say it.
    Path stock = distribution.work().resolve("stock.conf");
    Files.write(stock, stockConfiguration("stock"));
    Process silent = startNode(Node.NC2, "asterixnc", stock);
    Path log = distribution.work().resolve("logs/cc.log");
    await(
        () -> Files.readString(log).contains("node nc2 has joined WITHOUT LOAM"),
        controller,
        silent);
    assertThat(distribution.said("nc2-by-hand"))
        .startsWith("WARNING: LOAM IS NOT IN USE")
        .contains(STOCK_NODE);
  }
}
