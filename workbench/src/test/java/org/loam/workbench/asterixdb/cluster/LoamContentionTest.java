package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that write and read the same few records of AsterixDB on Loam, with two partitions on
 * each node: nothing is refused but the insert of a key that is there, every answer shows whole
 * records, and a scan of all shows each once, those that nobody deletes among them.
 */
@Tag("once")
@Tag("soak")
class LoamContentionTest {
  private static final int KEYS = 200;

  /** Nobody deletes the first ones. */
  private static final int LASTING = 40;

  private static final int OWNERS = 10;
  private static final int WRITERS = 6;
  private static final int READERS = 3;
  private static final int STATEMENTS_PER_WRITER = 250;
  private static final int MOST_RECORDS = 15;
  private static final long SEED = 20_26_11_23;

  /** What AsterixDB calls the insert of a key that is there. */
  private static final String DUPLICATE_KEY = "HYR0033";

  @TempDir Path directory;

  private final AtomicInteger writing = new AtomicInteger(WRITERS);

  /** Of each kind of statement or query, how many there were. */
  private final Map<String, AtomicInteger> tally = new HashMap<>();

  LoamContentionTest() {
    for (String kind : List.of("insert", "refused", "upsert", "copy", "delete", "read")) {
      tally.put(kind, new AtomicInteger());
    }
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void clientsAtTheSameRecordsLeaveThemWhole() throws Exception {
    try (TestCluster test = new TestCluster(directory)) {
      test.cluster.start(test.settings.withDevices(2));
      StatementClient client = test.cluster.client();
      client.rows(
          "CREATE DATAVERSE shop; USE shop;"
              + " CREATE TYPE Thing AS {id: bigint, owner: bigint, version: bigint, sum: bigint};"
              + " CREATE DATASET things(Thing) PRIMARY KEY id;"
              + " CREATE INDEX byOwner ON things(owner); CREATE INDEX byVersion ON things(version);"
              + " CREATE PRIMARY INDEX keys ON things;");
      SplittableRandom random = new SplittableRandom(SEED);
      client.rows(write("UPSERT", LongStream.range(0, KEYS).toArray(), random));

      List<Callable<Void>> clients = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        SplittableRandom own = random.split();
        clients.add(() -> writeAll(client, own));
      }
      for (int i = 0; i < READERS; i++) {
        SplittableRandom own = random.split();
        clients.add(() -> readAll(client, own));
      }
      ExecutorService threads = Executors.newFixedThreadPool(clients.size());
      try {
        for (Future<Void> each : threads.invokeAll(clients)) {
          each.get();
        }
      } finally {
        threads.shutdownNow();
      }
      checkIndexes(client);
      for (Node node : Node.CONTROLLERS) {
        assertThat(test.cluster.loamStatistics(node).orElseThrow().path("trees").toString())
            .contains("/shop/things/0/things\"", "/shop/things/0/byOwner\"")
            .contains("/shop/things/0/byVersion\"", "/shop/things/0/keys\"");
      }
      tally.forEach((kind, count) -> assertThat(count.get()).as(kind).isPositive());
    }
  }

  private Void writeAll(StatementClient client, SplittableRandom random)
      throws InterruptedException {
    try {
      for (int i = 0; i < STATEMENTS_PER_WRITER; i++) {
        writeOne(client, random);
      }
    } finally {
      writing.decrementAndGet();
    }
    return null;
  }

  private void writeOne(StatementClient client, SplittableRandom random)
      throws InterruptedException {
    int dice = random.nextInt(100);
    int from = random.nextInt(KEYS);
    int to = Math.min(KEYS, from + 1 + random.nextInt(MOST_RECORDS));
    if (dice < 30) {
      insert(client, random);
    } else if (dice < 55) {
      run(client, "upsert", write("UPSERT", LongStream.range(from, to).toArray(), random));
    } else if (dice < 70) {
      run(
          client,
          "copy",
          "UPSERT INTO shop.things (SELECT t.id, t.owner, t.version + 1 AS version,"
              + (" t.sum + 1 AS sum FROM shop.things t WHERE t.id >= " + from)
              + (" AND t.id < " + to + ");"));
    } else {
      int key = LASTING + random.nextInt(KEYS - LASTING);
      String condition =
          dice < 85 ? "t.id = " + key : "t.id >= " + key + " AND t.id < " + (key + to - from);
      run(client, "delete", "DELETE FROM shop.things t WHERE " + condition + ";");
    }
  }

  private void insert(StatementClient client, SplittableRandom random) throws InterruptedException {
    try {
      run(client, "insert", write("INSERT", new long[] {random.nextInt(KEYS)}, random));
    } catch (StatementException e) {
      if (!e.code().equals(DUPLICATE_KEY)) {
        throw e;
      }
      count("refused");
    }
  }

  private void run(StatementClient client, String kind, String statement)
      throws InterruptedException {
    client.rows(statement);
    count(kind);
  }

  private void count(String kind) {
    tally.get(kind).incrementAndGet();
  }

  private static String write(String verb, long[] keys, SplittableRandom random) {
    List<String> records = new ArrayList<>();
    for (long id : keys) {
      int owner = random.nextInt(OWNERS);
      int version = random.nextInt(1000);
      records.add(
          String.format(
              Locale.ROOT,
              "{\"id\":%d,\"owner\":%d,\"version\":%d,\"sum\":%d}",
              id,
              owner,
              version,
              owner + version));
    }
    return verb + " INTO shop.things ([" + String.join(",", records) + "]);";
  }

  private Void readAll(StatementClient client, SplittableRandom random)
      throws InterruptedException {
    while (writing.get() > 0) {
      int owner = random.nextInt(OWNERS);
      int version = random.nextInt(1000);
      Map<Long, JsonNode> all = records(client, "true");
      assertThat(all.keySet())
          .as("of those that nobody deletes")
          .containsAll(LongStream.range(0, LASTING).boxed().toList());
      assertThat(records(client, "t.owner = " + owner).values())
          .allMatch(record -> record.path("owner").asInt() == owner);
      // One whose version grows meanwhile may be met twice: AsterixDB locks records, not ranges.
      assertThat(rows(client, "t.version < " + version))
          .allMatch(record -> record.path("version").asInt() < version);
      assertThat(size(client)).isBetween(LASTING, KEYS);
      count("read");
    }
    return null;
  }

  /** Records by key, each of which the answer shows once. */
  private static Map<Long, JsonNode> records(StatementClient client, String condition)
      throws InterruptedException {
    Map<Long, JsonNode> records = new HashMap<>();
    for (JsonNode record : rows(client, condition)) {
      assertThat(records.put(record.path("id").asLong(), record)).as("twice: %s", record).isNull();
    }
    return records;
  }

  /** Whole records. */
  private static List<JsonNode> rows(StatementClient client, String condition)
      throws InterruptedException {
    List<JsonNode> rows = client.rows("SELECT VALUE t FROM shop.things t WHERE " + condition + ";");
    for (JsonNode record : rows) {
      assertThat(record.path("sum").asInt(-1))
          .as("%s", record)
          .isEqualTo(record.path("owner").asInt() + record.path("version").asInt());
    }
    return rows;
  }

  /** How many there are: the index of keys knows. */
  private static int size(StatementClient client) throws InterruptedException {
    return client.rows("SELECT VALUE COUNT(*) FROM shop.things;").get(0).intValue();
  }

  /** Each index has an entry for each record, and no other. */
  private static void checkIndexes(StatementClient client) throws InterruptedException {
    Map<Long, JsonNode> all = records(client, "true");
    Map<Long, JsonNode> byOwner = new HashMap<>();
    for (int owner = 0; owner < OWNERS; owner++) {
      byOwner.putAll(records(client, "t.owner = " + owner));
    }
    assertThat(byOwner).isEqualTo(all);
    assertThat(records(client, "t.version >= 0")).isEqualTo(all);
    assertThat(size(client)).isEqualTo(all.size());
  }
}
