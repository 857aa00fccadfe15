package org.loam.it.golden;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.loam.common.config.WriteScheme;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.IndexQuery;
import org.loam.engine.RecordCursor;
import org.loam.engine.ScanOptions;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonKeyCursor;
import org.loam.engine.report.RecoveryReport;

/**
 * Datasets of every version there was are opened by what is stored with them, queried, verified and
 * written to by the present engine, with every memory scheme; as {@link GoldenDatabaseTest} does it
 * for trees.
 */
class GoldenDatasetTest extends GoldenTest {
  /** Several times what takes the writes of a tree whose memory has runs. */
  private static final int WRITTEN_LATER = 60;

  GoldenDatasetTest() {
    super(GoldenOrdersMain.class, "dataset-");
  }

  static List<GoldenEnd> ends() {
    return List.of(GoldenEnd.CLOSED, GoldenEnd.CRASHED);
  }

  static Stream<Arguments> archives() {
    return withEachScheme(ends());
  }

  @Override
  void openReadAndWrite(GoldenEnd end, WriteScheme scheme) {
    boolean closed = end.isClosed();
    int last = GoldenOrdersMain.LAST;
    try (Engine engine = Engine.open(directory, GoldenMain.config(scheme))) {
      assertThat(engine.config().write().scheme()).isEqualTo(scheme);
      RecoveryReport report = engine.recovery();
      assertThat(report.cleanlyClosed()).isEqualTo(closed);
      assertThat(report.replayedFrames()).isEqualTo(closed ? 0 : GoldenOrdersMain.LOGGED_BATCHES);
      assertThatThrownBy(() -> engine.datasets().open(GoldenOrders.NAME, "text", List.of()))
          .isInstanceOf(IllegalArgumentException.class);
      JsonDataset orders = JsonDataset.open(engine, GoldenOrders.NAME);
      assertThat(orders.keyPaths()).hasToString("[id]");
      assertThat(orders.indexes())
          .hasToString(List.of(GoldenOrders.BY_LABEL, GoldenOrders.BY_PLACE).toString());
      requireContent(engine, orders, last);
      GoldenOrdersMain.write(engine, orders, last + 1, last + WRITTEN_LATER);
      orders.createIndex(GoldenOrders.DROPPED);
      orders.dataset().dropIndex(GoldenOrders.DROPPED.name());
      requireContent(engine, orders, last + WRITTEN_LATER);
    }
    try (Engine engine = Engine.open(directory, GoldenMain.config(scheme))) {
      assertThat(engine.recovery().cleanlyClosed()).isTrue();
      JsonDataset orders = JsonDataset.open(engine, GoldenOrders.NAME);
      requireContent(engine, orders, last + WRITTEN_LATER);
    }
  }

  private static void requireContent(Engine engine, JsonDataset orders, int last) {
    List<String> records = new ArrayList<>();
    try (Cursor cursor = orders.dataset().scan(ScanOptions.all())) {
      while (cursor.next()) {
        records.add(new String(cursor.value(), UTF_8));
      }
    }
    assertThat(records).isEqualTo(GoldenOrders.records(last));
    requireIndex(orders, GoldenOrders.BY_PLACE, GoldenOrders.places(last));
    requireIndex(orders, GoldenOrders.BY_LABEL, GoldenOrders.labels(last));
    assertThat(engine.verify().isSound()).isTrue();
  }

  private static void requireIndex(JsonDataset orders, JsonIndex index, List<String> expected) {
    List<String> entries = new ArrayList<>();
    try (JsonKeyCursor keys = orders.queryKeys(index.name(), IndexQuery.all());
        RecordCursor found = orders.dataset().query(index.name(), IndexQuery.all())) {
      while (keys.next()) {
        entries.add(keys.values().toString());
        assertThat(found.next()).isTrue();
        assertThat(found.key()).isEqualTo(keys.key()).isEqualTo(orders.keyOf(found.record()));
      }
      assertThat(found.next()).isFalse();
    }
    assertThat(entries).isEqualTo(expected);
  }
}
