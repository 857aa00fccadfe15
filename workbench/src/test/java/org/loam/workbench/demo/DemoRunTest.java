package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.engine.Dataset;
import org.loam.engine.DatasetBatch;
import org.loam.engine.json.JsonDataset;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexExtractor;
import org.loam.workbench.console.Json;
import org.loam.workbench.demo.Showcase.Found;
import org.loam.workbench.demo.Showcase.Move;

/** Plants wrong answers of every kind, and wants the demo to fail for them. */
class DemoRunTest {
  private static final int RECORDS = 400;

  @TempDir Path directory;
  private final Expected expected = new Expected();
  private final Answers answers = new Answers();
  private DemoDatabase database;

  @BeforeEach
  void fill() {
    database = open();
    DatasetBatch batch = new DatasetBatch();
    for (int i = 0; i < RECORDS; i++) {
      put(batch, Packages.number(i));
    }
    database.write(batch);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private DemoDatabase open() {
    return DemoDatabase.open(directory.resolve("database"), Durability.PROCESS, Shape.PACKAGES);
  }

  private void put(DatasetBatch batch, DemoRecord record) {
    database.put(batch, record);
    expected.put(record);
  }

  private void delete(String key) {
    DatasetBatch batch = new DatasetBatch();
    database.delete(batch, key);
    database.write(batch);
    expected.delete(key);
  }

  private ReadCheck reads() {
    List<String> keys = List.copyOf(expected.entries().keySet());
    return new ReadCheck(database, expected, answers, keys, new SplittableRandom(1));
  }

  private void query() {
    new IndexCheck(database, expected, answers, new SplittableRandom(2)).queries(100);
  }

  private long wrong() {
    return answers.counts().wrong();
  }

  private Verified verify() {
    return Verified.NOTHING.again(database, expected, answers);
  }

  /** Makes an index again by another rule than the one that it is known by. */
  private static void makeAgain(DemoDatabase database, IndexKind kind, IndexExtractor lie) {
    Shape shape = database.shape();
    Dataset dataset = JsonDataset.open(database.engine(), shape.dataset()).dataset();
    var known = dataset.describeIndex(shape.indexName(kind));
    dataset.dropIndex(known.name());
    dataset.createIndex(new IndexDefinition(known.name(), known.parts(), known.rule(), lie));
  }

  /** In the index one record has the entries of another; writes follow the true rule again. */
  private void plant(IndexKind kind, DemoRecord victim, DemoRecord other) {
    makeAgain(
        database,
        kind,
        (record, keys) -> {
          DemoRecord honest = DemoRecord.of(Shape.PACKAGES, record.bytes());
          DemoRecord shown = honest.key().equals(victim.key()) ? other : honest;
          for (IndexKind.Key key : kind.keys(shown.values())) {
            byte[] bytes = kind.bytes(key);
            keys.next().addRaw(bytes, 0, bytes.length);
          }
        });
    database.close();
    database = open();
  }

  @Test
  void whatIsRightIsRight() {
    reads().points(RECORDS);
    reads().prefixes(20);
    reads().ranges(20);
    reads().everything();
    query();
    assertThat(wrong()).isZero();
    assertThat(answers.counts().byIndex()).isGreaterThan(1_000);
    Verified verified = verify();
    assertThat(verified.findings()).isZero();
    assertThat(verified.records()).isEqualTo(RECORDS);
    assertThat(verified.indexEntries()).isGreaterThan(4 * RECORDS);
    assertThat(wrong()).isZero();
  }

  @Test
  void eachReadFindsTheRecordThatTheModelLacks() {
    ReadCheck check = reads();
    expected.delete("p123");
    check.points(10 * RECORDS);
    assertThat(wrong()).isPositive();
    long before = wrong();
    check.prefixes(RECORDS);
    assertThat(wrong()).isGreaterThan(before);
    before = wrong();
    check.ranges(RECORDS);
    assertThat(wrong()).isGreaterThan(before + 1);
    before = wrong();
    check.everything();
    assertThat(wrong()).isEqualTo(before + 2);
  }

  @Test
  void aRecordThatIsNotAsWrittenLastIsWrong() {
    expected.put(Packages.number(5).rewritten(1));
    reads().everything();
    assertThat(wrong()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aStaleIndexIsFoundByQueriesAndByVerify(IndexKind kind) {
    plant(kind, Packages.number(7), Packages.number(8));
    query();
    assertThat(wrong()).isPositive();
    assertThat(verify().findings()).isGreaterThanOrEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void anEntryThatLeadsNowhereIsAWrongAnswerAndNotTheEnd(IndexKind kind) {
    plant(kind, Packages.number(7), Packages.number(8));
    delete("p7");
    query();
    assertThat(wrong()).isPositive();
    assertThat(verify().findings()).isPositive();
  }

  @Test
  void verifyMustSeeAsManyAsTheModelHas() {
    expected.delete("p7");
    assertThat(verify().findings()).isZero();
    // The records, and each of the four indexes.
    assertThat(wrong()).isEqualTo(5);
  }

  @Test
  void aMomentStaysAsItWas() {
    try (Moment moment = new Moment(database, expected)) {
      delete("p7");
      moment.check(answers);
    }
    assertThat(wrong()).isZero();
    Expected withAnother = expected.copy();
    withAnother.put(Packages.number(7));
    try (Moment moment = new Moment(database, withAnother)) {
      moment.check(answers);
    }
    assertThat(wrong()).isEqualTo(2);
  }

  @Test
  void theShowcaseIsWhatTheRecordsSay() {
    DatasetBatch batch = new DatasetBatch();
    put(batch, Packages.record("huge", "section1", 10_000, "m", "x"));
    put(batch, Packages.record("a first one", "section1", 1, "m", "x"));
    database.write(batch);
    Showcase showcase = Showcase.of(database, expected, answers);
    assertThat(showcase.element()).isEqualTo("libc6");
    assertThat(showcase.having()).isEqualTo(RECORDS);
    assertThat(showcase.someHaving()).containsExactly("p0", "p1", "p10", "p100", "p101");
    assertThat(showcase.group()).isEqualTo("section1");
    assertThat(showcase.largest()).hasSize(5);
    assertThat(showcase.largest().get(0)).isEqualTo(new Showcase.Sized("huge", 10_000));
    assertThat(showcase.move())
        .isEqualTo(
            new Move(
                "a first one",
                "m",
                Shape.PACKAGES.successor(),
                new Found(true, false),
                new Found(false, true)));
    reads().everything();
    query();
    assertThat(wrong()).isZero();
  }

  @Test
  void aMoveThatLeavesTheOldEntryIsNotRight() {
    plant(IndexKind.TEXT, Packages.number(0), Packages.number(1));
    Move move = Showcase.of(database, expected, answers).move();
    assertThat(move.key()).isEqualTo("p0");
    assertThat(move.before()).isEqualTo(new Found(false, false));
    assertThat(move.isRight()).isFalse();
    assertThat(wrong()).isPositive();
  }

  private static void requireFlat(DemoReport report) {
    assertThat(Json.read(Json.line(report), JsonNode.class).fieldNames())
        .toIterable()
        .containsExactly(
            "source",
            "dataset",
            "records",
            "recordBytes",
            "memoryBytes",
            "indexEntries",
            "indexEntriesPerSecond",
            "updates",
            "movedIndexEntries",
            "deletes",
            "writesPerSecond",
            "engine",
            "reads",
            "showcase",
            "kills",
            "acknowledged",
            "lost",
            "tornBatches",
            "wrongRecords",
            "recovery",
            "verify",
            "seconds",
            "directory",
            "machine");
  }

  @Test
  void aRunIsCleanUntilAnIndexLies() throws IOException {
    Path spoolPath = directory.resolve("records");
    Path work = directory.resolve("run");
    Spool.fill(spoolPath, new TpchRows(0.001), 1_200);
    try (Spool spool = Spool.open(spoolPath)) {
      DemoRun run = new DemoRun(work, spoolPath, spool, Shape.ORDERS, 42);
      run.ingest();
      run.verify();
      DemoReport report = run.report("orders", null, 1);
      assertThat(report.isClean()).as(DemoText.of(report)).isTrue();
      requireFlat(report);
      assertThat(DemoText.of(report)).contains("nothing is wrong", "all as it must be");
      assertThat(report.writes().indexEntries()).isGreaterThan(4 * 1_200);
      assertThat(report.writes().movedIndexEntries()).isPositive();
      try (DemoDatabase other =
          DemoDatabase.open(work.resolve("database"), Durability.PROCESS, Shape.ORDERS)) {
        makeAgain(other, IndexKind.TEXT, (record, keys) -> {});
      }
      run.verify();
      DemoReport stale = run.report("orders", null, 1);
      assertThat(stale.isClean()).isFalse();
      assertThat(stale.verify().findings()).isPositive();
      assertThat(DemoText.of(stale)).contains("FAILED");
    }
  }
}
