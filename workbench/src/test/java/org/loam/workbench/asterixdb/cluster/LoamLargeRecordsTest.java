package org.loam.workbench.asterixdb.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records of many megabytes, and keys that are too long, on nodes that give Loam 128 MiB. The heap
 * is larger than in other tests, since AsterixDB has several copies of a record on its way.
 */
@Tag("soak")
class LoamLargeRecordsTest {
  private static final long HEAP_BYTES = 3L << 30;
  private static final int MB = 1_000_000;

  @TempDir Path directory;

  private TestCluster loam;

  /** Characters of the texts in the dataset, by key. */
  private final Map<Integer, Integer> sizes = new TreeMap<>();

  @BeforeEach
  void start() throws Exception {
    loam =
        new TestCluster(directory.resolve("cluster"), FreePorts.settings(Storage.LOAM, HEAP_BYTES));
    loam.start(LoamLargeRecordsTest::withMemory);
    loam.rows(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE PageType AS {id: bigint, kind: string};"
            + " CREATE DATASET pages(PageType) PRIMARY KEY id;"
            + " CREATE INDEX byKind ON pages(kind);"
            + " CREATE TYPE SeedType AS {id: bigint, size: bigint};"
            + " CREATE DATASET seeds(SeedType) PRIMARY KEY id;");
  }

  private static String withMemory(String configuration) {
    return configuration
        .replaceAll("(?m)^loam.memory=.*", "loam.memory=128MiB")
        // LOAD sorts.
        .replaceAll("(?m)^compiler.sortmemory=.*", "compiler.sortmemory=128MB");
  }

  @AfterEach
  void end() throws InterruptedException {
    loam.close();
  }

  /**
   * A record whose text consists of its key. A node makes it of a seed: the cluster controller's
   * heap has no room for large statements.
   */
  private void write(String verb, int id, int size) throws InterruptedException {
    loam.rows(insert(verb, id, size));
    sizes.put(id, size);
  }

  private static String insert(String verb, int id, int size) {
    return "USE shop; UPSERT INTO seeds ({'id': %d, 'size': %d});".formatted(id, size)
        + " %s INTO pages (SELECT s.id, 'k' || TO_STRING(s.id %% 2) AS kind,".formatted(verb)
        + " REPEAT(TO_STRING(s.id % 10), s.size) AS text"
        + " FROM seeds s WHERE s.id = %d);".formatted(id);
  }

  /** Clients whose records have no room in memory together. */
  private void writeAtOnce(int firstId, int clients, int size) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int id = firstId + i;
        running.add(
            threads.submit(
                () -> {
                  loam.rows(insert("INSERT", id, size));
                  return null;
                }));
        sizes.put(id, size);
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static String json(int id, int size) {
    return "{\"id\":%d,\"kind\":\"k%d\",\"text\":\"%s\"}"
        .formatted(id, id % 2, Integer.toString(id % 10).repeat(size));
  }

  private void requireRecords() throws InterruptedException {
    String all =
        "SELECT VALUE TO_STRING(p.id) || ' ' || TO_STRING(LENGTH(p.text)) || ' ' || p.kind"
            + " FROM pages p WHERE p.text = REPEAT(TO_STRING(p.id % 10), LENGTH(p.text))";
    List<String> expected =
        sizes.entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue() + " k" + e.getKey() % 2)
            .toList();
    assertThat(texts(all + " ORDER BY p.id;")).isEqualTo(expected);
    for (String kind : List.of("k0", "k1")) {
      assertThat(texts(all + " AND p.kind = '" + kind + "' ORDER BY p.id;"))
          .isEqualTo(expected.stream().filter(row -> row.endsWith(kind)).toList());
    }
  }

  private List<String> texts(String query) throws InterruptedException {
    return loam.rows("USE shop; " + query).stream().map(JsonNode::asText).toList();
  }

  private void load(int id, int size) throws Exception {
    Path file = Files.writeString(directory.resolve("loaded.json"), json(id, size) + "\n");
    loam.rows(
        "USE shop; CREATE DATASET loaded(PageType) PRIMARY KEY id; LOAD DATASET loaded USING"
            + " localfs (('path'='127.0.0.1://%s'),('format'='json'));".formatted(file)
            + " UPSERT INTO pages (SELECT VALUE l FROM loaded l);");
    sizes.put(id, size);
  }

  private void feed(Map<Integer, Integer> records) throws Exception {
    int port = FreePorts.settings(Storage.LOAM).port();
    loam.rows(
        "USE shop; CREATE FEED lines WITH {'adapter-name': 'socket_adapter', 'address-type': 'nc',"
            + " 'sockets': 'nc1:%d', 'type-name': 'PageType', 'format': 'json'};".formatted(port)
            + " CONNECT FEED lines TO DATASET pages; START FEED lines;");
    try (Socket socket = FeedSocket.connect(port)) {
      OutputStream out = socket.getOutputStream();
      for (Map.Entry<Integer, Integer> record : records.entrySet()) {
        out.write((json(record.getKey(), record.getValue()) + "\n").getBytes(UTF_8));
      }
    }
    sizes.putAll(records);
    int arrived = 0;
    while (arrived < sizes.size()) {
      arrived = texts("SELECT VALUE p.id FROM pages p;").size();
    }
    loam.rows("USE shop; STOP FEED lines;");
  }

  private void killAndRestart() throws InterruptedException {
    for (Node node : Node.CONTROLLERS) {
      loam.cluster.kill(node);
    }
    loam.start();
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void recordsOfManyMegabytes() throws Exception {
    int id = 0;
    for (int size : new int[] {5 * MB, 9 * MB, 20 * MB, 30 * MB, 60 * MB}) {
      write("INSERT", ++id, size);
    }
    requireRecords();
    killAndRestart();
    requireRecords();
    load(++id, 20 * MB);
    feed(Map.of(++id, 9 * MB, ++id, 30 * MB, ++id, 9 * MB));
    requireRecords();
    assertThat(loam.cluster.client().flush("shop", "pages")).isTrue();
    // Both versions are large, and one of them is only in the log.
    write("UPSERT", 2, 20 * MB);
    write("UPSERT", 4, 9 * MB);
    loam.rows("USE shop; DELETE FROM pages p WHERE p.id = 5;");
    sizes.remove(5);
    requireRecords();
    killAndRestart();
    requireRecords();
    loam.rows("USE shop; COMPACT DATASET pages;");
    requireRecords();

    // Of three, two are in one partition.
    writeAtOnce(++id, 3, 55 * MB);
    requireRecords();

    StatementException refused =
        catchThrowableOfType(StatementException.class, () -> write("UPSERT", 1, 150 * MB));
    assertThat(refused.code()).isEqualTo("HYR0043");
    assertThat(refused)
        .hasMessageContaining("Index entry size (1500000")
        .hasMessageContaining("a larger loam.memory takes larger records");
    requireRecords();
    loam.cluster.stop();
    loam.start(LoamLargeRecordsTest::withMemory);
    requireRecords();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void keysThatAreTooLongAreRefusedWithOneError() throws Exception {
    loam.rows(
        "USE shop; CREATE TYPE NameType AS {name: string};"
            + " CREATE DATASET names(NameType) PRIMARY KEY name;"
            + " CREATE INDEX byNick ON names(nick: string?);");
    requireTooLong("INSERT INTO names ({'name': REPEAT('n', 5000)});");
    requireTooLong("UPSERT INTO names ({'name': 'a', 'nick': REPEAT('n', 5000)});");
    requireTooLong("UPSERT INTO names ({'name': REPEAT('n', 3000), 'nick': REPEAT('n', 3000)});");
    assertThat(texts("SELECT VALUE n.name FROM names n;")).isEmpty();
    assertThat(texts("SELECT VALUE n.name FROM names n WHERE n.nick > 'a';")).isEmpty();

    loam.rows(
        "USE shop; UPSERT INTO names ([{'name': REPEAT('n', 4000)}, {'name': 'a', 'nick': 'b'},"
            + " {'name': 'c', 'note': REPEAT('n', 5000)}, {'name': 'd', 'note': 'e'}]);");
    requireTooLong("CREATE INDEX byNote ON names(note: string?);");
    assertThat(
            texts("SELECT VALUE i.IndexName FROM Metadata.`Index` i WHERE i.IndexName='byNote';"))
        .isEmpty();
    assertThat(texts("SELECT VALUE n.name FROM names n WHERE n.note = 'e';")).containsExactly("d");
    killAndRestart();
    loam.rows(
        "USE shop; DELETE FROM names n WHERE n.name = 'c';"
            + " CREATE INDEX byNote ON names(note: string?);");
    assertThat(texts("SELECT VALUE n.name FROM names n WHERE n.note = 'e';")).containsExactly("d");
    requireFoundByLongKeys();
    requireRecordsWithoutEntriesAfterLoad();
  }

  /** LOAD fills indexes after the records, on stock storage, too. */
  private void requireRecordsWithoutEntriesAfterLoad() throws Exception {
    Path file = directory.resolve("nicks.json");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      lines.append("{\"name\": \"%d\", \"nick\": \"b\"}\n".formatted(i));
    }
    lines.append("{\"name\": \"c\", \"nick\": \"%s\"}\n".formatted("n".repeat(5000)));
    Files.writeString(file, lines);
    loam.rows(
        "USE shop; CREATE DATASET nicks(NameType) PRIMARY KEY name;"
            + " CREATE INDEX byLoadedNick ON nicks(nick: string?);");
    String load =
        "USE shop; LOAD DATASET nicks USING localfs (('path'='127.0.0.1://%s'),('format'='json'));";
    assertThatThrownBy(() -> loam.rows(load.formatted(file)))
        .hasMessageContaining("HYR0043")
        .hasMessageContaining("records without index entries: drop and create the dataset");
    assertThat(texts("SELECT VALUE n.name FROM nicks n;")).hasSize(101);
    // In the partition of the long key the index is empty.
    assertThat(texts("SELECT VALUE n.name FROM nicks n WHERE n.nick = 'b';")).hasSizeLessThan(100);
  }

  /** No record has a longer key; queries must not fail. */
  private void requireFoundByLongKeys() throws InterruptedException {
    String lengths = "SELECT VALUE LENGTH(n.name) FROM names n ";
    assertThat(texts(lengths + "ORDER BY n.name;")).containsExactly("1", "1", "4000");
    String longer = "REPEAT('n', 5000)";
    assertThat(texts(lengths + "WHERE n.name = " + longer + ";")).isEmpty();
    assertThat(texts(lengths + "WHERE n.name > 'b' AND n.name < " + longer + " ORDER BY n.name;"))
        .containsExactly("1", "4000");
    assertThat(texts(lengths + "WHERE n.name > " + longer + ";")).isEmpty();
    assertThat(texts(lengths + "WHERE n.note >= " + longer + ";")).isEmpty();
    assertThat(texts("SELECT VALUE n.name FROM names n WHERE n.note < " + longer + ";"))
        .containsExactly("d");
  }

  private void requireTooLong(String statement) {
    assertThatThrownBy(() -> loam.rows("USE shop; " + statement))
        .isInstanceOfSatisfying(
            StatementException.class, e -> assertThat(e.code()).isEqualTo("HYR0043"))
        .hasMessageMatching(
            ".*Index entry size \\([56]0\\d\\d bytes of key\\) larger than maximum acceptable entry"
                + " size \\(4096 bytes of key; .*");
  }
}
