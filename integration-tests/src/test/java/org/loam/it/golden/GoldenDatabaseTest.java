package org.loam.it.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.report.RecoveryReport;

/**
 * Databases of every version there was, closed and crashed, are opened, read to the last record,
 * written to and merged by the present engine.
 */
class GoldenDatabaseTest extends GoldenTest {
  private static final int WRITTEN_LATER = 5;

  private static final List<String> TREES = GoldenContent.TREES.stream().sorted().toList();

  GoldenDatabaseTest() {
    super(GoldenMain.class, "");
  }

  @Override
  void openReadAndWrite(boolean closed) {
    try (Engine engine = Engine.open(directory, GoldenMain.config())) {
      requireReport(engine.recovery(), closed);
      requireShape(engine);
      requireContent(engine, GoldenMain.LAST);
      for (int i = 1; i <= WRITTEN_LATER; i++) {
        engine.write(GoldenContent.batch(engine, GoldenMain.LAST + i));
      }
      requireContent(engine, GoldenMain.LAST + WRITTEN_LATER);
    }
    try (Engine engine = Engine.open(directory, GoldenMain.config())) {
      requireReport(engine.recovery(), true);
      requireContent(engine, GoldenMain.LAST + WRITTEN_LATER);
      for (Tree tree : engine.trees()) {
        tree.compact();
      }
      requireContent(engine, GoldenMain.LAST + WRITTEN_LATER);
      for (TreeStatistics tree : engine.statistics().trees()) {
        assertThat(tree.levels()).as(tree.name()).hasSize(1);
      }
    }
  }

  private static void requireReport(RecoveryReport report, boolean closed) {
    assertThat(report.created()).isFalse();
    assertThat(report.cleanlyClosed()).isEqualTo(closed);
    assertThat(report.replayedFrames()).isEqualTo(closed ? 0 : GoldenMain.LOGGED_BATCHES);
    assertThat(report.replayedBytes() > 0).isEqualTo(!closed);
    if (closed) {
      assertThat(report.cut()).isNull();
    } else {
      // Behind the last frame is what the segment held when it was used before: no frame of today.
      assertThat(report.cut()).contains("log-", "discardedFrames=0");
    }
    assertThat(report.orphansDeleted()).isZero();
  }

  /** An archive that lacks what it is there for would prove nothing. */
  private static void requireShape(Engine engine) {
    assertThat(engine.trees()).extracting(Tree::name).containsExactlyInAnyOrderElementsOf(TREES);
    TreeStatistics orders = engine.statistics().trees().get(TREES.indexOf(GoldenContent.ORDERS));
    assertThat(orders.levels()).extracting(LevelStatistics::level).containsExactly(0, 1, 2);
    LevelStatistics l0 = orders.levels().get(0);
    // Two groups were flushed; closing, or recovery, flushed what was in the log.
    assertThat(l0.groups()).isEqualTo(3);
    int keys =
        keyCount(GoldenMain.MERGED, GoldenMain.SEEN)
            + keyCount(GoldenMain.SEEN, GoldenMain.FLUSHED)
            + keyCount(GoldenMain.FLUSHED, GoldenMain.LAST);
    assertThat(l0.entries()).as("entries, with the versions of a snapshot").isGreaterThan(keys);
  }

  private static int keyCount(int after, int last) {
    return GoldenContent.keyCount(after + 1, last, GoldenContent.ORDERS);
  }

  private static void requireContent(Engine engine, int last) {
    for (String name : GoldenContent.TREES) {
      Tree tree = engine.tree(name);
      TreeMap<byte[], byte[]> expected = GoldenContent.after(last, name);
      requireScan(tree, ScanOptions.all(), expected);
      requireScan(tree, ScanOptions.all().reverse(), expected.descendingMap());
      // Everything that was ever written: what was deleted must not come back.
      for (byte[] key : GoldenContent.after(GoldenContent.LOADED, name).keySet()) {
        assertThat(tree.get(key)).isEqualTo(expected.get(key));
      }
    }
  }

  private static void requireScan(Tree tree, ScanOptions options, Map<byte[], byte[]> expected) {
    try (Cursor cursor = tree.scan(options)) {
      expected.forEach(
          (key, value) -> {
            assertThat(cursor.next()).as("not at the end").isTrue();
            assertThat(cursor.key()).isEqualTo(key);
            assertThat(cursor.value()).isEqualTo(value);
          });
      assertThat(cursor.next()).as("beyond the last key").isFalse();
    }
  }
}
