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
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that write and read the same few records of AsterixDB on Loam, with two partitions on
 * each node: nothing is refused but the insert of a key that is there, every answer shows whole
 * records, and a scan of all shows each once, those that no client deletes among them. At the end
 * each index has an entry for each record, and no other but those that AsterixDB itself leaves.
 *
 * <p>AsterixDB leaves an entry behind where a DELETE meets another writer of its key. It reads a
 * record under a lock that it does not keep ({@code PrimaryIndexInstantSearchOperationCallback}),
 * locks the key later ({@code PrimaryIndexModificationOperationCallback}), and then deletes the
 * entries of what it has read ({@code LSMInsertDeleteOperatorNodePushable}). Entries of a version
 * that was written in between stay in the indexes.
 */
@Tag("soak")
class LoamContentionTest {
  private static final int WRITERS = 6;

  /** All clients write the first keys, and none deletes them. */
  private static final int LASTING = 40;

  /** Each client has as many keys that no other writes. */
  private static final int OWN = 10;

  /** All clients write and delete the keys from here on. */
  private static final int CONTENDED = LASTING + WRITERS * OWN;

  private static final int KEYS = 200;

  private static final int OWNERS = 10;
  private static final int READERS = 3;
  private static final int STATEMENTS_PER_WRITER = 250;
  private static final int MOST_RECORDS = 15;
  private static final long SEED = 20_26_11_23;

  /** Of the last records: no other has these. */
  private static final int LAST_OWNER = OWNERS;

  private static final int LAST_VERSION = 1_000_000;

  /** What AsterixDB calls the insert of a key that is there. */
  private static final String DUPLICATE_KEY = "HYR0033";

  /** Stays after a failure: it has the logs of the nodes. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

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
        Writer writer = new Writer(client, LASTING + i * OWN, random.split());
        clients.add(() -> writeAll(writer));
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
      client.rows(lastRecords());
      checkIndexes(client);
      for (Node node : Node.CONTROLLERS) {
        assertThat(test.cluster.loamStatistics(node).orElseThrow().path("trees").toString())
            .contains("/shop/things/0/things\"", "/shop/things/0/byOwner\"")
            .contains("/shop/things/0/byVersion\"", "/shop/things/0/keys\"");
      }
      tally.forEach((kind, count) -> assertThat(count.get()).as(kind).isPositive());
    }
  }

  private Void writeAll(Writer writer) throws InterruptedException {
    try {
      for (int i = 0; i < STATEMENTS_PER_WRITER; i++) {
        writer.writeOne();
      }
    } finally {
      writing.decrementAndGet();
    }
    return null;
  }

  private record Area(int from, int to, boolean deletes) {}

  private final class Writer {
    private final StatementClient client;
    private final List<Area> areas;
    private final SplittableRandom random;

    /**
     * @param own the first of the keys that no other client writes
     */
    Writer(StatementClient client, int own, SplittableRandom random) {
      this.client = client;
      this.areas =
          List.of(
              new Area(0, LASTING, false),
              new Area(own, own + OWN, true),
              new Area(CONTENDED, KEYS, true));
      this.random = random;
    }

    void writeOne() throws InterruptedException {
      Area area = areas.get(random.nextInt(areas.size()));
      int from = random.nextInt(area.from, area.to);
      int to = Math.min(area.to, from + 1 + random.nextInt(MOST_RECORDS));
      int dice = random.nextInt(100);
      if (dice < 30) {
        insert(from);
      } else if (dice < 55) {
        run("upsert", write("UPSERT", LongStream.range(from, to).toArray(), random));
      } else if (dice < 70 || !area.deletes) {
        run(
            "copy",
            "UPSERT INTO shop.things (SELECT t.id, t.owner, t.version + 1 AS version,"
                + (" t.sum + 1 AS sum FROM shop.things t WHERE t.id >= " + from)
                + (" AND t.id < " + to + ");"));
      } else {
        String condition = dice < 85 ? "t.id = " + from : "t.id >= " + from + " AND t.id < " + to;
        run("delete", "DELETE FROM shop.things t WHERE " + condition + ";");
      }
    }

    private void insert(long key) throws InterruptedException {
      try {
        run("insert", write("INSERT", new long[] {key}, random));
      } catch (StatementException e) {
        if (!e.code().equals(DUPLICATE_KEY)) {
          throw e;
        }
        count("refused");
      }
    }

    private void run(String kind, String statement) throws InterruptedException {
      client.rows(statement);
      count(kind);
    }
  }

  private void count(String kind) {
    tally.get(kind).incrementAndGet();
  }

  private static String write(String verb, long[] keys, SplittableRandom random) {
    List<String> records = new ArrayList<>();
    for (long id : keys) {
      records.add(record(id, random.nextInt(OWNERS), random.nextInt(1000)));
    }
    return statement(verb, records);
  }

  /** Writes each key anew, so that a record shows each entry that its key has in an index. */
  private static String lastRecords() {
    return statement(
        "UPSERT",
        LongStream.range(0, KEYS).mapToObj(id -> record(id, LAST_OWNER, LAST_VERSION)).toList());
  }

  private static String statement(String verb, List<String> records) {
    return verb + " INTO shop.things ([" + String.join(",", records) + "]);";
  }

  private static String record(long id, int owner, int version) {
    return String.format(
        Locale.ROOT,
        "{\"id\":%d,\"owner\":%d,\"version\":%d,\"sum\":%d}",
        id,
        owner,
        version,
        owner + version);
  }

  private Void readAll(StatementClient client, SplittableRandom random)
      throws InterruptedException {
    while (writing.get() > 0) {
      int owner = random.nextInt(OWNERS);
      int version = random.nextInt(1000);
      Map<Long, JsonNode> all = records(client, "true");
      assertThat(all.keySet())
          .as("of those that no client deletes")
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

  /** Each index has an entry for each record. Only of contended keys it may have others. */
  private static void checkIndexes(StatementClient client) throws InterruptedException {
    Map<Long, JsonNode> all = records(client, "true");
    for (String condition : List.of("t.owner >= 0", "t.version >= 0")) {
      Map<Long, JsonNode> found = new HashMap<>();
      for (JsonNode record : rows(client, condition)) {
        long key = record.path("id").asLong();
        assertThat(found.put(key, record) == null || key >= CONTENDED)
            .as("%s: once, or of a contended key: %s", condition, record)
            .isTrue();
      }
      assertThat(found).as(condition).isEqualTo(all);
    }
    assertThat(size(client)).isEqualTo(all.size());
  }
}
