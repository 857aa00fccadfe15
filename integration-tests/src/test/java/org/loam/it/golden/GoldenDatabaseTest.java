package org.loam.it.golden;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.loam.common.config.WriteScheme;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.RecoveryReport;

/**
 * Databases of every version there was, closed and crashed, also after partial flushes, are opened,
 * read to the last record, written to and merged by the present engine, with every memory scheme.
 */
class GoldenDatabaseTest extends GoldenTest {
  /** One and a half times the write memory, so that each scheme flushes as is its way. */
  private static final int WRITTEN_LATER = 60;

  private static final List<String> TREES = GoldenContent.TREES.stream().sorted().toList();

  GoldenDatabaseTest() {
    super(GoldenMain.class, "");
  }

  static List<GoldenEnd> ends() {
    return List.of(GoldenEnd.values());
  }

  static Stream<Arguments> archives() {
    return withEachScheme(ends());
  }

  @Override
  void requireAtRest(GoldenEnd end) {
    if (end.isPartlyFlushed()) {
      AtRest.read(directory).requirePartlyFlushed(GoldenMain.last(end));
    }
  }

  @Override
  void openReadAndWrite(GoldenEnd end, WriteScheme scheme) {
    int last = GoldenMain.last(end);
    int loggedBatches = loggedBatches(end);
    try (Engine engine = Engine.open(directory, GoldenMain.config(scheme))) {
      assertThat(engine.config().write().scheme()).isEqualTo(scheme);
      requireReport(engine.recovery(), end.isClosed(), loggedBatches);
      assertThat(engine.trees()).extracting(Tree::name).containsExactlyInAnyOrderElementsOf(TREES);
      if (!end.isPartlyFlushed()) {
        requireShape(engine, scheme);
      }
      requireContent(engine, last);
      for (int i = 1; i <= WRITTEN_LATER; i++) {
        engine.write(GoldenContent.batch(engine, last + i));
      }
      requireOwnFlushes(engine, scheme);
      requireContent(engine, last + WRITTEN_LATER);
    }
    try (Engine engine = Engine.open(directory, GoldenMain.config(scheme))) {
      requireReport(engine.recovery(), true, 0);
      requireContent(engine, last + WRITTEN_LATER);
      for (Tree tree : engine.trees()) {
        tree.compact();
      }
      requireContent(engine, last + WRITTEN_LATER);
      for (TreeStatistics tree : engine.statistics().trees()) {
        assertThat(tree.levels()).as(tree.name()).hasSize(1);
      }
    }
  }

  /** What recovery has to replay: of partial flushes as much as the manifest says. */
  private int loggedBatches(GoldenEnd end) {
    if (end.isPartlyFlushed()) {
      return AtRest.read(directory).loggedBatches();
    }
    return end.isClosed() ? 0 : GoldenMain.LOGGED_BATCHES;
  }

  private static void requireReport(RecoveryReport report, boolean closed, int loggedBatches) {
    assertThat(report.created()).isFalse();
    assertThat(report.cleanlyClosed()).isEqualTo(closed);
    assertThat(report.replayedFrames()).isEqualTo(loggedBatches);
    assertThat(report.replayedBytes() > 0).isEqualTo(!closed);
    if (closed) {
      assertThat(report.cut()).isNull();
    } else {
      // Behind the last frame is what the segment held when it was used before: no frame of today.
      assertThat(report.cut()).contains("log-", "discardedFrames=0");
    }
    assertThat(report.orphansDeleted()).isZero();
  }

  /**
   * An archive that lacks what it is there for would prove nothing. Levels follow the memory that a
   * tree has with the scheme, and may be merged for that as soon as the database is open.
   */
  private static void requireShape(Engine engine, WriteScheme scheme) {
    TreeStatistics orders = engine.statistics().trees().get(TREES.indexOf(GoldenContent.ORDERS));
    List<Integer> levels = orders.levels().stream().map(LevelStatistics::level).toList();
    switch (scheme) {
      case DYNAMIC, STATIC_TUNED, ACCORDION_INDEX, ACCORDION_DATA -> {
        assertThat(levels).containsExactly(0, 1, 2);
        requireL0(orders.levels().get(0));
      }
      case RANGES, LEVELS -> {
        // A tree may have all of the write memory, so that one level below L0 would do.
        assertThat(levels).startsWith(0).hasSizeBetween(2, 3);
        requireL0(orders.levels().get(0));
      }
      case STATIC ->
          // For the small share of a tree L0 is large, and the tree needs no fewer levels.
          assertThat(levels.get(levels.size() - 1)).isGreaterThanOrEqualTo(2);
    }
  }

  private static void requireL0(LevelStatistics l0) {
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

  /** With a scheme that divides the memory of a tree, a part must have been flushed alone. */
  private static void requireOwnFlushes(Engine engine, WriteScheme scheme) {
    List<FlushChoice> choices = engine.flushChoices();
    assertThat(choices).isNotEmpty();
    if (scheme == WriteScheme.RANGES || scheme == WriteScheme.LEVELS) {
      Map<String, Long> together =
          choices.stream()
              .filter(choice -> choice.chosen().range() > 0)
              .collect(groupingBy(GoldenDatabaseTest::decision, counting()));
      // One part may be empty.
      assertThat(choices)
          .anyMatch(
              choice ->
                  together.getOrDefault(decision(choice), Long.MAX_VALUE)
                      < choice.chosen().ranges() - 1);
    }
  }

  private static String decision(FlushChoice choice) {
    return choice.chosen().tree() + " at LSN " + choice.compared().endLsn();
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
