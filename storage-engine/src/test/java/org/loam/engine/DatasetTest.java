package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.BY_AMOUNT;
import static org.loam.engine.Orders.BY_COUNTRY;
import static org.loam.engine.Orders.BY_LABEL;
import static org.loam.engine.Orders.INDEXES;
import static org.loam.engine.Orders.NAME;
import static org.loam.engine.Orders.RULE;
import static org.loam.engine.Orders.bytes;
import static org.loam.engine.Orders.found;
import static org.loam.engine.Orders.key;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageIoException;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.common.key.KeyReader;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.DatasetStatistics;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.version.LiveTable;

/** Datasets: what a write does to indexes, what queries show, what is refused. */
class DatasetTest {
  private interface Body {
    void run(Engine engine, Dataset orders);
  }

  private static void inOrders(Body body) {
    try (Simulation sim = Simulation.seeded(6)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              body.run(engine, engine.datasets().create(NAME, RULE, INDEXES));
              if (engine.datasets().has(NAME)) {
                Orders.verify(engine.datasets().open(NAME, RULE, definitions(engine)), INDEXES);
              }
            }
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  /** The definitions of the indexes that there are. */
  private static List<IndexDefinition> definitions(Engine engine) {
    List<String> names =
        engine.datasets().describe(NAME).indexes().stream().map(i -> i.name()).toList();
    return INDEXES.stream().filter(i -> names.contains(i.name())).toList();
  }

  private static Engine open(Simulation sim) {
    return Engine.open(sim.env(), sim.directory(), EngineSimulationTest.config(Durability.SYNC));
  }

  private static void refused(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  private static byte[] amount(String country, long amount) {
    return new KeyBuilder().add(country).direction(Direction.DESCENDING).add(amount).toBytes();
  }

  private static void fill(Dataset orders) {
    orders.upsert(bytes("1"), bytes("NO;12;red,big;"));
    orders.upsert(bytes("2"), bytes("SE;7;red,red;"));
    orders.upsert(bytes("3"), bytes("NO;30;;"));
    orders.upsert(bytes("4"), bytes(";;big;"));
    orders.upsert(bytes("5"), bytes("NO;12;;"));
  }

  @Test
  void queriesFindWhatWasWritten() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          assertThat(found(orders, "country", IndexQuery.equal(key("NO"))))
              .containsExactly("1", "3", "5");
          assertThat(found(orders, "country", IndexQuery.equal(key("NO")).reverse()))
              .containsExactly("5", "3", "1");
          assertThat(found(orders, "country", IndexQuery.equal(key("NO")).limit(2)))
              .containsExactly("1", "3");
          assertThat(found(orders, "country", IndexQuery.all()))
              .containsExactly("1", "3", "5", "2");
          assertThat(found(orders, "country", IndexQuery.all().after(key("NO"))))
              .containsExactly("2");
          assertThat(found(orders, "country", IndexQuery.all().before(key("SE"))))
              .containsExactly("1", "3", "5");
          assertThat(found(orders, "country", IndexQuery.all().from(key("SE"))))
              .containsExactly("2");
          assertThat(found(orders, "label", IndexQuery.equal(key("red"))))
              .containsExactly("1", "2");
          assertThat(found(orders, "label", IndexQuery.all())).containsExactly("1", "4", "1", "2");
          assertThat(found(orders, "country", IndexQuery.equal(key("N")))).isEmpty();
          assertThat(found(orders, "country", IndexQuery.all().after(new byte[0]))).isEmpty();
          assertThat(found(orders, "country", IndexQuery.all().limit(0))).isEmpty();
        });
  }

  /** A query is continued from an entry on. */
  @Test
  void boundsHoldWithinTheKeyThatAQueryAsksFor() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          orders.upsert(bytes("6"), bytes("DK;9;;"));
          IndexQuery country = IndexQuery.equal(key("NO"));
          assertThat(found(orders, "amount", country)).containsExactly("3", "1", "5");
          assertThat(found(orders, "amount", country.from(key("DK"))))
              .containsExactly("3", "1", "5");
          assertThat(found(orders, "amount", country.after(key("DK")).reverse()))
              .containsExactly("5", "1", "3");
          assertThat(found(orders, "amount", country.before(key("SZ"))))
              .containsExactly("3", "1", "5");
          assertThat(found(orders, "amount", country.through(key("SE")).limit(2)))
              .containsExactly("3", "1");
          assertThat(found(orders, "amount", country.through(new byte[0])))
              .containsExactly("3", "1", "5");
          assertThat(found(orders, "amount", country.after(amount("NO", 30))))
              .containsExactly("1", "5");
          assertThat(found(orders, "amount", country.through(amount("NO", 30))))
              .containsExactly("3");
          assertThat(found(orders, "amount", country.before(key("DK")))).isEmpty();
          assertThat(found(orders, "amount", country.after(key("NO")))).isEmpty();
        });
  }

  private static DatasetStatistics statistics(Engine engine, String name) {
    return engine.statistics().datasets().stream()
        .filter(dataset -> dataset.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  @Test
  void aWriteReadsOneRecordIfThereAreIndexes() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          orders.upsert(bytes("1"), bytes("SE;12;big,new;"));
          orders.delete(bytes("3"));
          DatasetBatch batch = new DatasetBatch();
          batch.upsert(orders, bytes("6"), bytes("DK;1;;"));
          batch.delete(orders, bytes("absent"));
          engine.datasets().write(batch);
          // Of fill: 3 + 1, 2 + 1, 2, 1 and 2 entries; of the others 7 less one kept, 2, 2 and 0.
          assertThat(statistics(engine, NAME))
              .isEqualTo(new DatasetStatistics(NAME, 9, 9, 12 + 6 + 2 + 2, 0));
          assertThat(orders.insert(bytes("6"), bytes("DK;2;;"))).isFalse();
          assertThat(statistics(engine, NAME).writes()).isEqualTo(9);
          assertThat(statistics(engine, NAME).recordReads()).isEqualTo(10);

          Dataset plain = engine.datasets().create("plain", RULE, List.of());
          plain.upsert(bytes("1"), bytes("NO;1;;"));
          plain.delete(bytes("1"));
          assertThat(statistics(engine, "plain"))
              .isEqualTo(new DatasetStatistics("plain", 2, 0, 0, 0));
        });
  }

  /** The records cannot even be read. */
  @Test
  void aQueryOfKeysReadsNoRecord() {
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              fill(engine.datasets().create(NAME, RULE, INDEXES));
            }
            try (Engine engine = open(sim)) {
              Dataset orders = engine.datasets().open(NAME, RULE, INDEXES);
              String records = fileOfRecords(orders);
              sim.faults()
                  .add(
                      Fault.of(FaultEffect.IO_ERROR)
                          .on(IoKind.READ)
                          .onPath(path -> path.endsWith(records))
                          .asSticky());
              List<String> found = new ArrayList<>();
              try (IndexCursor entries = orders.queryKeys("amount", IndexQuery.all().limit(3))) {
                assertThatThrownBy(entries::key).isInstanceOf(IllegalStateException.class);
                while (entries.next()) {
                  KeyReader key = new KeyReader(entries.indexKey());
                  found.add(
                      key.next(Direction.ASCENDING)
                          + " "
                          + key.next(Direction.DESCENDING)
                          + " "
                          + new String(entries.key(), UTF_8));
                }
                assertThatThrownBy(entries::indexKey).isInstanceOf(IllegalStateException.class);
              }
              assertThat(found).containsExactly("NO 30 3", "NO 12 1", "NO 12 5");
              assertThat(statistics(engine, NAME).recordsFetched()).isZero();
              try (RecordCursor cursor = orders.query("amount", IndexQuery.all())) {
                assertThatThrownBy(cursor::next).isInstanceOf(StorageIoException.class);
                sim.faults().clear();
                while (cursor.next()) {
                  assertThat(cursor.record()).isNotEmpty();
                }
              }
              assertThat(statistics(engine, NAME).recordsFetched()).isEqualTo(4);
            }
          });
    }
  }

  private static String fileOfRecords(Dataset orders) {
    Operations operations = orders.open().reads().operations();
    OperationContext context = operations.enter();
    try {
      List<LiveTable> tables = orders.state().records().disk().tables();
      assertThat(tables).hasSize(1);
      return String.format(Locale.ROOT, "%08d.sst", tables.get(0).component().id());
    } finally {
      operations.exit(context);
    }
  }

  /** As records do, whatever is written meanwhile. */
  @Test
  void aQueryOfKeysIsOfOneMoment() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          try (IndexCursor entries = orders.queryKeys("country", IndexQuery.all())) {
            orders.delete(bytes("1"));
            orders.upsert(bytes("5"), bytes("SE;12;;"));
            engine.flush();
            List<String> keys = new ArrayList<>();
            while (entries.next()) {
              keys.add(new String(entries.key(), UTF_8));
            }
            assertThat(keys).containsExactly("1", "3", "5", "2");
          }
          IndexCursor entries = orders.queryKeys("country", IndexQuery.all());
          orders.dropIndex("country");
          assertThatThrownBy(entries::next).isInstanceOf(ClosedException.class);
          entries.close();
          assertThatThrownBy(entries::next).isInstanceOf(ClosedException.class);
          refused(() -> orders.queryKeys("country", IndexQuery.all()), "no index 'country'");
          orders.createIndex(BY_COUNTRY);
        });
  }

  @Test
  void compositeKeysSortPartByPart() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          assertThat(found(orders, "amount", IndexQuery.all())).containsExactly("3", "1", "5", "2");
          assertThat(found(orders, "amount", IndexQuery.equal(key("NO"))))
              .containsExactly("3", "1", "5");
          assertThat(found(orders, "amount", IndexQuery.equal(amount("NO", 12))))
              .containsExactly("1", "5");
          assertThat(found(orders, "amount", IndexQuery.equal(key("NO")).from(amount("NO", 20))))
              .as("at most 20, since the part is descending")
              .containsExactly("1", "5");
        });
  }

  @Test
  void changesMoveEntries() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          orders.upsert(bytes("1"), bytes("SE;12;big,new;"));
          orders.delete(bytes("3"));
          orders.delete(bytes("absent"));
          assertThat(orders.insert(bytes("5"), bytes("DK;1;;"))).isFalse();
          assertThat(orders.insert(bytes("6"), bytes("DK;1;;"))).isTrue();
          assertThat(found(orders, "country", IndexQuery.equal(key("NO")))).containsExactly("5");
          assertThat(found(orders, "country", IndexQuery.equal(key("SE"))))
              .containsExactly("1", "2");
          assertThat(found(orders, "country", IndexQuery.equal(key("DK")))).containsExactly("6");
          assertThat(found(orders, "label", IndexQuery.equal(key("red")))).containsExactly("2");
          assertThat(found(orders, "label", IndexQuery.equal(key("new")))).containsExactly("1");
          assertThat(orders.get(bytes("3"))).isNull();
          assertThat(orders.get(bytes("1"))).isEqualTo(bytes("SE;12;big,new;"));
          byte[] target = new byte[2];
          assertThat(orders.get(bytes("1"), target)).isEqualTo(14);
          assertThat(target).isEqualTo(bytes("SE"));
          assertThat(Orders.verify(orders, INDEXES)).isEqualTo(4 + 4 + 4);
        });
  }

  @Test
  void aBatchShowsInAllDatasetsTogether() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          Dataset others = engine.datasets().create("others", "", List.of(BY_COUNTRY));
          DatasetBatch batch =
              new DatasetBatch()
                  .upsert(orders, bytes("1"), bytes("DK;;;"))
                  .upsert(orders, bytes("1"), bytes("FI;;;"))
                  .delete(orders, bytes("2"))
                  .upsert(others, bytes("1"), bytes("FI;;;"))
                  .upsert(orders, bytes("9"), bytes("FI;;;"))
                  .delete(orders, bytes("9"));
          assertThat(batch.size()).isEqualTo(4);
          assertThat(batch.has(orders, bytes("9"))).as("also a deletion").isTrue();
          assertThat(batch.has(others, bytes("9"))).isFalse();
          try (RecordCursor before = orders.query("country", IndexQuery.all())) {
            engine.datasets().write(batch);
            assertThat(before.next()).isTrue();
            assertThat(before.record()).as("as it was").isEqualTo(bytes("NO;12;red,big;"));
            assertThat(before.indexKey()).isEqualTo(key("NO"));
          }
          assertThat(found(orders, "country", IndexQuery.all())).containsExactly("1", "3", "5");
          assertThat(found(orders, "country", IndexQuery.equal(key("FI")))).containsExactly("1");
          assertThat(found(others, "country", IndexQuery.equal(key("FI")))).containsExactly("1");
          batch.clear();
          engine.datasets().write(batch);
        });
  }

  @Test
  void anIndexIsMadeOfTheRecordsThereAre() {
    inOrders(
        (engine, orders) -> {
          orders.dropIndex("label");
          orders.dropIndex("country");
          for (int i = 0; i < 2000; i++) {
            orders.upsert(bytes("o" + i), bytes((i % 3 == 0 ? "NO" : "SE") + ";" + i + ";x,y;"));
          }
          orders.createIndex(BY_COUNTRY);
          orders.createIndex(BY_LABEL);
          assertThat(Orders.verify(orders, INDEXES)).isEqualTo(2000 * 4);
          assertThat(found(orders, "country", IndexQuery.equal(key("NO")))).hasSize(667);
          assertThat(found(orders, "country", IndexQuery.equal(key("NO")).limit(300))).hasSize(300);
          orders.upsert(bytes("o3"), bytes("DK;;;"));
          assertThat(found(orders, "country", IndexQuery.equal(key("DK")))).containsExactly("o3");
        });
  }

  @Test
  void manyRecordsAreReadAtOnce() {
    inOrders(
        (engine, orders) -> {
          List<byte[]> keys = new ArrayList<>();
          for (int i = 0; i < 500; i++) {
            keys.add(bytes("o" + (i * 7) % 500));
            if (i % 5 > 0) {
              orders.upsert(bytes("o" + i), bytes(";;;" + i));
            }
            if (i == 300) {
              engine.flush();
            }
          }
          keys.add(bytes("o1"));
          List<byte[]> records = orders.getAll(keys);
          assertThat(records).hasSize(501);
          for (int i = 0; i < 500; i++) {
            int number = (i * 7) % 500;
            assertThat(records.get(i)).isEqualTo(number % 5 > 0 ? bytes(";;;" + number) : null);
          }
          assertThat(records.get(500)).isEqualTo(bytes(";;;1"));
          assertThat(orders.getAll(List.of())).isEmpty();
          refused(() -> orders.getAll(List.of(new byte[2000])), "2000 bytes");
        });
  }

  /** After a read that failed a query goes on where it was. */
  @Test
  void aQueryMayTryAgain() {
    for (int nth = 1; nth < 30; nth++) {
      int failing = nth;
      try (Simulation sim = Simulation.seeded(nth)) {
        sim.run(
            () -> {
              try (Engine engine = open(sim)) {
                Dataset orders = engine.datasets().create(NAME, RULE, INDEXES);
                for (int i = 0; i < 200; i++) {
                  orders.upsert(bytes("o" + (1000 + i)), bytes("NO;1;;" + "x".repeat(300)));
                }
                engine.flush();
                sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.READ).nth(failing));
                List<String> keys = new ArrayList<>();
                try (RecordCursor cursor = orders.query("country", IndexQuery.all())) {
                  for (boolean more = true; more; ) {
                    try {
                      more = cursor.next();
                      if (more) {
                        keys.add(new String(cursor.key(), UTF_8));
                        assertThat(cursor.record()).hasSize(306);
                      }
                    } catch (StorageIoException e) {
                      assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
                    }
                  }
                }
                assertThat(keys).hasSize(200).doesNotHaveDuplicates().isSorted();
                sim.faults().clear();
                assertThat(engine.statistics().cache().pinnedFrames()).isZero();
              }
            });
      }
    }
  }

  @Test
  void anExtractorThatFailsMakesNoIndex() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          orders.dropIndex("label");
          IndexDefinition wrong =
              IndexDefinition.of("label", "two parts", (record, keys) -> keys.next().add(1).add(2));
          refused(() -> orders.createIndex(wrong), "index 'label'", "parts [ASCENDING]", "offset");
          assertThat(orders.description().indexes()).hasSize(2);
          orders.createIndex(BY_LABEL);
          refused(() -> orders.upsert(bytes("8"), bytes(";many;;")), "many");
          assertThat(orders.get(bytes("8"))).isNull();
        });
  }

  @Test
  void itIsThereWhenTheEngineIsOpenedAgain() {
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              fill(engine.datasets().create(NAME, RULE, List.of(BY_COUNTRY, BY_LABEL)));
              engine.createTree("plain").put(bytes("k"), bytes("v"));
            }
            try (Engine engine = open(sim)) {
              Datasets datasets = engine.datasets();
              assertThat(datasets.list()).containsExactly(datasets.describe(NAME));
              assertThat(datasets.describe(NAME).rule()).isEqualTo(RULE);
              assertThat(datasets.describe(NAME).indexes())
                  .extracting(i -> i.name() + ":" + i.rule())
                  .containsExactly("country:field 0", "label:field 2 each");
              Dataset orders = datasets.open(NAME, RULE, List.of(BY_LABEL, BY_COUNTRY));
              orders.upsert(bytes("1"), bytes("DK;;;"));
              orders.createIndex(BY_AMOUNT);
              Orders.verify(orders, INDEXES);
              assertThat(engine.trees()).containsExactly(engine.tree("plain"));
            }
            try (Engine engine = open(sim)) {
              Orders.verify(engine.datasets().open(NAME, RULE, INDEXES), INDEXES);
              engine.datasets().drop(NAME);
              assertThat(engine.datasets().list()).isEmpty();
            }
            try (Engine engine = open(sim)) {
              assertThat(engine.datasets().has(NAME)).isFalse();
              assertThat(engine.trees()).hasSize(1);
            }
          });
    }
  }

  @Test
  void whatDiffersFromWhatIsStoredIsRefused() {
    inOrders(
        (engine, orders) -> {
          Datasets datasets = engine.datasets();
          refused(() -> datasets.open("order", RULE, INDEXES), "no dataset 'order'", "'orders'");
          refused(() -> datasets.describe("x"), "no dataset 'x'", "create it first");
          refused(() -> datasets.open(NAME, "v2", INDEXES), RULE, "not v2");
          refused(
              () -> datasets.open(NAME, RULE, List.of(BY_LABEL)),
              "has the indexes [amount, country, label]",
              "[label] only");
          IndexDefinition other = IndexDefinition.of("country", "field 9", BY_COUNTRY.extractor());
          refused(
              () -> datasets.open(NAME, RULE, List.of(other, BY_AMOUNT, BY_LABEL)),
              "index 'country'",
              "field 0",
              "field 9");
          IndexDefinition labels = IndexDefinition.of("labels", "field 2", BY_LABEL.extractor());
          refused(
              () -> datasets.open(NAME, RULE, List.of(labels, BY_AMOUNT, BY_COUNTRY)),
              "no index 'labels'",
              "mean 'label'");
          refused(() -> datasets.create(NAME, RULE, List.of()), "already");
          refused(
              () -> datasets.create("x", RULE, List.of(BY_LABEL, BY_LABEL)), "'label'", "twice");
          refused(() -> orders.createIndex(BY_LABEL), "'label' already");
          refused(() -> orders.requireNoIndex("label"), "'label' already");
          orders.requireNoIndex("none");
          refused(() -> orders.query("lable", IndexQuery.all()), "no index 'lable'", "'label'");
          refused(() -> orders.dropIndex("none"), "no index 'none'");
          refused(() -> engine.tree(NAME), "part of dataset 'orders'");
          refused(() -> engine.tree(NAME + "/label"), "part of dataset 'orders'");
          refused(() -> engine.dropTree(NAME), "part of dataset 'orders'");
          refused(() -> engine.createTree(NAME), "already");
          refused(() -> IndexQuery.all().limit(-1), "-1");
          engine.createTree("taken");
          refused(() -> datasets.create("taken", RULE, List.of()), "tree 'taken' already");
          String long1 = "x".repeat(1100);
          refused(
              () -> orders.upsert(bytes("1"), bytes(long1 + ";;;")),
              "index 'country'",
              "must have at most " + engine.maxKeyBytes());
          assertThat(orders.get(bytes("1"))).isNull();
        });
  }

  /** Trees of two engines may have the same ids, and must not be taken for each other. */
  @Test
  void aBatchIsForOneEngine() {
    inOrders(
        (engine, orders) -> {
          try (Simulation other = Simulation.seeded(10)) {
            other.run(
                () -> {
                  try (Engine second = open(other)) {
                    Dataset namesake = second.datasets().create(NAME, RULE, INDEXES);
                    DatasetBatch batch = new DatasetBatch().upsert(orders, bytes("1"), bytes(";;"));
                    refused(
                        () -> batch.upsert(namesake, bytes("2"), bytes(";;")), "another engine");
                    assertThat(batch.size()).isEqualTo(1);
                    assertThat(batch.has(orders, bytes("1"))).isTrue();
                    assertThat(batch.has(namesake, bytes("1"))).isFalse();
                    refused(() -> second.datasets().write(batch), "another engine");
                  }
                });
          }
        });
  }

  @Test
  void whatWasDroppedIsClosed() {
    inOrders(
        (engine, orders) -> {
          fill(orders);
          RecordCursor cursor = orders.query("country", IndexQuery.all());
          orders.dropIndex("country");
          assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
          cursor.close();
          assertThatThrownBy(cursor::next).isInstanceOf(ClosedException.class);
          engine.datasets().drop(NAME);
          assertThatThrownBy(() -> orders.upsert(bytes("1"), bytes(";;;")))
              .isInstanceOf(ClosedException.class)
              .hasMessageContaining("'orders' was dropped");
          assertThatThrownBy(() -> orders.get(bytes("1"))).isInstanceOf(ClosedException.class);
          assertThatThrownBy(() -> orders.createIndex(BY_COUNTRY))
              .isInstanceOf(ClosedException.class);
          engine.datasets().create(NAME, "another", List.of());
          engine.datasets().drop(NAME);
        });
  }
}
