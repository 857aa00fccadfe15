package org.loam.workbench.asterixdb.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.asterixdb.migrate.Moved.Way;
import org.loam.workbench.console.CommandException;

/** What a move compares, and what it leaves behind. */
class DatasetMoveTest {
  private static final String ORDERS = "shop.orders";

  @TempDir Path files;

  private final FakeCluster old = new FakeCluster();
  private final FakeCluster fresh = new FakeCluster();
  private final List<String> had = old.dataset(ORDERS);
  private final List<String> come = fresh.dataset(ORDERS);

  private Moved move(boolean drops) throws InterruptedException {
    return new DatasetMove(old, fresh, files, "red", drops).move(ORDERS);
  }

  private void requireRefused(boolean drops, String message) throws IOException {
    assertThatThrownBy(() -> move(drops))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(message);
    try (Stream<Path> left = Files.list(files)) {
      assertThat(left).isEmpty();
    }
    assertThat(old.datasets.get(ORDERS)).isSameAs(had);
  }

  @Test
  void allRecordsGoThroughAFileThatIsDeleted() throws Exception {
    had.addAll(List.of("{ \"id\": 1 }", "{ \"id\": 2, \"name\": \"Żółć\" }"));
    assertThat(move(false)).isEqualTo(new Moved(ORDERS, Way.COPIED, 2, 42, false));
    assertThat(come).containsExactlyInAnyOrderElementsOf(had).hasSize(2);
    assertThat(fresh.loadedBy).isEqualTo("red");
    assertThat(files).isEmptyDirectory();
  }

  /** In the plain format the number has no type, and LOAD makes a bigint of it. */
  @Test
  void numbersKeepTheirTypes() throws Exception {
    had.add("{ \"id\": 1, \"small\": int8(\"3\"), \"large\": 3 }");
    assertThat(move(true)).isEqualTo(new Moved(ORDERS, Way.COPIED, 1, 35, true));
    assertThat(come).containsExactlyElementsOf(had);
  }

  @Test
  void whatLoadCannotReadIsInserted() throws Exception {
    for (int i = 0; i < 2500; i++) {
      had.add("{ \"id\": " + i + ", \"small\": int8(\"" + (i % 5 == 0 ? 3 : -128) + "\") }");
    }
    assertThat(move(true).records()).isEqualTo(2500);
    assertThat(come).containsExactlyInAnyOrderElementsOf(had);
    assertThat(fresh.inserted).isEqualTo(2000);
    assertThat(files).isEmptyDirectory();
  }

  @Test
  void aNumberOfAnotherTypeIsFound() throws IOException {
    had.add("{ \"id\": 1, \"small\": int8(\"3\") }");
    fresh.change = line -> line.replace("int8(\"3\")", "3");
    requireRefused(true, "differs: 1 records went, and 1 came");
  }

  @Test
  void anEmptyDatasetIsNotLoaded() throws Exception {
    assertThat(move(true)).isEqualTo(new Moved(ORDERS, Way.COPIED, 0, 0, true));
    assertThat(fresh.loadedBy).isEmpty();
    assertThat(old.datasets).isEmpty();
  }

  @Test
  void aRecordThatIsLostOrAnotherOneIsFound() throws IOException {
    had.addAll(List.of("{ \"id\": 1 }", "{ \"id\": 2 }"));
    fresh.change = line -> line.contains("2") ? "" : line;
    requireRefused(true, "2 records went, and 1 came");
    come.clear();
    fresh.change = line -> line.replace('2', '3');
    requireRefused(true, "differs");
  }

  @Test
  void aWriteMeanwhileIsFound() throws IOException {
    had.add("{ \"id\": 1 }");
    old.afterRead = () -> had.add("{ \"id\": 2 }");
    requireRefused(false, "was written to after its 1 records were read");
  }

  /** The number of records is the same, and the new value is in the old cluster alone. */
  @Test
  void anUpsertMeanwhileIsFoundBeforeTheDrop() throws IOException {
    had.add("{ \"id\": 1, \"state\": \"open\" }");
    old.afterRead = () -> had.set(0, "{ \"id\": 1, \"state\": \"paid\" }");
    requireRefused(true, "was written to after its 1 records were read");
  }

  /** Between the two formats. */
  @Test
  void aRecordThatComesWhileTheOthersAreReadIsFound() throws IOException {
    had.add("{ \"id\": 1 }");
    old.afterPlain = () -> had.add("{ \"id\": 2 }");
    requireRefused(true, "has changed while it was read");
    assertThat(come).isEmpty();
  }

  @Test
  void whatWasMovedAndDroppedBeforeIsTheOnlyCopy() throws Exception {
    had.add("{ \"id\": 1 }");
    move(true);
    Moved again = move(true);
    assertThat(again).isEqualTo(new Moved(ORDERS, Way.MOVED_BEFORE, 1, 0, false));
    assertThat(again.text()).contains("moved before", "the only copy");
    assertThat(come).hasSize(1);
  }

  @Test
  void whatWasMovedAndNotDroppedIsCompared() throws Exception {
    had.add("{ \"id\": 1 }");
    move(false);
    assertThat(move(false)).isEqualTo(new Moved(ORDERS, Way.WAS_THERE, 1, 11, false));
    assertThat(old.datasets.get(ORDERS)).isSameAs(had);
    assertThat(move(true)).isEqualTo(new Moved(ORDERS, Way.WAS_THERE, 1, 11, true));
    assertThat(old.datasets).isEmpty();
    assertThat(come).hasSize(1);
  }

  /** LOAD fills indexes after the records, and a comparison of records does not look there. */
  @Test
  void recordsOfALoadThatFailedAreNotEnough() throws Exception {
    had.add("{ \"id\": 1 }");
    fresh.afterLoad = DatasetMoveTest::fail;
    assertThatThrownBy(() -> move(true)).hasMessage("planned");
    fresh.afterLoad = () -> {};
    for (boolean drops : new boolean[] {true, false}) {
      assertThatThrownBy(() -> move(drops))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("drop and create the dataset there")
          .hasMessageContaining(files.resolve("shop.orders.unfinished").toString());
      assertThat(old.datasets.get(ORDERS)).isSameAs(had);
      assertThat(come).hasSize(1);
    }
    come.clear();
    assertThat(move(true)).isEqualTo(new Moved(ORDERS, Way.COPIED, 1, 11, true));
    assertThat(come).hasSize(1);
    assertThat(files).isEmptyDirectory();
  }

  @Test
  void recordsOfALoadThatEndedAreCompared() throws Exception {
    had.add("{ \"id\": 1 }");
    fresh.afterRead = DatasetMoveTest::fail;
    assertThatThrownBy(() -> move(true)).hasMessage("planned");
    fresh.afterRead = () -> {};
    assertThat(move(true)).isEqualTo(new Moved(ORDERS, Way.WAS_THERE, 1, 11, true));
  }

  private static void fail() {
    throw CommandException.failed("planned");
  }

  @Test
  void aDatasetWithOtherRecordsIsNotFilled() throws IOException {
    had.add("{ \"id\": 1 }");
    come.add("{ \"id\": 2 }");
    requireRefused(true, "has 1 records in the new cluster and 1 in the old one");
    assertThat(fresh.loadedBy).isEmpty();
    assertThat(come).hasSize(1);
  }

  @Test
  void aDatasetThatIsNowhereIsRefused() {
    old.drop(ORDERS);
    assertThatThrownBy(() -> move(true)).hasMessageContaining("is not in the old cluster");
    fresh.drop(ORDERS);
    assertThatThrownBy(() -> move(true)).hasMessageContaining("is not in the new cluster");
  }

  /** A LOAD goes on if its command is killed, and another one must not change what it reads. */
  @Test
  void aFileThatIsThereStaysAsItIs() throws IOException {
    had.add("{ \"id\": 1 }");
    Path file = Files.writeString(files.resolve("shop_orders.adm"), "of a LOAD that runs");
    assertThatThrownBy(() -> move(false))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(file + " is there already");
    assertThat(file).hasContent("of a LOAD that runs");
    assertThat(fresh.loadedBy).isEmpty();
  }

  @Test
  void aPathIsATextOfItsStatement() {
    assertThat(QueriedCluster.statement(ORDERS, "red", Path.of("/a \"b\"/c\\d.adm")))
        .isEqualTo(
            "LOAD DATASET shop.orders USING localfs ((\"path\"=\"red:///a \\\"b\\\"/c\\\\d.adm\"),"
                + "(\"format\"=\"adm\"));");
  }

  @Test
  void fieldsAreLeftOutByTheQuery() {
    assertThat(QueriedCluster.losslessQuery(ORDERS, Set.of()))
        .isEqualTo("SELECT VALUE d FROM shop.orders d;");
    assertThat(QueriedCluster.losslessQuery(ORDERS, Set.of("a \"b\"")))
        .isEqualTo("SELECT VALUE object_remove_fields(d, [\"a \\\"b\\\"\"]) FROM shop.orders d;");
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() throws IOException {
    had.add("{ \"id\": 1 }");
    Files.delete(files);
    assertThatThrownBy(() -> move(false))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot write")
        .hasMessageContaining("shop_orders.adm");
    assertThat(fresh.loadedBy).isEmpty();
    Files.createDirectory(files);
  }
}
