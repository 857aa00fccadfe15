package org.loam.workbench.asterixdb.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;
import picocli.CommandLine;

/** Nodes are played by processes that have their marks, and by a server that answers for one. */
class ClusterStatsCommandTest {
  @TempDir Path directory;

  private final List<Process> processes = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private ClusterFiles files;
  private ClusterSettings settings;
  private HttpServer server;

  @BeforeEach
  void choose() {
    files = new ClusterFiles(directory.resolve("cluster"));
    settings = FreePorts.settings(Storage.LOAM);
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
    if (server != null) {
      server.stop(0);
    }
  }

  private void prepare(ClusterSettings wanted) {
    files.makeDirectory();
    files.prepare(wanted);
  }

  private void run(Node node) throws IOException {
    Process process =
        new ProcessBuilder("sh", "-c", "read x", "sh", "-Dloam.asterixdb.node=" + files.home(node))
            .start();
    processes.add(process);
    Files.writeString(files.processId(node), Long.toString(process.pid()));
  }

  private void answer(Node node, String json) throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    server = HttpServer.create(new InetSocketAddress(loopback, settings.httpPort(node)), 0);
    server.createContext(
        "/admin/loam",
        exchange -> {
          byte[] body = json.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  private int stats(String... options) {
    CommandLine command = new CommandLine(new ClusterStatsCommand());
    command.setOut(new PrintWriter(out));
    command.setExecutionExceptionHandler(
        (e, line, result) -> {
          throw e;
        });
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--directory", files.directory().toString()));
    return command.execute(arguments.toArray(String[]::new));
  }

  private void requireRefused(int exitCode, String... words) {
    ClusterStatsCommand command = new ClusterStatsCommand();
    new CommandLine(command).parseArgs("--directory", files.directory().toString());
    assertThatThrownBy(command::call)
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(exitCode))
        .hasMessageContainingAll(words);
  }

  @Test
  void withoutAClusterOneIsToldToStartIt() {
    requireRefused(
        ExitCode.ENVIRONMENT, "no cluster runs in", "loam asterixdb --directory", "cluster");
    prepare(settings);
    requireRefused(ExitCode.ENVIRONMENT, "no cluster runs in");
  }

  @Test
  void aClusterWithStockStorageHasNone() throws IOException {
    prepare(new ClusterSettings(settings.port(), settings.heapBytes(), Storage.STOCK));
    run(Node.NC1);
    requireRefused(ExitCode.USAGE, "has stock storage", "--storage loam");
  }

  @Test
  void aNodeThatIsDownIsMissedAndTheOtherIsShown() throws IOException {
    prepare(settings);
    run(Node.CC);
    run(Node.NC1);
    answer(Node.NC1, Json.line(NodeTextTest.statistics(NodeTextTest.tree("t", 1))));
    assertThat(stats()).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).startsWith("node     nc1").doesNotContain("nc2");
  }

  @Test
  void asJsonEachNodeIsAsItAnswered() throws IOException {
    prepare(settings);
    run(Node.NC2);
    answer(Node.NC2, "{\"what\": [1]}");
    assertThat(stats("--json")).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString().replaceAll("\\s", ""))
        .isEqualTo("{\"nc1\":null,\"nc2\":{\"what\":[1]}}");
  }

  @Test
  void statisticsOfAnotherVersionAreNotGuessed() throws IOException {
    prepare(settings);
    run(Node.NC1);
    answer(Node.NC1, "{\"what\": [1]}");
    requireRefused(ExitCode.FAILED, "nc1 runs another version", "--json");
  }
}
