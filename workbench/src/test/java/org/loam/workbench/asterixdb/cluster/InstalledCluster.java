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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * AsterixDB's released distribution with Loam, as an operator has it: unpacked, {@code loam
 * asterixdb install}, a configuration, an {@code NCService} for each of two nodes, and a cluster
 * controller. No process is left behind.
 */
final class InstalledCluster implements AutoCloseable {
  private static final int LOOK_MILLIS = 100;

  final ClusterSettings ports = FreePorts.settings(Storage.LOAM);
  final HttpApi api = new HttpApi(ports);
  final Distribution distribution;
  final Path configuration;

  private final Path directory;
  private final List<Integer> servicePorts = Ports.findFree(ports, 2);
  private final Map<Node, Process> services = new EnumMap<>(Node.class);

  /** The distribution, unpacked. */
  InstalledCluster(Path directory) throws IOException {
    this.directory = directory;
    distribution = new Distribution(directory);
    configuration = distribution.work().resolve("cc.conf");
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

  /** Installs Loam and checks the configuration; what that prints. */
  String install(int exitCode) throws Exception {
    String root = distribution.root.toString();
    return loam(exitCode, "asterixdb", "install", root, "--conf", configuration.toString());
  }

  private int servicePort(Node node) {
    return servicePorts.get(node == Node.NC1 ? 0 : 1);
  }

  /** Of its own, as if the node had a machine for itself. */
  private static String address(Node node) {
    return node == Node.NC1 ? "127.0.0.2" : "127.0.0.3";
  }

  /** A directory of a node's, below that of the data of all. */
  Path home(String data, Node node) {
    return distribution.work().resolve(data).resolve(node.id());
  }

  /** A cluster of AsterixDB's own, without what Loam needs. */
  List<String> stockConfiguration(String data) {
    List<String> lines = new ArrayList<>();
    for (Node node : Node.CONTROLLERS) {
      String home = data + "/" + node.id();
      lines.add("[nc/" + node.id() + "]");
      lines.add("address=" + address(node));
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
    lines.add("[nc]");
    return lines;
  }

  /** The same with Loam. */
  List<String> loamConfiguration(String data) {
    List<String> lines = stockConfiguration(data);
    lines.addAll(List.of("command=asterixncloam", "jvm.args=-Xmx384m -XX:+UseSerialGC"));
    lines.addAll(List.of("loam.memory=128MiB", "storage.buffercache.size=16MB"));
    lines.add("storage.memorycomponent.globalbudget=16MB");
    return lines;
  }

  // ---- Processes.

  void startServices() throws IOException {
    for (Node node : Node.CONTROLLERS) {
      int port = servicePort(node);
      Path file = distribution.work().resolve(node.id() + ".conf");
      Files.writeString(
          file, "[ncservice]\naddress=" + address(node) + "\nport=" + port + "\nlogdir=-\n");
      services.put(
          node, distribution.start(node.id(), "asterixncservice", "-config-file", file.toString()));
    }
  }

  /** Starts the cluster controller, and with it all nodes; returns when all of it is active. */
  Process start() throws Exception {
    Process controller =
        distribution.start("cc", "asterixccloam", "-config-file", configuration.toString());
    awaitActive(controller, services.get(Node.NC1), services.get(Node.NC2));
    return controller;
  }

  /** Ends the cluster controller and all nodes; the services stay. */
  void shutDown(Process... ending) throws IOException, InterruptedException {
    HttpRequest shutdown =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.port() + "/admin/shutdown"))
            .POST(BodyPublishers.noBody())
            .build();
    HttpClient.newHttpClient().send(shutdown, BodyHandlers.discarding());
    for (Process process : ending) {
      process.waitFor();
    }
  }

  /** The process of a node that its service has started. */
  ProcessHandle ofService(Node node) {
    return services.get(node).children().findFirst().orElseThrow();
  }

  /** Starts a node without its service. */
  Process startNode(Node node, String script, Path file) {
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

  /** Starts a node on Loam without its service; returns when all of the cluster is active. */
  Process startByHand(Node node, Process controller) throws Exception {
    Process byHand = startNode(node, "asterixncloam", configuration);
    await(() -> api.registeredId(node).equals(Optional.of(byHand.pid())), byHand);
    awaitActive(controller, byHand);
    return byHand;
  }

  /** Waits for an end that others bring about; processes that are needed for it must not end. */
  void await(Callable<Boolean> isDone, Process... needed) throws Exception {
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

  // ---- Statements.

  List<JsonNode> rows(String script) throws InterruptedException {
    return new StatementClient(api).rows(script);
  }

  /** The last row of a script, which is a number. */
  int number(String script) throws InterruptedException {
    List<JsonNode> rows = rows(script);
    return rows.get(rows.size() - 1).intValue();
  }

  @Override
  public void close() throws InterruptedException {
    distribution.close();
  }
}
