package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.loam.engine.Orders.BY_COUNTRY;
import static org.loam.engine.Orders.INDEXES;
import static org.loam.engine.Orders.NAME;
import static org.loam.engine.Orders.RULE;
import static org.loam.engine.Orders.bytes;
import static org.loam.engine.Orders.key;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.env.TaskRunner;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.dataset.DatasetState;
import org.loam.engine.report.VerifyReport;
import org.loam.engine.report.VerifyReport.Finding;
import org.loam.lsm.LsmTree;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.version.LiveTable;

/** What {@link Engine#verify} finds, and what it does not take for a fault. */
class EngineVerifyTest {
  private static final byte[] NO_VALUE = {};
  private static final int PAGE_BYTES = 4096;

  private interface Body {
    void run(Simulation sim, Engine engine, Dataset orders);
  }

  private static void inOrders(Body body) {
    try (Simulation sim = Simulation.seeded(6)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              body.run(sim, engine, engine.datasets().create(NAME, RULE, INDEXES));
              sim.faults().clear();
              assertThat(engine.statistics().cache().pinnedFrames()).isZero();
            }
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  private static Engine open(Simulation sim) {
    return Engine.open(sim.env(), sim.directory(), EngineSimulationTest.config(Durability.PROCESS));
  }

  /** A few records, each in all indexes. */
  private static void fill(Dataset orders) {
    for (int i = 1; i < 6; i++) {
      orders.upsert(bytes("o" + i), bytes("NO;" + i + ";red,big;"));
    }
  }

  /** Levels, versions, anti-matter and overflow pages, in a dataset and a tree beside it. */
  private static void fillLevels(Engine engine, Dataset orders) {
    SplittableRandom random = new SplittableRandom(3);
    Tree tree = engine.createTree("plain");
    for (int i = 0; i < 6000; i++) {
      byte[] key = bytes("o" + random.nextInt(900));
      if (random.nextInt(5) == 0) {
        orders.delete(key);
      } else {
        String rest = "x".repeat(random.nextInt(50) == 0 ? 9_000 : random.nextInt(200));
        orders.upsert(key, bytes((i % 2 == 0 ? "NO;" : "SE;") + i % 7 + ";red,l" + i + ";" + rest));
      }
      tree.put(key, bytes("v" + i));
    }
    engine.flush();
  }

  private static Tree indexTree(Dataset orders, String index) {
    DatasetState.Index found = orders.state().find(index);
    if (found == null) {
      throw new AssertionError("no index " + index);
    }
    return new Tree(orders.open(), found.tree());
  }

  private static byte[] entry(byte[] indexKey, String recordKey) {
    byte[] key = bytes(recordKey);
    byte[] entry = new byte[indexKey.length + key.length];
    System.arraycopy(indexKey, 0, entry, 0, indexKey.length);
    System.arraycopy(key, 0, entry, indexKey.length, key.length);
    return entry;
  }

  private static List<String> texts(VerifyReport report) {
    return report.findings().stream().map(Finding::toString).toList();
  }

  private static String wrongIndex(String index, String fault) {
    return "index '"
        + index
        + "' of dataset 'orders': "
        + fault
        + "; drop the index and create it again";
  }

  // ---- A healthy database.

  @Test
  void aHealthyDatabaseOfSeveralLevels() {
    inOrders(
        (sim, engine, orders) -> {
          engine.configure("l0.mergeWhenQuiet", "false");
          fillLevels(engine, orders);
          // Merges come to an end: what is counted later is what was verified.
          sim.env().waiter().pause(5_000_000_000L);
          List<String> calls = new ArrayList<>();
          long[] last = new long[2];
          VerifyReport report =
              engine.verify(
                  (part, done, total) -> {
                    assertThat(done).isBetween(last[0], total);
                    assertThat(last[1]).isIn(0L, total);
                    last[0] = done;
                    last[1] = total;
                    calls.add(part);
                  });
          assertThat(texts(report)).isEmpty();
          assertThat(report.isSound()).isTrue();
          assertThat(last[0]).isEqualTo(last[1]).isPositive();
          assertThat(calls).contains("components of tree 'plain'", "dataset 'orders'");
          assertThat(report.trees()).isEqualTo(5);
          var trees = engine.statistics().trees();
          assertThat(trees.stream().mapToInt(t -> t.levels().size()).max().orElse(0))
              .as("levels of the largest tree")
              .isGreaterThan(1);
          assertThat(report.components())
              .isEqualTo(
                  trees.stream().flatMap(t -> t.levels().stream()).mapToInt(l -> l.tables()).sum());
          assertThat(report.entries())
              .isEqualTo(
                  trees.stream()
                      .flatMap(t -> t.levels().stream())
                      .mapToLong(l -> l.entries())
                      .sum());
          assertThat(report.pages() * PAGE_BYTES)
              .isEqualTo(
                  trees.stream().flatMap(t -> t.levels().stream()).mapToLong(l -> l.bytes()).sum());
          assertThat(report.datasets()).hasSize(1);
          assertThat(report.datasets().get(0).notChecked()).isNull();
          assertThat(report.records()).isEqualTo(count(orders.scan(ScanOptions.all())));
          assertThat(report.indexEntries()).isEqualTo(Orders.verify(orders, INDEXES));
        });
  }

  private static long count(Cursor cursor) {
    long count = 0;
    try (cursor) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  /** Records, indexes and components change all the time; each comparison is of one moment. */
  @Test
  @Tag("once")
  void writersBesideItAreNoFault() {
    int changedMeanwhile = 0;
    for (long seed = 0; seed < 30; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        changedMeanwhile += race(sim, seed);
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
    assertThat(changedMeanwhile).as("comparisons with writes beside them").isGreaterThan(10);
  }

  /** How many comparisons of a dataset had writes beside them. */
  private static int race(Simulation sim, long seed) {
    Engine[] engine = new Engine[1];
    Dataset[] orders = new Dataset[1];
    sim.run(
        () -> {
          engine[0] = open(sim);
          orders[0] = engine[0].datasets().create(NAME, RULE, List.of(BY_COUNTRY));
          engine[0].datasets().create("short", RULE, INDEXES);
        });
    AtomicBoolean verified = new AtomicBoolean();
    int[] changed = new int[1];
    sim.run(
        writer(orders[0], verified, seed),
        writer(orders[0], verified, seed + 100),
        () -> {
          try {
            changed[0] = verifyWhileTheyWrite(sim, engine[0]);
          } finally {
            verified.set(true);
          }
        },
        () -> {
          orders[0].createIndex(Orders.BY_LABEL);
          engine[0].datasets().drop("short");
          orders[0].dropIndex("label");
        });
    sim.run(
        () -> {
          engine[0].close();
          assertThatThrownBy(() -> engine[0].verify()).isInstanceOf(ClosedException.class);
        });
    return changed[0];
  }

  private static int verifyWhileTheyWrite(Simulation sim, Engine engine) {
    while (engine.statistics().work().merges() == 0) {
      sim.env().waiter().pause(1_000);
    }
    int[] changed = new int[1];
    long[] lsn = new long[1];
    for (int i = 0; i < 4; i++) {
      VerifyReport report =
          engine.verify(
              (part, done, total) -> {
                boolean compares = part.equals("dataset 'orders'");
                long end = engine.statistics().log().endLsn();
                changed[0] += compares && lsn[0] > 0 && lsn[0] < end ? 1 : 0;
                lsn[0] = compares ? end : 0;
              });
      assertThat(texts(report)).isEmpty();
      assertThat(report.datasets()).extracting(d -> d.name()).contains(NAME);
    }
    return changed[0];
  }

  private static Runnable writer(Dataset orders, AtomicBoolean verified, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return () -> {
      while (!verified.get()) {
        byte[] key = bytes("k" + random.nextInt(300));
        if (random.nextInt(4) == 0) {
          orders.delete(key);
        } else {
          String country = random.nextBoolean() ? "NO" : "SE";
          orders.upsert(key, bytes(country + ";1;a,b;" + "x".repeat(random.nextInt(1500))));
        }
      }
    };
  }

  /** A component stays readable while it is read, also if it is merged away meanwhile. */
  @Test
  @Tag("once")
  void componentsThatAreMergedAwayAreNoFault() {
    for (long seed = 0; seed < 10; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(() -> verifyBesideCompactions(sim));
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  private static void verifyBesideCompactions(Simulation sim) {
    try (Engine engine = open(sim)) {
      Tree tree = engine.createTree("t");
      AtomicBoolean compacted = new AtomicBoolean();
      TaskRunner.Task compactor =
          sim.env()
              .tasks()
              .start(
                  "compactor",
                  () -> {
                    try {
                      for (int i = 0; i < 40; i++) {
                        tree.put(bytes("k" + i), new byte[4_000]);
                        tree.compact();
                      }
                    } finally {
                      compacted.set(true);
                    }
                  });
      while (!compacted.get()) {
        // With no component there is nothing to read, and no other thread would get a turn.
        sim.env().waiter().pause(1_000);
        assertThat(texts(engine.verify())).isEmpty();
      }
      compactor.join();
      assertThat(engine.verify().entries()).isEqualTo(40);
    }
  }

  // ---- Damaged components.

  @Test
  void everyDamagedPageIsNamedAlsoIfTheCacheHasTheRightOne() {
    inOrders(
        (sim, engine, orders) -> {
          fillLevels(engine, orders);
          engine.tree("plain").compact();
          // Merges come to an end: the files that are damaged stay those of their trees.
          sim.env().waiter().pause(5_000_000_000L);
          assertThat(engine.verify().isSound()).isTrue();
          count(engine.tree("plain").scan(ScanOptions.all()));
          Path plain = table(engine.tree("plain").lsm());
          Path index = table(indexTree(orders, "label").lsm());
          sim.disk().flip(plain, 2 * PAGE_BYTES + 77, 1);
          sim.disk().flip(plain, 3 * PAGE_BYTES, 1);
          sim.disk().flip(index, 100, 0x80);
          VerifyReport report = engine.verify();
          assertThat(report.findingCount()).isEqualTo(report.findings().size());
          assertThat(report.findings())
              .filteredOn(f -> f.place().equals(plain.toString()))
              .extracting(f -> f.fault().replaceAll("[0-9a-f]{8}", "#"), Finding::remedy)
              .containsExactly(
                  tuple(damaged(2, plain), "restore the file from a backup"),
                  tuple(damaged(3, plain), "restore the file from a backup"));
          assertThat(report.findings())
              .filteredOn(f -> f.place().equals(index.toString()))
              .extracting(Finding::remedy)
              .containsExactly(
                  "drop index 'label' of dataset 'orders' and create it again, or restore the file"
                      + " from a backup");
          assertThat(count(engine.tree("plain").scan(ScanOptions.all())))
              .as("the cache had the pages")
              .isPositive();
          sim.disk().flip(index, 100, 0x80);
          sim.disk().flip(plain, 2 * PAGE_BYTES + 77, 1);
          sim.disk().flip(plain, 3 * PAGE_BYTES, 1);
          assertThat(engine.verify().isSound()).isTrue();
        });
  }

  private static String damaged(int pageNo, Path file) {
    int fileId = Integer.parseInt(String.valueOf(file.getFileName()).replace(".sst", ""));
    return "page "
        + pageNo
        + " of file id "
        + fileId
        + " (offset "
        + pageNo * PAGE_BYTES
        + ") is corrupt: checksum stored #, of the bytes #; file id and page number are right: the"
        + " bytes are damaged, or left over from an earlier file";
  }

  /** The largest component of a tree. */
  private static Path table(LsmTree lsm) {
    LiveTable largest = lsm.disk().tables().get(0);
    for (LiveTable table : lsm.disk().tables()) {
      largest = table.component().bytes() > largest.component().bytes() ? table : largest;
    }
    return largest.path();
  }

  @Test
  void itGoesOnBehindWhatCannotBeRead() {
    inOrders(
        (sim, engine, orders) -> {
          fillLevels(engine, orders);
          Path bad = table(orders.state().records());
          engine
              .open()
              .memory()
              .cache()
              .purge(fileId(bad), sim.disk().read(bad).length / PAGE_BYTES);
          sim.faults()
              .add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.READ).onPath(bad::equals).asSticky());
          VerifyReport report = engine.verify();
          assertThat(texts(report))
              .hasSize(2)
              .anyMatch(f -> f.startsWith(bad + ": it cannot be read: "))
              .anyMatch(
                  f ->
                      f.startsWith("dataset 'orders': its records cannot be read to the end: ")
                          && f.endsWith("; repair that, then verify again"));
          assertThat(report.datasets().get(0).notChecked()).isEqualTo("its records cannot be read");
          assertThat(report.components()).isGreaterThan(5);
        });
  }

  private static int fileId(Path table) {
    return Integer.parseInt(String.valueOf(table.getFileName()).replace(".sst", ""));
  }

  // ---- Indexes that disagree with the records.

  @Test
  void anEntryTooMany() {
    inOrders(
        (sim, engine, orders) -> {
          fill(orders);
          indexTree(orders, "country").put(entry(key("SE"), "o9"), NO_VALUE);
          VerifyReport report = engine.verify();
          assertThat(texts(report))
              .containsExactly(
                  wrongIndex(
                      "country",
                      "entry [\"SE\"] is of record [raw 0x6f39 'o9'], but there is no such"
                          + " record"));
          assertThat(report.indexEntries()).isEqualTo(5 + 1 + 5 + 10);
        });
  }

  @Test
  void anEntryMissing() {
    inOrders(
        (sim, engine, orders) -> {
          fill(orders);
          indexTree(orders, "label").delete(entry(key("red"), "o3"));
          assertThat(texts(engine.verify()))
              .containsExactly(
                  wrongIndex("label", "record [raw 0x6f33 'o3'] lacks its entry [\"red\"]"));
        });
  }

  /** As many entries as there should be, and each of a record that is there. */
  @Test
  void aStaleEntryInPlaceOfTheRightOne() {
    inOrders(
        (sim, engine, orders) -> {
          fill(orders);
          engine.flush();
          Tree tree = indexTree(orders, "country");
          engine.write(
              new WriteBatch()
                  .delete(tree, entry(key("NO"), "o2"))
                  .put(tree, entry(key("DK"), "o2"), NO_VALUE));
          assertThat(texts(engine.verify()))
              .containsExactlyInAnyOrder(
                  wrongIndex(
                      "country",
                      "entry [\"DK\"] is of record [raw 0x6f32 'o2'], but the record does not have"
                          + " that key"),
                  wrongIndex("country", "record [raw 0x6f32 'o2'] lacks its entry [\"NO\"]"));
        });
  }

  @Test
  void anEntryThatIsNone() {
    inOrders(
        (sim, engine, orders) -> {
          fill(orders);
          indexTree(orders, "amount").put(bytes("junk"), NO_VALUE);
          assertThat(texts(engine.verify()))
              .hasSize(1)
              .allMatch(f -> f.contains("entry [raw 0x6a756e6b 'junk'] is none of this index: "));
        });
  }

  @Test
  void findingsAreBoundedButAllCounted() {
    inOrders(
        (sim, engine, orders) -> {
          fill(orders);
          for (int i = 0; i < 700; i++) {
            indexTree(orders, "country").put(entry(key("SE"), "absent" + i), NO_VALUE);
            orders.upsert(bytes("p" + i), bytes("NO;;;"));
            indexTree(orders, "country").delete(entry(key("NO"), "p" + i));
          }
          VerifyReport report = engine.verify();
          assertThat(report.findingCount()).isEqualTo(1400);
          assertThat(report.findings()).hasSize(VerifyReport.MAX_FINDINGS);
          assertThat(new TreeSet<>(texts(report))).hasSize(VerifyReport.MAX_FINDINGS);
          assertThat(report.isSound()).isFalse();
        });
  }

  // ---- Extractors.

  @Test
  void withoutExtractorsItIsNotCheckedAndSaysSo() {
    try (Simulation sim = Simulation.seeded(9)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim)) {
              fill(engine.datasets().create(NAME, RULE, INDEXES));
              engine.datasets().create("bare", "", List.of()).upsert(bytes("k"), bytes("r"));
            }
            try (Engine engine = open(sim)) {
              VerifyReport report = engine.verify();
              assertThat(report.isSound()).isTrue();
              assertThat(report.records()).as("of the dataset without indexes").isEqualTo(1);
              assertThat(report.datasets()).extracting(d -> d.name()).containsExactly("bare", NAME);
              assertThat(report.datasets().get(1).notChecked())
                  .contains("extractors are not known", RULE);
              assertThat(report.datasets().get(1).indexes()).hasSize(3);
              engine.datasets().open(NAME, RULE, INDEXES);
              assertThat(engine.verify().datasets()).allMatch(d -> d.notChecked() == null);
              assertThat(engine.verify().records()).isEqualTo(6);
            }
          });
    }
  }

  @Test
  void anExtractorThatFailsOrChangesItsMind() {
    boolean[] fails = new boolean[1];
    int[] calls = new int[1];
    IndexDefinition moody =
        IndexDefinition.of(
            "moody",
            "",
            (record, keys) -> {
              if (fails[0]) {
                throw new IllegalStateException("no key today");
              }
              keys.next().add(calls[0] > 0 && calls[0]-- == 1 ? "other" : "same");
            });
    inOrders(
        (sim, engine, orders) -> {
          Dataset dataset = engine.datasets().create("moody", "", List.of(moody));
          dataset.upsert(bytes("k"), bytes(""));
          calls[0] = 1;
          assertThat(texts(engine.verify()))
              .hasSize(1)
              .allMatch(f -> f.contains("does not find the same keys each time"));
          fails[0] = true;
          assertThat(texts(engine.verify()))
              .anyMatch(f -> f.contains("record [raw 0x6b 'k'] has no keys for it: no key today"))
              .anyMatch(
                  f -> f.contains("; drop the index, write or delete the record, and create"));
          requireRemedied(dataset, moody, fails);
          assertThat(texts(engine.verify())).isEmpty();
        });
  }

  /** As the finding says: with the index, no write of the record gets past the extractor. */
  private static void requireRemedied(Dataset dataset, IndexDefinition index, boolean[] fails) {
    byte[] key = bytes("k");
    assertThatThrownBy(() -> dataset.upsert(key, key)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> dataset.delete(key)).isInstanceOf(IllegalStateException.class);
    dataset.dropIndex(index.name());
    dataset.delete(key);
    dataset.createIndex(index);
    fails[0] = false;
    dataset.upsert(key, key);
  }

  @Test
  void anExtractorWhoseEntriesNoIndexCanHave() {
    int[] length = {1};
    IndexDefinition growing =
        IndexDefinition.of("growing", "", (record, keys) -> keys.next().add("x".repeat(length[0])));
    inOrders(
        (sim, engine, orders) -> {
          engine.datasets().create("g", "", List.of(growing)).upsert(bytes("k"), bytes(""));
          length[0] = 2_000;
          assertThat(texts(engine.verify()))
              .hasSize(2)
              .anyMatch(f -> f.contains("record [raw 0x6b 'k'] yields an entry of 2004 bytes"))
              .anyMatch(f -> f.contains("but the record does not have that key"));
        });
  }
}
