package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.asterix.common.ioopcallbacks.LSMIOOperationCallback;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.impls.LSMComponentId;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** LOAD, and indexes that are built on records that are there. */
class BulkLoadTest {
  private TestDataset dataset;

  @BeforeEach
  void open() throws HyracksDataException {
    dataset = new TestDataset();
  }

  @AfterEach
  void close() {
    dataset.close();
  }

  private static IIndexBulkLoader begin(LoamIndex index) throws HyracksDataException {
    Map<String, Object> parameters =
        Map.of(
            LSMIOOperationCallback.KEY_FLUSHED_COMPONENT_ID, LSMComponentId.DEFAULT_COMPONENT_ID);
    return index.createBulkLoader(1, true, 10, true, parameters);
  }

  private IIndexBulkLoader begin() throws HyracksDataException {
    return begin(dataset.primary());
  }

  private static void add(IIndexBulkLoader load, Object... fields) throws HyracksDataException {
    load.add(AdmTuple.of(fields));
  }

  @Test
  void whatWasLoadedIsThereAfterACrash() throws Exception {
    IIndexBulkLoader load = begin();
    add(load, 1, "a");
    add(load, 2, "b");
    load.end();
    assertThat(load.hasFailed()).isFalse();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
    new Transaction(dataset).upsert(2, "c").insert(3, "d").commit();
    assertThat(dataset.rows()).containsExactly("1 a", "2 c", "3 d");
  }

  @Test
  void aLoadOfNothingIsOne() throws Exception {
    begin().end();
    assertThat(dataset.rows()).isEmpty();
    dataset.crash();
    assertThat(dataset.rows()).isEmpty();
  }

  @Test
  void aLoadThatDidNotEndIsGoneAfterACrash() throws Exception {
    IIndexBulkLoader load = begin();
    add(load, 1, "a");
    dataset.primary().requestFlush();
    dataset.crash();
    assertThat(dataset.rows()).isEmpty();
    assertThat(dataset.primary().isEmptyIndex()).isTrue();
  }

  @Test
  void aLoadThatWasNotNotedFailsAndIsGoneAfterACrash() throws Exception {
    IIndexBulkLoader load = begin();
    add(load, 1, "a");
    dataset.checkpointsFail = true;
    assertThatThrownBy(load::end).hasStackTraceContaining("no checkpoint today");
    assertThat(load.hasFailed()).isTrue();
    dataset.checkpointsFail = false;
    dataset.crash();
    assertThat(dataset.rows()).isEmpty();
  }

  @Test
  void aLoadThatIsGivenUpLeavesNothingAndTheNextMayCome() throws Exception {
    IIndexBulkLoader load = begin();
    add(load, 1, "a");
    load.abort();
    assertThat(dataset.rows()).isEmpty();
    IIndexBulkLoader next = begin();
    add(next, 2, "b");
    next.end();
    assertThat(dataset.rows()).containsExactly("2 b");
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("2 b");
  }

  @Test
  void tuplesHaveToComeInOrderAndEachOnce() throws Exception {
    IIndexBulkLoader unsorted = begin();
    add(unsorted, 2, "a");
    assertRefused(unsorted, 1, ErrorCode.UNSORTED_LOAD_INPUT);
    IIndexBulkLoader duplicate = begin();
    add(duplicate, 2, "a");
    assertRefused(duplicate, 2, ErrorCode.DUPLICATE_LOAD_INPUT);
    assertThat(dataset.rows()).isEmpty();
  }

  private static void assertRefused(IIndexBulkLoader load, long key, ErrorCode code)
      throws HyracksDataException {
    assertThatThrownBy(() -> add(load, key, "b"))
        .isInstanceOfSatisfying(
            HyracksDataException.class, e -> assertThat(e.matches(code)).as("%s", e).isTrue());
    assertThat(load.hasFailed()).isTrue();
    assertThat(load.getFailure()).isInstanceOf(HyracksDataException.class);
    load.abort();
  }

  @Test
  void aKeyThatIsTooLongFailsTheLoad() throws Exception {
    IIndexBulkLoader load = begin();
    add(load, 1, "a");
    String key = "k".repeat(dataset.host.loam().maxKeyBytes());
    assertThatThrownBy(() -> add(load, key, "b"))
        .hasMessageContaining("must have at most " + dataset.host.loam().maxKeyBytes());
    assertThat(load.hasFailed()).isTrue();
    load.abort();
    assertThat(dataset.rows()).isEmpty();
  }

  @Test
  void anIndexThatHasSomethingIsNotLoaded() throws Exception {
    new Transaction(dataset).insert(1, "a").commit();
    assertNotLoaded();
    dataset.flush();
    assertNotLoaded();
  }

  /** AsterixDB would fail to note the load when it has ended. */
  @Test
  void anIndexThatWasFlushedIsNotLoadedEvenIfAllIsDeleted() throws Exception {
    new Transaction(dataset).insert(1, "a").commit();
    dataset.flush();
    new Transaction(dataset).delete(1, "a").commit();
    dataset.flush();
    assertThat(dataset.rows()).isEmpty();
    assertNotLoaded();
  }

  private void assertNotLoaded() {
    assertThatThrownBy(this::begin)
        .isInstanceOfSatisfying(
            HyracksDataException.class,
            e -> assertThat(e.matches(ErrorCode.LOAD_NON_EMPTY_INDEX)).isTrue());
  }

  @Test
  void aLoadThatDidNotEndIsGoneAlsoWhereItsDatasetWasFlushed() throws Exception {
    new Transaction(dataset).insert(1, "a").commit();
    LoamIndex other = dataset.secondary("other", 1);
    add(begin(other), 1);
    dataset.flush();
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).isEmpty();
  }

  /** A checkpoint that the flush of a half of it would make would say that it is whole. */
  @Test
  void memoryForALoadIsNotMadeByFlushesOfTheDataset() throws Exception {
    new Transaction(dataset).insert(1, "a").commit();
    // It has the buffers that let a load go past write memory.
    IIndexBulkLoader first = begin(dataset.secondary("first", 1));
    LoamIndex other = dataset.secondary("other", 1);
    IIndexBulkLoader load = begin(other);
    add(load, 1);
    other.requestFlush();
    assertThat(dataset.loggedFlushes).isEmpty();
    load.end();
    first.abort();
    assertThat(TestDataset.rows(other)).containsExactly("1");
    other.requestFlush();
    assertThat(dataset.loggedFlushes).hasSize(1);
  }
}
