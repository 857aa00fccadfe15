package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that have much more to redo than write memory has room for. */
@Tag("soak")
class LoamRecoveryTest {
  private static final int DATASETS = 8;
  private static final int STATEMENTS = 12;
  private static final int RECORDS = 50;

  @TempDir Path directory;

  private TestCluster loam;
  private ExecutorService threads;

  @BeforeEach
  void prepare() {
    loam = new TestCluster(directory.resolve("cluster"));
    threads = Executors.newFixedThreadPool(DATASETS);
  }

  @AfterEach
  void end() throws InterruptedException {
    threads.shutdownNow();
    loam.close();
  }

  /** What is done for one dataset. */
  private interface Work {
    void run(int dataset) throws Exception;
  }

  private void atOnce(Work work) throws Exception {
    CyclicBarrier together = new CyclicBarrier(DATASETS);
    List<Future<Void>> running = new ArrayList<>();
    for (int i = 0; i < DATASETS; i++) {
      int dataset = i;
      running.add(
          threads.submit(
              () -> {
                together.await();
                work.run(dataset);
                return null;
              }));
    }
    for (Future<Void> each : running) {
      each.get();
    }
  }

  private void create() throws Exception {
    loam.rows(
        "CREATE DATAVERSE shop; USE shop;"
            + " CREATE TYPE OrderType AS {id: bigint, city: string, note: string};");
    StatementClient client = loam.cluster.client();
    atOnce(i -> client.rows("USE shop; CREATE DATASET d" + i + "(OrderType) PRIMARY KEY id;"));
    for (int i = 0; i < DATASETS; i++) {
      loam.rows("USE shop; CREATE INDEX byCity" + i + " ON d" + i + "(city);");
    }
  }

  private static String statement(int dataset, int statement) {
    return IntStream.range(0, RECORDS)
        .map(record -> statement * RECORDS + record)
        .mapToObj(
            id ->
                "{\"id\":"
                    + id
                    + ",\"city\":\""
                    + id % 10
                    + "\",\"note\":\""
                    + "x".repeat(500)
                    + "\"}")
        .collect(Collectors.joining(",", "USE shop; INSERT INTO d" + dataset + " ([", "]);"));
  }

  private void insert(int from, int to) throws Exception {
    StatementClient client = loam.cluster.client();
    atOnce(
        dataset -> {
          for (int i = from; i < to; i++) {
            client.rows(statement(dataset, i));
          }
        });
  }

  private void requireRecords(int statements) throws InterruptedException {
    for (int i = 0; i < DATASETS; i++) {
      assertThat(
              loam.rows(
                  "USE shop; SELECT VALUE COUNT(*) FROM d"
                      + i
                      + "; SELECT VALUE COUNT(*) FROM d"
                      + i
                      + " d WHERE d.city = '3';"))
          .as("dataset %d", i)
          .hasToString("[" + statements * RECORDS + ", " + statements * RECORDS / 10 + "]");
    }
  }

  private void kill() throws InterruptedException {
    for (Node node : Node.CONTROLLERS) {
      loam.cluster.kill(node);
    }
  }

  /** For nodes that are started from now on. */
  private void setWriteMemory(String size) throws IOException {
    Path file = loam.files.configuration();
    String settings = "loam.settings={write: {initialBytes: " + size + "}}";
    String text = Files.readString(file).replaceAll("(?m)^loam\\..*\n", "");
    Files.writeString(file, text.replaceFirst("\\[nc]", "[nc]\nloam.memory=96MiB\n" + settings));
  }

  private void requireFlushes() throws InterruptedException {
    for (Node node : Node.CONTROLLERS) {
      JsonNode work = loam.cluster.loamStatistics(node).orElseThrow().path("work");
      assertThat(work.path("flushes").intValue()).as(node.id()).isGreaterThan(5);
    }
  }

  /** With flushes in the log, which a recovery makes again. */
  private void requireRecovery() throws Exception {
    setWriteMemory("32MiB");
    loam.start();
    insert(0, STATEMENTS);
    for (int i = 0; i < DATASETS; i += 2) {
      loam.rows("USE shop; COMPACT DATASET d" + i + ";");
    }
    insert(STATEMENTS, 2 * STATEMENTS);
    kill();
    setWriteMemory("1MiB");
    loam.start();
    requireRecords(2 * STATEMENTS);
    requireFlushes();
    kill();
    loam.start();
    requireRecords(2 * STATEMENTS);
    insert(2 * STATEMENTS, 2 * STATEMENTS + 1);
    requireRecords(2 * STATEMENTS + 1);
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void moreIsRedoneThanWriteMemoryHas() throws Exception {
    loam.start();
    create();
    kill();
    requireRecovery();
  }

  /** Nodes on Loam with AsterixDB's own cluster controller. */
  private void startWithStockController() throws Exception {
    loam.start(
        text ->
            text.replace(
                    Storage.LOAM.controllerApplication(), Storage.STOCK.controllerApplication())
                .replaceAll("(?m)^loam\\..*\n", ""));
    create();
  }

  private boolean isSharingIdentifiers() throws InterruptedException {
    List<JsonNode> ids =
        loam.rows(
            "SELECT VALUE d.DatasetId FROM Metadata.`Dataset` d WHERE d.DataverseName='shop';");
    return Set.copyOf(ids).size() < ids.size();
  }

  /** AsterixDB's own cluster controller nearly always gives the first datasets one identifier. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void datasetsWithOneIdentifierAreNamedAndRecovered() throws Exception {
    startWithStockController();
    for (int i = 0; !isSharingIdentifiers(); i++) {
      loam.close();
      loam = new TestCluster(directory.resolve("again" + i));
      startWithStockController();
    }
    kill();
    requireRecovery();
    for (Node node : Node.CONTROLLERS) {
      assertThat(Files.readString(loam.files.output(node)))
          .containsPattern(
              "WARNING: datasets shop\\.d\\d and shop\\..* have one identifier, 10\\d");
    }
  }
}
