package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.report.EventListener.MergeBegun;

/** What a compaction leaves: one entry for each key, unless a reader needs more. */
class CompactionTest {
  private static final int KEYS = 2000;
  private static final int VALUE_BYTES = 1000;

  /** Of a merge within the last level. */
  private static final int PART_TABLES = 16;

  private interface Body {
    void run(Engine engine, Tree tree, RecordedEvents events);
  }

  private static void inEngine(Body body) {
    RecordedEvents events = new RecordedEvents();
    try (Simulation sim = Simulation.seeded(9)) {
      sim.run(() -> inEngine(sim, events, body));
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
    events.checkPairs();
  }

  private static void inEngine(Simulation sim, RecordedEvents events, Body body) {
    try (Engine engine = open(sim, events)) {
      body.run(engine, engine.createTree("t"), events);
      assertThat(engine.verify().findings()).isEmpty();
    }
  }

  private static Engine open(Simulation sim, RecordedEvents events) {
    return Engine.open(
        sim.env(),
        sim.directory(),
        EngineSimulationTest.config(Durability.SYNC),
        OpenOptions.DEFAULT.withListener(events));
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static byte[] value(int i) {
    return new byte[] {(byte) i};
  }

  private static byte[] largeValue(int i) {
    byte[] value = new byte[VALUE_BYTES];
    value[0] = (byte) i;
    return value;
  }

  private static void put(Tree tree, int from, int to) {
    for (int i = from; i < to; i++) {
      tree.put(key(i), value(i));
    }
  }

  private static void deleteOdd(Tree tree) {
    for (int i = 1; i < KEYS; i += 2) {
      tree.delete(key(i));
    }
  }

  /** Keys with their entries, and anti-matter for every second one, which a snapshot needs. */
  private static void fillLastLevel(Engine engine, Tree tree) {
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), largeValue(i));
    }
    try (Snapshot snapshot = engine.snapshot()) {
      deleteOdd(tree);
      tree.compact();
      assertThat(snapshot.get(tree, key(1))).isEqualTo(largeValue(1));
    }
    assertThat(lastLevel(engine).entries()).isEqualTo(KEYS + KEYS / 2);
  }

  private static LevelStatistics lastLevel(Engine engine) {
    List<LevelStatistics> levels = engine.statistics().trees().get(0).levels();
    assertThat(levels).hasSize(1);
    assertThat(levels.get(0).level()).isEqualTo(1);
    return levels.get(0);
  }

  private static void checkEven(Tree tree) {
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      for (int i = 0; i < KEYS; i += 2) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(key(i));
        assertThat(cursor.value()).isEqualTo(largeValue(i));
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  // ---- A table that nothing overlaps.

  @Test
  void supersededVersionsOfAnOnlyTableGo() {
    inEngine(
        (engine, tree, events) -> {
          Snapshot[] snapshots = new Snapshot[20];
          for (int i = 0; i < snapshots.length; i++) {
            tree.put(key(1), value(i));
            snapshots[i] = engine.snapshot();
          }
          tree.flush();
          for (Snapshot snapshot : snapshots) {
            snapshot.close();
          }
          tree.compact();
          assertThat(lastLevel(engine).entries()).isEqualTo(1);
          assertThat(tree.get(key(1))).isEqualTo(value(19));
        });
  }

  @Test
  void aLittleAntiMatterOfAnOnlyTableGoes() {
    inEngine(
        (engine, tree, events) -> {
          put(tree, 0, 150);
          for (int i = 150; i < 159; i++) {
            tree.delete(key(i));
          }
          tree.compact();
          assertThat(lastLevel(engine).entries()).isEqualTo(150);
        });
  }

  @Test
  void anOnlyTableWithoutGarbageIsMoved() {
    inEngine(
        (engine, tree, events) -> {
          put(tree, 0, 50);
          tree.compact();
          tree.compact();
          assertThat(events.only(MergeBegun.class).move()).isTrue();
          assertThat(lastLevel(engine).entries()).isEqualTo(50);
        });
  }

  // ---- The last level.

  @Test
  void theLastLevelIsRewrittenInParts() {
    inEngine(
        (engine, tree, events) -> {
          fillLastLevel(engine, tree);
          int tables = lastLevel(engine).tables();
          assertThat(tables).isGreaterThan(PART_TABLES);
          events.told.clear();
          tree.compact();
          List<MergeBegun> merges = events.all(MergeBegun.class);
          assertThat(merges).hasSizeGreaterThanOrEqualTo(tables / PART_TABLES);
          for (MergeBegun merge : merges) {
            assertThat(merge.fromLevel()).isEqualTo(1);
            assertThat(merge.toLevel()).isEqualTo(1);
            assertThat(merge.tables()).isBetween(1, PART_TABLES);
            assertThat(merge.move()).isFalse();
          }
          assertThat(lastLevel(engine).entries()).isEqualTo(KEYS / 2);
          checkEven(tree);
        });
  }

  /** It can remove nothing: it is done all the same, and the next one tries again. */
  @Test
  void aCompactionEndsWhileAReaderIsOpen() {
    inEngine(
        (engine, tree, events) -> {
          put(tree, 0, 10);
          Snapshot snapshot = engine.snapshot();
          put(tree, 0, 10);
          tree.delete(key(10));
          tree.compact();
          for (int i = 0; i < 3; i++) {
            events.told.clear();
            tree.compact();
            assertThat(events.all(MergeBegun.class)).hasSize(1);
            assertThat(lastLevel(engine).entries()).isEqualTo(21);
          }
          snapshot.close();
          tree.compact();
          assertThat(lastLevel(engine).entries()).isEqualTo(10);
          events.told.clear();
          tree.compact();
          assertThat(events.all(MergeBegun.class)).isEmpty();
        });
  }
}
