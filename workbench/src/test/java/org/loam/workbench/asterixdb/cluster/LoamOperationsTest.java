package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What an operator does with AsterixDB on Loam, with AsterixDB itself. */
@Tag("soak")
class LoamOperationsTest {
  private static final String TUNED =
      """
      CREATE DATAVERSE shop;
      USE shop;
      CREATE TYPE OrderType AS { id: bigint, name: string };
      CREATE DATASET plain(OrderType) PRIMARY KEY id;
      CREATE DATASET tuned(OrderType) PRIMARY KEY id WITH {"merge-policy":
        {"name": "partitioned-leveling",
         "parameters": {"size-ratio": 4.0, "min-merge-component-count": 2}}};
      CREATE INDEX byName ON tuned(name);
      CREATE INDEX byWord ON tuned(name) TYPE KEYWORD;
      CREATE DATASET short(OrderType) PRIMARY KEY id
        WITH {"merge-policy": {"name": "partitioned-leveling"}};
      CREATE DATASET foreign(OrderType) PRIMARY KEY id
        WITH {"merge-policy": {"name": "constant", "parameters": {"num-components": 3}}};
      -- An index has a tree when it is used.
      SELECT COUNT(*) FROM plain;
      SELECT COUNT(*) FROM short;
      SELECT COUNT(*) FROM foreign;
      """;

  private static final int CREATED = 8;

  @TempDir Path directory;

  private TestCluster loam;

  @BeforeEach
  void start() throws InterruptedException {
    loam = new TestCluster(directory.resolve("cluster"));
    loam.start();
  }

  @AfterEach
  void end() throws InterruptedException {
    loam.close();
  }

  /** What a tree of each node is merged by, as {@link #merges} has it; "null" if nothing. */
  private void requireMerges(String path, String expected) throws InterruptedException {
    for (Node node : Node.CONTROLLERS) {
      String found = "absent";
      for (JsonNode tree : loam.cluster.loamStatistics(node).orElseThrow().path("trees")) {
        if (tree.path("name").textValue().endsWith(path)) {
          found = tree.path("merges").toString();
        }
      }
      assertThat(found).as(node.id() + " " + path).isEqualTo(expected);
    }
  }

  private static String merges(int levelRatio, int l0MinMerge, int l0Stop) {
    return "{\"levelRatio\":"
        + levelRatio
        + ",\"l0MinMerge\":"
        + l0MinMerge
        + (",\"l0Stop\":" + l0Stop)
        + ",\"control\":null}";
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void datasetsNameAMergePolicyOfLoams() throws Exception {
    loam.rows(TUNED);
    requireTuned();
    assertThat(
            loam.rows(
                "SELECT VALUE d.CompactionPolicy || ' ' || TO_STRING(ARRAY_COUNT("
                    + "d.CompactionPolicyProperties)) FROM Metadata.`Dataset` d"
                    + " WHERE d.DatasetName = 'tuned';"))
        .hasToString("[\"partitioned-leveling 3\"]");
    assertThat(Files.readString(loam.files.log(Node.NC1)))
        .contains("/shop/foreign/0/foreign: Loam merges by its own policy, not by constant")
        .contains("choose one of Loam's: partitioned-leveling")
        .doesNotContain("/shop/plain/0/plain: Loam merges");

    requireRefused("'size-ratio': 1.0", "size-ratio that is 1, must be in 2..100");
    requireRefused("'size-ratio': 2.5", "size-ratio that is 2.5, must be a whole number");
    requireRefused("'num-components': 5", "has no parameter 'num-components'; it has size-ratio");
    requireRefused("'max-component-count': 3", "must be above min-merge-component-count, 4");
    loam.rows("USE shop; CREATE DATASET refused(OrderType) PRIMARY KEY id;");

    loam.rows("USE shop; UPSERT INTO tuned ([{'id': 1, 'name': 'a b'}, {'id': 2, 'name': 'c'}]);");
    loam.restart();
    requireTuned();
    loam.cluster.kill(Node.NC2);
    loam.start();
    requireTuned();
    assertThat(
            loam.rows(
                "USE shop; SELECT VALUE t.id FROM tuned t WHERE t.name = 'c';"
                    + " SELECT VALUE t.id FROM tuned t WHERE ftcontains(t.name, 'b');"))
        .hasToString("[2, 1]");
    requireMerges("/shop/tuned/0/byName", merges(4, 2, 16));
    requireStatistics();
    requireMetrics();
    requireLiveSettings();
  }

  private void requireTuned() throws InterruptedException {
    requireMerges("/shop/tuned/0/tuned", merges(4, 2, 16));
    requireMerges("/shop/tuned/0/byName", merges(4, 2, 16));
    requireMerges("/shop/short/0/short", merges(10, 4, 16));
    requireMerges("/shop/plain/0/plain", "null");
    requireMerges("/shop/foreign/0/foreign", "null");
  }

  private void requireRefused(String parameter, String message) {
    assertThatThrownBy(
            () ->
                loam.rows(
                    "USE shop; CREATE DATASET refused(OrderType) PRIMARY KEY id WITH"
                        + " {'merge-policy': {'name': 'partitioned-leveling', 'parameters': {"
                        + parameter
                        + "}}};"))
        .isInstanceOf(StatementException.class)
        .hasMessageContaining(message);
  }

  private void requireMetrics() throws InterruptedException {
    HttpApi api = new HttpApi(loam.settings);
    for (Node node : Node.CONTROLLERS) {
      JsonNode report = loam.cluster.loamStatistics(node).orElseThrow();
      assertThat(report.path("version").textValue()).matches("\\d+\\..*");
      JsonNode disk = report.path("health").path("disks").path(0);
      assertThat(disk.path("directory").textValue())
          .isEqualTo(loam.files.home(node).resolve("data/loam").toString());
      assertThat(disk.path("freeBytes").longValue()).isPositive();
      assertThat(disk.path("isFull").booleanValue()).isFalse();
      assertThat(report.path("datasets").findValuesAsText("name"))
          .as("datasets of %s", node)
          .contains("shop.tuned");
      // The dataset of all datasets is on one node.
      assertThat(report.path("datasets").findValuesAsText("name").contains("Metadata.Dataset"))
          .as("metadata on %s", node)
          .isEqualTo(node == Node.NC1);
      assertThat(api.loamMetrics(node).orElseThrow())
          .contains("\nloam_info{version=\"" + report.path("version").textValue() + "\"} 1\n")
          .contains("\nloam_dataset_memory_bytes{dataset=\"shop.tuned\"} ")
          .contains(
              "\nloam_disk_full{directory=\"" + disk.path("directory").textValue() + "\"} 0\n");
    }
  }

  private void requireLiveSettings() throws InterruptedException {
    String url = "http://127.0.0.1:" + loam.settings.httpPort(Node.NC2) + "/admin/loam";
    assertThat(answer(url, "name=tuner.mode&value=OBSERVE"))
        .contains("\"oldValue\":\"FROZEN\"", "\"effectiveValue\":\"OBSERVE\"");
    assertThat(answer(url, "name=tuner.mood&value=GOOD")).contains("did you mean tuner.mode?");
    for (Node node : Node.CONTROLLERS) {
      JsonNode memory = loam.cluster.loamStatistics(node).orElseThrow().path("memory");
      assertThat(memory.path("tuner").path("mode").textValue())
          .isEqualTo(node == Node.NC2 ? "OBSERVE" : "FROZEN");
    }
  }

  /** The table is of this cluster, with the datasets that it has. */
  private void requireStatistics() {
    StringWriter out = new StringWriter();
    CommandLine command = new CommandLine(new ClusterStatsCommand());
    command.setOut(new PrintWriter(out));
    assertThat(command.execute("--directory", loam.files.directory().toString())).isZero();
    assertThat(out.toString())
        .contains("node     nc1", "node     nc2", "Metadata ")
        .containsPattern("shop.tuned +2 indexes .*\\R +tuned .* size ratio 4, L0 merged from 2")
        .doesNotContain("byWord");
  }

  // ---- Compression.

  private List<String> warnings(String statement) throws InterruptedException {
    List<String> warnings = new ArrayList<>();
    loam.cluster.run(statement, row -> {}, warnings::add);
    return warnings;
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aClauseThatWouldCompressIsAnsweredWithAWarning() throws Exception {
    String compressed = " WITH {'storage-block-compression': {'scheme': 'snappy'}};";
    String create = "USE shop; CREATE DATASET ";
    loam.rows(
        "CREATE DATAVERSE shop; USE shop;"
            + " CREATE TYPE OrderType AS { id: bigint, day: datetime };");
    assertThat(warnings(create + "small(OrderType) PRIMARY KEY id" + compressed))
        .singleElement()
        .asString()
        .startsWith("LOAM0001: storage-block-compression snappy has no effect on dataset small");
    assertThat(warnings(create + "plain(OrderType) PRIMARY KEY id;")).isEmpty();
    // It is in stock storage, which compresses.
    assertThat(warnings(create + "stock(OrderType) PRIMARY KEY id WITH FILTER ON day" + compressed))
        .isEmpty();
    // Clients that ask for no warnings.
    assertThat(Files.readString(loam.files.log(Node.CC)))
        .containsOnlyOnce("LOAM0001: storage-block-compression snappy");
    for (Node node : Node.CONTROLLERS) {
      assertThat(Files.readString(loam.files.log(node)))
          .containsOnlyOnce("compression: storage.compression.block is snappy");
    }
  }

  // ---- Answers that are lost.

  private static String answer(String url, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient()
        .sendAsync(request, BodyHandlers.ofString())
        .thenApply(HttpResponse::body)
        .join();
  }

  /** Runs a statement whose first answer is lost on the way. */
  private void lose(String statement, Consumer<JsonNode> rows) throws Exception {
    String url = loam.cluster.queryUrl();
    try (ClosingServer between = new ClosingServer(1, body -> answer(url, body))) {
      new QueryService("http://127.0.0.1:" + between.port()).run(statement, rows);
    }
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aStatementWhoseAnswerIsLostIsNotExecutedTwice() throws Exception {
    loam.rows(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE OrderType AS { id: uuid };"
            + " CREATE DATASET orders(OrderType) PRIMARY KEY id AUTOGENERATED;");
    assertThatThrownBy(() -> lose("USE shop; INSERT INTO orders ([{'n': 1}]);", row -> {}))
        .isInstanceOf(StatementException.class)
        .hasMessageContaining("may be changed, or not");
    List<JsonNode> found = new ArrayList<>();
    lose("USE shop; SELECT VALUE o.n FROM orders o;", found::add);
    assertThat(found).hasToString("[1]");
  }

  // ---- Datasets that are created at once.

  private void createAtOnce(int round) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CREATED);
    try {
      CyclicBarrier together = new CyclicBarrier(CREATED);
      StatementClient client = loam.cluster.client();
      List<Future<List<JsonNode>>> created = new ArrayList<>();
      for (int i = 0; i < CREATED; i++) {
        String name = "made" + round + "_" + i;
        created.add(
            threads.submit(
                () -> {
                  together.await();
                  return client.rows(
                      "USE shop; CREATE DATASET " + name + "(OrderType) PRIMARY KEY id;");
                }));
      }
      for (Future<List<JsonNode>> each : created) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** In the first statements that a cluster controller executes. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void datasetsCreatedAtOnceHaveIdentifiersOfTheirOwn() throws Exception {
    loam.rows("CREATE DATAVERSE shop; USE shop; CREATE TYPE OrderType AS { id: bigint };");
    createAtOnce(1);
    loam.restart();
    createAtOnce(2);
    assertThat(
            loam.rows(
                "SELECT VALUE d.DatasetId FROM Metadata.`Dataset` d"
                    + " WHERE d.DataverseName = 'shop';"))
        .hasSize(2 * CREATED)
        .doesNotHaveDuplicates();
  }
}
