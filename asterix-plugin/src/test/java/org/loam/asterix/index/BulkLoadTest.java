package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.LSMOperationType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LOAD, and indexes that are built on records that are there: what they leave, past write memory
 * and through it, and when it counts.
 */
class BulkLoadTest extends DatasetTest {
  private Load load() throws HyracksDataException {
    return new Load(dataset.primary());
  }

  // ---- What is loaded.

  @ParameterizedTest
  @EnumSource
  void whatWasLoadedIsDurableWhenAsterixDbNotesIt(Load.Way way) throws Exception {
    Load load = way.begin(dataset).addRecords();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled");
    assertThat(dataset.primary().loads().isLoading()).isTrue();
    load.end();
    assertThat(load.loader.hasFailed()).isFalse();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "after", "noted", "completed");
    assertThat(dataset.primary().loads().isLoading()).isFalse();
    assertThat(Load.sorted(dataset)).isEqualTo(way.sortedCount());
    Load.requireRecords(dataset);
    // There is no log from which it could come back.
    dataset.crash();
    Load.requireRecords(dataset);
    begin().upsert(2, "c").insert(Load.RECORDS, "d").commit();
    assertThat(search().range(2L, 2L)).containsExactly("2 c");
    assertThat(search().key(Load.RECORDS)).containsExactly(Load.RECORDS + " d");
  }

  @Test
  void aLoadOfNothingIsOne() throws Exception {
    load().end();
    assertThat(dataset.rows()).isEmpty();
    dataset.crash();
    assertThat(dataset.rows()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatComesTwiceCountsOnceWhereItMay(Load.Way way) throws Exception {
    way.begin(dataset, false).add(1, "a").add(1, "x").add(2, "b").end();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }

  @Test
  void aLoadThroughMemoryMayBeLargerThanMemory() throws Exception {
    String value = "v".repeat(10_000);
    Load load = Load.Way.MEMORY.begin(dataset);
    int count = 4000;
    for (int key = 0; key < count; key++) {
      load.add(key, value);
    }
    load.end();
    assertThat(dataset.host.statistics().work().flushes()).isGreaterThan(1);
    assertThat(search().key(0)).containsExactly("0 " + value);
    assertThat(search().key(count - 1)).containsExactly(count - 1 + " " + value);
  }

  @Test
  void loadsWithoutBuffersGoThroughMemory() throws Exception {
    LoamIndex other = dataset.secondary("other", 1);
    Load first = load();
    Load second = new Load(other);
    first.addRecords();
    second.add(1).add(2).end();
    first.end();
    Load.requireRecords(dataset);
    assertThat(TestDataset.rows(other)).containsExactly("1", "2");
    assertThat(Load.sorted(dataset)).isEqualTo(1);
  }

  // ---- When it counts.

  @Test
  void aLoadThatDidNotEndIsGoneAfterACrash() throws Exception {
    load().add(1, "a");
    dataset.primary().requestFlush();
    dataset.crash();
    assertThat(dataset.rows()).isEmpty();
    assertThat(dataset.primary().isEmptyIndex()).isTrue();
  }

  @Test
  void aLoadThatDidNotEndIsGoneAlsoWhereItsDatasetWasFlushed() throws Exception {
    begin().insert(1, "a").commit();
    new Load(dataset.secondary("other", 1)).add(1);
    dataset.flush();
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).isEmpty();
  }

  /** As when an index is made on a dataset without records, which is loaded then. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterALoadOfNothingTheNextCountsOnceItHasEnded(boolean ends) throws Exception {
    LoamIndex index = dataset.secondary("other", 1);
    new Load(index, false, false).end();
    Load first = new Load(dataset.secondary("first", 1));
    Load load = new Load(index, false, false).add(1).add(2);
    first.abort();
    if (ends) {
      load.end();
    }
    dataset.crash();
    List<String> rows = TestDataset.rows(dataset.secondary("other", 1));
    assertThat(rows).isEqualTo(ends ? List.of("1", "2") : List.of());
  }

  /** Which may be the rest of a LOAD that failed elsewhere, and is tried again. */
  @Test
  void anIndexThatHasSomethingIsLoadedWhereAsterixDbDoesNotAsk() throws Exception {
    LoamIndex other = dataset.secondary("other", 1);
    new Load(other, true, false).add(1).add(2).end();
    new Load(other, true, false).add(2).add(3).end();
    assertThat(TestDataset.rows(other)).containsExactly("1", "2", "3");
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).containsExactly("1", "2", "3");
  }

  @Test
  void afterALoadOfNothingHalfOfTheNextIsGoneAlsoWhereItsDatasetWasFlushed() throws Exception {
    LoamIndex other = dataset.secondary("other", 1);
    new Load(other, true, false).end();
    begin().insert(1, "a").commit();
    Load first = new Load(dataset.secondary("first", 1));
    new Load(other, true, false).add(1);
    other.requestFlush();
    dataset.flush();
    first.abort();
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).isEmpty();
  }

  /** The rows that were in memory are on disk then, and AsterixDB has noted flushes. */
  @Test
  void aHalfOfALoadThroughMemoryIsGoneAlsoWhereItsDatasetWasFlushed() throws Exception {
    begin().insert(1, "a").commit();
    Load first = new Load(dataset.secondary("first", 1));
    new Load(dataset.secondary("other", 1)).add(1);
    dataset.flush();
    first.abort();
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).isEmpty();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  /** Which the node's memory, or AsterixDB's checkpoints, may want at any time. */
  @Test
  void aFlushOfItsDatasetDoesNotKeepALoadFromCounting() throws Exception {
    begin().insert(1, "a").commit();
    Load first = new Load(dataset.secondary("first", 1)).add(1);
    Load other = new Load(dataset.secondary("other", 1)).add(1);
    dataset.flush();
    first.add(2).end();
    other.add(2).end();
    dataset.crash();
    for (String name : List.of("first", "other")) {
      assertThat(TestDataset.rows(dataset.secondary(name, 1))).containsExactly("1", "2");
    }
  }

  /** One that began before the load, or during it, and ends during the load or after it. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, true"})
  void aFlushThatGoesOnMeanwhileDoesNotKeepALoadFromCounting(boolean beginsIn, boolean endsAfter)
      throws Exception {
    begin().insert(1, "a").commit();
    LoamIndex other = dataset.secondary("other", 1);
    dataset.io.hold();
    if (!beginsIn) {
      dataset.flush();
    }
    Load load = new Load(other).add(1);
    if (beginsIn) {
      dataset.flush();
    }
    if (endsAfter) {
      load.end();
      dataset.io.release();
    } else {
      dataset.io.release();
      load.end();
    }
    begin().insertInto(other, 2).insert(2, "b").commit();
    dataset.flush();
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).containsExactly("1", "2");
  }

  @Test
  void aLoadThatFailedAfterAFlushOfItsDatasetLeavesAnIndexThatCanBeUsed() throws Exception {
    begin().insert(1, "a").commit();
    Load first = new Load(dataset.secondary("first", 1));
    LoamIndex other = dataset.secondary("other", 1);
    Load load = new Load(other).add(1);
    dataset.io.hold();
    dataset.flush();
    load.abort();
    dataset.io.release();
    first.abort();
    assertThat(TestDataset.rows(other)).isEmpty();
    begin().insertInto(other, 2).insert(2, "b").commit();
    dataset.flush();
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).containsExactly("2");
  }

  @Test
  void aLoadThatWasNotNotedIsGoneAfterACrashAndTheNextMayCome() throws Exception {
    dataset.checkpointsAreLost = true;
    load().addRecords().end();
    Load.requireRecords(dataset);
    dataset.checkpointsAreLost = false;
    dataset.crash();
    assertThat(dataset.primary().isEmptyIndex()).isTrue();
    long before = Load.sorted(dataset);
    load().addRecords().end();
    Load.requireRecords(dataset);
    assertThat(Load.sorted(dataset) - before).isEqualTo(1);
  }

  /** A checkpoint that the flush of a half of it would make would say that it is whole. */
  @Test
  void memoryForALoadIsNotMadeByFlushesOfTheDataset() throws Exception {
    begin().insert(1, "a").commit();
    // It has the buffers that let a load go past write memory.
    Load first = new Load(dataset.secondary("first", 1));
    LoamIndex other = dataset.secondary("other", 1);
    Load load = new Load(other).add(1);
    other.requestFlush();
    assertThat(dataset.loggedFlushes).isEmpty();
    load.end();
    first.abort();
    assertThat(TestDataset.rows(other)).containsExactly("1");
    other.requestFlush();
    assertThat(dataset.loggedFlushes).hasSize(1);
  }

  // ---- What is not loaded.

  @Test
  void anIndexThatHasSomethingIsNotLoaded() throws Exception {
    begin().insert(1, "a").commit();
    assertNotLoaded();
    dataset.flush();
    assertNotLoaded();
  }

  /** AsterixDB would fail to note the load when it has ended. */
  @Test
  void anIndexThatWasFlushedIsNotLoadedEvenIfAllIsDeleted() throws Exception {
    begin().insert(1, "a").commit();
    dataset.flush();
    begin().delete(1, "a").commit();
    dataset.flush();
    assertThat(dataset.rows()).isEmpty();
    assertNotLoaded();
  }

  /** Redo would make the insert and the delete again, and with that delete what was loaded. */
  @Test
  void anIndexThatWasWrittenToIsNotLoadedEvenIfAllIsDeleted() throws Exception {
    begin().insert(1, "a").delete(1, "a").commit();
    assertThat(dataset.rows()).isEmpty();
    assertNotLoaded();
    dataset.flush();
    assertNotLoaded();
  }

  /** AsterixDB's locks let two LOADs into a dataset begin. */
  @ParameterizedTest
  @EnumSource
  void anIndexThatIsBeingLoadedIsNotLoadedBySomebodyElse(Load.Way way) throws Exception {
    Load load = way.begin(dataset).add(1, "a");
    assertNotLoaded();
    load.add(2, "b").end();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }

  @Test
  void anIndexThatATransactionIsInsideOfIsNotLoaded() throws Exception {
    Transaction transaction = begin();
    dataset
        .tracker()
        .beforeOperation(
            dataset.primary(),
            LSMOperationType.MODIFICATION,
            NoOpOperationCallback.INSTANCE,
            transaction);
    assertNotLoaded();
    dataset
        .tracker()
        .completeOperation(
            dataset.primary(),
            LSMOperationType.MODIFICATION,
            NoOpOperationCallback.INSTANCE,
            transaction);
    load().add(1, "a").end();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  /** AsterixDB's locks let a transaction write beside a LOAD. */
  @ParameterizedTest
  @EnumSource
  void noTransactionWritesBesideALoad(Load.Way way) throws Exception {
    Load load = way.begin(dataset).add(1, "a");
    Transaction transaction = begin();
    assertThatThrownBy(() -> transaction.insert(2, "b"))
        .hasMessageContaining("the index is being loaded");
    assertThat(transaction.asked).isEmpty();
    load.end();
    begin().insert(2, "b").commit();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }

  private void assertNotLoaded() {
    assertThatThrownBy(this::load)
        .isInstanceOfSatisfying(
            HyracksDataException.class,
            e -> assertThat(e.matches(ErrorCode.LOAD_NON_EMPTY_INDEX)).isTrue());
  }
}
