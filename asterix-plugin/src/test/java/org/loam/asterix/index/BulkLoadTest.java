package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    assertThat(dataset.primary().tree().isLoading()).isTrue();
    load.end();
    assertThat(load.loader.hasFailed()).isFalse();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "after", "noted", "completed");
    assertThat(dataset.primary().tree().isLoading()).isFalse();
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
    way.prepare(dataset);
    new Load(dataset.primary(), false, true).add(1, "a").add(1, "x").add(2, "b").end();
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

  private void assertNotLoaded() {
    assertThatThrownBy(this::load)
        .isInstanceOfSatisfying(
            HyracksDataException.class,
            e -> assertThat(e.matches(ErrorCode.LOAD_NON_EMPTY_INDEX)).isTrue());
  }
}
