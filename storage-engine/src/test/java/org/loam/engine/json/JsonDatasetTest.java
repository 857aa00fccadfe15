package org.loam.engine.json;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.ClosedException;
import org.loam.common.key.Direction;
import org.loam.common.sim.Simulation;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Engine;
import org.loam.engine.IndexQuery;
import org.loam.engine.ScanOptions;
import org.loam.lsm.dataset.IndexDefinition;

/** Datasets of JSON records. */
class JsonDatasetTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final JsonIndex BY_CITY = JsonIndex.of("city", "address.city");
  private static final JsonIndex BY_ARTICLE = JsonIndex.of("article", "lines[].article");

  private static final JsonIndex BY_CITY_AND_AMOUNT =
      new JsonIndex(
          "city and amount",
          List.of(JsonPath.parse("address.city"), JsonPath.parse("amount")),
          List.of(Direction.ASCENDING, Direction.DESCENDING));

  private interface Body {
    void run(Engine engine, JsonDataset orders);
  }

  private static Engine open(Simulation sim) {
    EngineConfig config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .pageBytes(4096)
            .writeInitialBytes(1 << 20)
            .logSegmentBytes(256 << 10)
            .logMaxBytes(1 << 20)
            .build();
    return Engine.open(sim.env(), sim.directory(), config);
  }

  private static void inOrders(Body body) {
    try (Simulation sim = Simulation.seeded(8)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              body.run(
                  engine,
                  JsonDataset.create(
                      engine,
                      "orders",
                      List.of("id"),
                      List.of(BY_CITY, BY_ARTICLE, BY_CITY_AND_AMOUNT)));
            }
          });
    }
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }

  private static byte[] key(JsonNode... values) {
    return JsonDataset.key(List.of(Direction.ASCENDING, Direction.DESCENDING), List.of(values));
  }

  private static List<Integer> ids(JsonDataset orders, String index, IndexQuery query) {
    return ids(orders.query(index, query));
  }

  private static List<Integer> ids(JsonCursor found) {
    List<Integer> ids = new ArrayList<>();
    try (JsonCursor cursor = found) {
      while (cursor.next()) {
        ids.add(cursor.record().path("id").intValue());
      }
    }
    return ids;
  }

  private static void refused(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  private static void fill(JsonDataset orders) {
    List.of(
            "{'id':1,'address':{'city':'Oslo'},'amount':12,'lines':[{'article':'nail'}]}",
            "{'id':2,'address':{'city':'Oslo'},'amount':12.5,'lines':[]}",
            "{'id':3,'address':{'city':null},'amount':9}",
            "{'id':4,'address':'unknown'}",
            "{'id':5,'address':{'city':'Zürich'},"
                + "'lines':[{'article':'nail'},{'x':1},{'article':'nut'}]}")
        .forEach(record -> orders.upsert(json(record)));
  }

  @Test
  void keysAreFoundWithoutTheirRecords() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          assertThat(keys(orders, "article", IndexQuery.all()))
              .containsExactly(
                  "{'id':5}",
                  "{'lines[].article':'nail','id':1}",
                  "{'lines[].article':'nail','id':5}",
                  "{'lines[].article':'nut','id':5}");
          orders.upsert(json("{'id':6.0,'address':{'city':true},'amount':-1e300}"));
          orders.upsert(json("{'id':7.25,'address':{'city':true},'amount':1.0}"));
          assertThat(keys(orders, "city and amount", IndexQuery.all()))
              .containsExactly(
                  "{'id':4}",
                  "{'address.city':null,'amount':9,'id':3}",
                  "{'address.city':true,'amount':1,'id':7.25}",
                  "{'address.city':true,'amount':-1.0E300,'id':6}",
                  "{'address.city':'Oslo','amount':12.5,'id':2}",
                  "{'address.city':'Oslo','amount':12,'id':1}",
                  "{'address.city':'Zürich','id':5}");
          assertThat(keys(orders, "city", IndexQuery.equal(key(JSON.textNode("Oslo"))).reverse()))
              .containsExactly("{'address.city':'Oslo','id':2}", "{'address.city':'Oslo','id':1}");
          try (JsonKeyCursor entries = orders.queryKeys("city", IndexQuery.all())) {
            assertThat(entries.next()).isTrue();
            assertThat(orders.get(entries.key())).isNotNull();
          }
          refused(() -> orders.queryKeys("citi", IndexQuery.all()), "no index 'citi'", "'city'");
          assertThat(engine.statistics().datasets().get(0).recordsFetched()).isZero();
        });
  }

  private static List<String> keys(JsonDataset orders, String index, IndexQuery query) {
    List<String> keys = new ArrayList<>();
    try (JsonKeyCursor entries = orders.queryKeys(index, query)) {
      while (entries.next()) {
        keys.add(entries.values().toString().replace('"', '\''));
      }
    }
    return keys;
  }

  @Test
  void fieldsAreFoundByTheirPaths() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          assertThat(ids(orders, "city", IndexQuery.equal(key(JSON.textNode("Oslo")))))
              .containsExactly(1, 2);
          assertThat(ids(orders, "city", IndexQuery.equal(key(JSON.nullNode()))))
              .containsExactly(3);
          assertThat(ids(orders, "city", IndexQuery.equal(key(MissingNode.getInstance()))))
              .containsExactly(4);
          assertThat(ids(orders, "city", IndexQuery.all())).containsExactly(4, 3, 1, 2, 5);
          assertThat(ids(orders, "article", IndexQuery.equal(key(JSON.textNode("nail")))))
              .containsExactly(1, 5);
          assertThat(ids(orders, "article", IndexQuery.equal(key(MissingNode.getInstance()))))
              .as("a line without article")
              .containsExactly(5);
          assertThat(ids(orders, "city and amount", IndexQuery.equal(key(JSON.textNode("Oslo")))))
              .as("amount descending")
              .containsExactly(2, 1);
          assertThat(
                  ids(
                      orders,
                      "city and amount",
                      IndexQuery.equal(key(JSON.textNode("Oslo"), JSON.numberNode(12.0)))))
              .as("12.0 is 12")
              .containsExactly(1);
        });
  }

  @Test
  void recordsAreFoundByTheirKeysAndMayChange() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          assertThat(orders.get(key(JSON.numberNode(3))).path("amount").intValue()).isEqualTo(9);
          assertThat(orders.get(key(JSON.numberNode(99)))).isNull();
          assertThat(orders.insert(json("{'id':3}"))).isFalse();
          assertThat(orders.insert(json("{'id':'3'}"))).as("a text is another key").isTrue();
          orders.upsert(json("{'id':1,'address':{'city':'Bergen'}}"));
          assertThat(ids(orders, "city", IndexQuery.equal(key(JSON.textNode("Oslo")))))
              .containsExactly(2);
          assertThat(ids(orders, "article", IndexQuery.equal(key(JSON.textNode("nail")))))
              .containsExactly(5);
          DatasetBatch batch = new DatasetBatch();
          orders.addTo(batch, json("{'id':2,'address':{'city':'Bergen'}}"));
          batch.delete(orders.dataset(), key(JSON.numberNode(5)));
          assertThat(engine.datasets().write(batch))
              .as("2 changes its city and with it the composite key, 5 loses 1 and 1 and 3 entries")
              .isEqualTo(2 + 2 + 5);
          assertThat(ids(orders, "city", IndexQuery.equal(key(JSON.textNode("Bergen")))))
              .containsExactly(1, 2);
          assertThat(ids(orders, "article", IndexQuery.all())).isEmpty();
        });
  }

  @Test
  void recordsAreWalkedByTheirKeysAndByAnIndex() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          assertThat(orders.name()).isEqualTo("orders");
          assertThat(ids(orders.scan(ScanOptions.all()))).containsExactly(1, 2, 3, 4, 5);
          assertThat(ids(orders.scan(ScanOptions.all().from(key(JSON.numberNode(4))).reverse())))
              .containsExactly(5, 4);
          orders.delete(key(JSON.numberNode(2)));
          orders.delete(key(JSON.numberNode(99)));
          assertThat(ids(orders.scan(ScanOptions.all().limit(3)))).containsExactly(1, 3, 4);
          assertThat(ids(orders, "city", IndexQuery.equal(key(JSON.textNode("Oslo")))))
              .containsExactly(1);
          orders.upsert(json("{'id' : 1.50}"));
          byte[] key = key(JSON.numberNode(1.5));
          JsonCursor cursor = orders.query("city", IndexQuery.all());
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.key()).isEqualTo(key);
          assertThat(cursor.json()).as("as it was written").isEqualTo(json("{'id' : 1.50}"));
          assertThat(cursor.record().path("id").doubleValue()).isEqualTo(1.5);
          cursor.close();
          cursor.close();
          assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
          refused(() -> orders.query("town", IndexQuery.all()), "no index 'town'");
          orders.dropIndex("city");
          refused(() -> orders.query("city", IndexQuery.all()), "no index 'city'");
          refused(() -> orders.dropIndex("city"), "no index 'city'");
        });
  }

  @Test
  void eachElementHasAnEntryBesideAnotherPath() {
    JsonIndex index =
        new JsonIndex(
            "sold",
            List.of(JsonPath.parse("city"), JsonPath.parse("lines[].article")),
            List.of(Direction.ASCENDING, Direction.DESCENDING));
    inOrders(
        (engine, orders) -> {
          JsonDataset sales = JsonDataset.create(engine, "sales", List.of("id"), List.of(index));
          sales.upsert(
              json(
                  "{'id':1,'city':'Oslo','lines':"
                      + "[{'article':'nail'},{'article':'nut'},{'article':'nail'},{}]}"));
          sales.upsert(json("{'id':2,'city':'Oslo','lines':[{'article':'nut'}]}"));
          sales.upsert(json("{'id':3,'lines':[{'article':'nail'}]}"));
          sales.upsert(json("{'id':4,'city':'Oslo','lines':[]}"));
          IndexQuery oslo = IndexQuery.equal(key(JSON.textNode("Oslo")));
          assertThat(ids(sales, "sold", oslo))
              .as("articles descending: nut, nut, nail once, none")
              .containsExactly(1, 2, 1, 1);
          assertThat(ids(sales, "sold", oslo.reverse())).containsExactly(1, 1, 2, 1);
          IndexQuery nails = IndexQuery.equal(key(JSON.textNode("Oslo"), JSON.textNode("nail")));
          assertThat(ids(sales, "sold", nails)).containsExactly(1);
          assertThat(ids(sales, "sold", IndexQuery.all())).containsExactly(3, 1, 2, 1, 1);
          assertThat(engine.verify().indexEntries()).isEqualTo(5);

          sales.upsert(json("{'id':1,'city':'Bergen','lines':[{'article':'nail'}]}"));
          sales.delete(key(JSON.numberNode(2)));
          assertThat(ids(sales, "sold", oslo)).as("the other path moves all entries").isEmpty();
          assertThat(ids(sales, "sold", IndexQuery.all())).containsExactly(3, 1);
          sales.dropIndex("sold");
          sales.createIndex(index);
          assertThat(ids(sales, "sold", IndexQuery.all()))
              .as("made of the records there are")
              .containsExactly(3, 1);
          assertThat(engine.verify().isSound()).isTrue();
        });
  }

  @Test
  void itIsOpenedByItsNameAlone() {
    try (Simulation sim = Simulation.seeded(9)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              fill(
                  JsonDataset.create(
                      engine, "orders", List.of("id"), List.of(BY_CITY, BY_CITY_AND_AMOUNT)));
              engine.datasets().create("bytes", "my own", List.of());
              engine.datasets().create("some", "{ some", List.of());
            }
            try (Engine engine = open(sim)) {
              JsonDataset orders = JsonDataset.open(engine, "orders");
              assertThat(orders.keyPaths()).extracting(JsonPath::toString).containsExactly("id");
              orders.upsert(json("{'id':1,'address':{'city':'Bergen'},'amount':7}"));
              assertThat(orders.indexes().toString())
                  .isEqualTo(List.of(BY_CITY, BY_CITY_AND_AMOUNT).toString());
              assertThat(orders.index("city").toString()).isEqualTo(BY_CITY.toString());
              refused(() -> orders.index("citi"), "no index 'citi'", "'city'");
              orders.createIndex(BY_ARTICLE);
              assertThat(ids(orders, "article", IndexQuery.all())).containsExactly(5, 5, 5);
              assertThat(ids(orders, "city and amount", IndexQuery.all()))
                  .containsExactly(4, 3, 1, 2, 5);
              refused(() -> JsonDataset.open(engine, "bytes"), "'bytes'", "JSON", "my own");
              refused(() -> JsonDataset.open(engine, "some"), "'some'", "knows them as { some");
              refused(() -> JsonDataset.open(engine, "order"), "'orders'");
            }
          });
    }
  }

  @Test
  void whatIsNoRecordIsRefused() {
    inOrders(
        (engine, orders) -> {
          refused(
              () -> orders.upsert(json("{'id':1,")), "malformed JSON at byte 8: it ends too early");
          refused(() -> orders.upsert(json("{'id':1} x")), "malformed JSON");
          refused(() -> orders.upsert(json("{'id':1,'id':2}")), "malformed JSON", "id");
          refused(() -> orders.upsert(json("[1]")), "object", "an array");
          refused(() -> orders.upsert(json("")), "malformed JSON at byte 0");
          refused(() -> orders.upsert("{\"id\":1}".getBytes(UTF_16LE)), "UTF-16", "to UTF-8");
          String deep = "{'id':1,'x':" + "[".repeat(2000) + "]".repeat(2000) + "}";
          refused(() -> orders.upsert(json(deep)), "malformed JSON: Document nesting depth");
          refused(
              () -> orders.upsert(json("{'x':1}")), "nothing at 'id'", "key of dataset 'orders'");
          refused(() -> orders.upsert(json("{'id':null}")), "null at 'id'");
          refused(() -> orders.upsert(json("{'id':{}}")), "key 'id'", "an object");
          refused(
              () -> orders.upsert(json("{'id':1,'address':{'city':[]}}")),
              "index 'city'",
              "address.city",
              "an array");
          refused(
              () -> orders.upsert(json("{'id':1,'lines':'none'}")),
              "a text at 'lines[].article'",
              "must be an array");
          refused(() -> orders.upsert(json("{'id':123456789012345678901}")), "64 bits");
          refused(() -> orders.upsert(json("{'id':-1e999}")), "beyond 1.7976931348623157E308");
          assertThat(ids(orders, "city", IndexQuery.all())).isEmpty();
        });
  }

  /** Two of them would be one record, and the later one would take the place of the other. */
  @Test
  void aDecimalThatIsOnlyNearToItsDoubleIsNoKey() {
    inOrders(
        (engine, orders) -> {
          orders.upsert(json("{'id':9007199254740992}"));
          orders.upsert(json("{'id':9007199254740993}"));
          assertThat(ids(orders.scan(ScanOptions.all()))).hasSize(2);
          for (String id : List.of("9007199254740993.0", "0.1000000000000000055", "1e-400")) {
            refused(() -> orders.upsert(json("{'id':" + id + "}")), "key 'id'", "a double stands");
            refused(() -> key(JSON.numberNode(new BigDecimal(id))), "a double stands");
          }
          refused(() -> orders.upsert(json("{'id':0.30000000000000001}")), "such as 0.3");
          for (String id :
              List.of("0.1", "0.30000000000000004", "1.50e3", "4e-7", "1e23", "-0.0")) {
            orders.upsert(json("{'id':" + id + "}"));
            assertThat(orders.get(key(JSON.numberNode(new BigDecimal(id))))).isNotNull();
          }
          refused(() -> orders.upsert(json("{'id':-1e-9999999999}")), "a double stands");
          refused(() -> orders.upsert(json("{'id':1e9999999999}")), "beyond 1.79");
          orders.upsert(json("{'x':[{'id':2},1e9999999999],'id':0.25,'y':1e-9999999999}"));
          assertThat(orders.get(key(JSON.numberNode(0.25)))).isNotNull();
          orders.upsert(json("{'id':1,'address':{'city':0.1000000000000000055}}"));
          assertThat(ids(orders, "city", IndexQuery.equal(key(JSON.numberNode(0.1)))))
              .as("an index rounds, since that loses no record")
              .containsExactly(1);
        });
  }

  @Test
  void pathsAreNamesWithDots() {
    for (String wrong : List.of("", ".a", "a..b", "a.", "[]", "a[0]", "a[]b", "a]")) {
      refused(() -> JsonPath.parse(wrong), "path '" + wrong + "'");
    }
    assertThat(JsonPath.parse("a[][].b").isMultiValued()).isTrue();
    List<String> found = new ArrayList<>();
    JsonPath.parse("a[][].b")
        .forEach(
            JsonFormat.parse(json("{'a':[[{'b':1}],[],[{'b':2},{}]]}")),
            value -> found.add(value.toString()));
    assertThat(found).containsExactly("1", "2", "");
    refused(() -> JsonIndex.of("x", "a[]", "b[]"), "index 'x'", "only one");
    refused(() -> JsonIndex.of("x"), "at least one");
  }

  /** A rule is not JSON, has no paths, has more paths than parts, or has one that is no path. */
  @Test
  void anIndexOfAnotherProgramIsRefusedByItsName() {
    for (String rule : List.of("{ a rule", "{'a':1}", "{'paths':['a','b']}", "{'paths':['.']}")) {
      inOrders(
          (engine, orders) -> {
            String known = rule.replace('\'', '"');
            orders.dataset().createIndex(IndexDefinition.of("f", known, (r, k) -> {}));
            String[] words = {"index 'f' of dataset 'orders'", "its rule is " + known, "drop it"};
            refused(() -> JsonDataset.open(engine, "orders"), words);
            refused(orders::indexes, words);
            refused(() -> orders.queryKeys("f", IndexQuery.all()), words);
            orders.dropIndex("f");
            assertThat(orders.indexes()).hasSize(3);
          });
    }
  }

  @Test
  void allThatAreJsonAreOpenedForVerify() {
    try (Simulation sim = Simulation.seeded(8)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              JsonDataset orders =
                  JsonDataset.create(engine, "orders", List.of("id"), List.of(BY_ARTICLE));
              orders.upsert("{\"id\":1,\"lines\":[{\"article\":\"nail\"}]}".getBytes(UTF_8));
              IndexDefinition foreign = IndexDefinition.of("f", "{ a rule", (r, k) -> {});
              engine.datasets().create("foreign", "{ a rule", List.of(foreign));
              JsonDataset.create(engine, "mixed", List.of("id"), List.of())
                  .dataset()
                  .createIndex(foreign);
            }
            try (Engine engine = open(sim)) {
              assertThat(JsonDataset.openAll(engine))
                  .extracting(d -> d.dataset().name())
                  .containsExactly("orders");
              assertThat(engine.verify().indexEntries()).isEqualTo(1);
              assertThat(engine.verify().datasets())
                  .filteredOn(d -> d.notChecked() != null)
                  .extracting(d -> d.name())
                  .containsExactly("foreign", "mixed");
            }
          });
    }
  }
}
