package org.loam.it.golden;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.IndexQuery;
import org.loam.engine.RecordCursor;
import org.loam.engine.RecoveryReport;
import org.loam.engine.ScanOptions;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonKeyCursor;

/**
 * Datasets of every version there was are opened by what is stored with them, queried, verified and
 * written to by the present engine; as {@link GoldenDatabaseTest} does it for trees.
 */
class GoldenDatasetTest {
  /** A version is added here when it is checked in. */
  private static final int VERSIONS = 1;

  private static final int WRITTEN_LATER = 5;

  @TempDir Path directory;

  static Stream<String> archives() {
    return Stream.iterate(1, version -> version <= VERSIONS, version -> version + 1)
        .flatMap(version -> Stream.of(archive(version, "closed"), archive(version, "crashed")));
  }

  private static String archive(int version, String end) {
    return "v" + version + "-dataset-" + end + ".zip";
  }

  @ParameterizedTest
  @MethodSource("archives")
  void everyVersionThereWasCanBeUsed(String archive) throws IOException {
    GoldenArchive.unpack(archive, directory);
    openReadAndWrite(archive.contains("closed"));
  }

  /** So that the next version can be added as this one was. */
  @Tag("once")
  @ParameterizedTest
  @ValueSource(strings = {"closed", "crashed"})
  void thePresentVersionIsMadeInTheSameWay(String end) throws Exception {
    GoldenArchive.make(GoldenOrdersMain.class, directory, end);
    Integer version = Integer.getInteger("loam.golden.write");
    if (version != null) {
      GoldenArchive.pack(directory, archive(version, end));
    }
    openReadAndWrite(end.equals("closed"));
  }

  private void openReadAndWrite(boolean closed) {
    int last = GoldenOrdersMain.LAST;
    try (Engine engine = Engine.open(directory, GoldenMain.config())) {
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
    try (Engine engine = Engine.open(directory, GoldenMain.config())) {
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
