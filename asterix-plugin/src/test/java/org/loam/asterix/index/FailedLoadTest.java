package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.engine.EngineStatistics;

/** Loads that fail: AsterixDB is told why, and the index is as it was, for the next one. */
class FailedLoadTest extends DatasetTest {
  /** After one that failed, another succeeds, and in the same way. */
  private void requireEmptyAndUsable(Load.Way way) throws HyracksDataException {
    assertThat(dataset.rows()).isEmpty();
    assertThat(dataset.primary().isEmptyIndex()).isTrue();
    assertThat(dataset.primary().loads().isLoading()).isFalse();
    dataset.toldOfLoads.clear();
    long before = Load.sorted(dataset);
    way.begin(dataset).addRecords().end();
    Load.requireRecords(dataset);
    assertThat(Load.sorted(dataset) - before).isEqualTo(way.sortedCount());
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "after", "noted", "completed");
  }

  /** A tuple fails the load, which AsterixDB ends then. */
  private void requireFailure(Load.Way way, String message, Object... fields)
      throws HyracksDataException {
    Load load = way.begin(dataset).addRecords();
    requireRefused(load, message, fields);
    load.end();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "completed");
    requireEmptyAndUsable(way);
  }

  private static void requireRefused(Load load, String message, Object... fields) {
    assertThatThrownBy(() -> load.add(fields))
        .isInstanceOf(HyracksDataException.class)
        .hasMessageContaining(message)
        .isSameAs(load.loader.getFailure());
    assertThat(load.loader.hasFailed()).isTrue();
  }

  // ---- Tuples that cannot be loaded.

  @ParameterizedTest
  @EnumSource
  void whatComesTwiceFailsIt(Load.Way way) throws Exception {
    requireFailure(way, "HYR0048", Load.RECORDS - 1, "a");
  }

  @ParameterizedTest
  @EnumSource
  void whatComesOutOfOrderFailsIt(Load.Way way) throws Exception {
    requireFailure(way, "HYR0046", 1, "a");
  }

  @Test
  void whatWriteMemoryCannotHoldFailsIt() throws Exception {
    int most = dataset.host.loam().largestRecordBytes();
    String tooLong = "v".repeat(most);
    requireFailure(
        Load.Way.MEMORY,
        "larger than maximum acceptable entry size (" + most + " bytes, for which loam.memory has",
        Load.RECORDS,
        tooLong);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatIsTooLongFailsIt(Load.Way way) throws Exception {
    int most = dataset.host.loam().maxKeyBytes();
    requireFailure(
        way,
        "HYR0043: Index entry size ("
            + (most + 3)
            + " bytes of key) larger than maximum acceptable entry size ("
            + most
            + " bytes of key; a node whose first start has a larger page.size",
        "k".repeat(most),
        "b");
  }

  /** The records are there by then; AsterixDB drops an index that it could not create. */
  @Test
  void ofALoadWithAKeyThatIsTooLongRecordsMayStay() throws Exception {
    LoamIndex other = dataset.secondary("other", 2);
    String key = "k".repeat(dataset.host.loam().maxKeyBytes());
    String rest = "may leave records without index entries: drop and create the dataset";
    for (Load load : List.of(Load.ofLoad(other), new Load(dataset.primary()))) {
      requireRefused(load, rest, key, "a");
      load.end();
    }
    Load creates = Load.ofCreateIndex(other);
    assertThatThrownBy(() -> creates.add(key, "a"))
        .hasMessageContaining("HYR0043")
        .hasMessageNotContaining(rest);
    creates.end();
  }

  // ---- Ends.

  @Test
  void aLoadThatFailedMayBeGivenUp() throws Exception {
    Load load = new Load(dataset.primary()).add(2, "a");
    requireRefused(load, "HYR0046", 1, "b");
    load.abort();
    requireEmptyAndUsable(Load.Way.SORTED);
  }

  @ParameterizedTest
  @EnumSource
  void abortLeavesNothingAndTheNextIsThereAfterACrash(Load.Way way) throws Exception {
    Load load = way.begin(dataset).addRecords();
    load.abort();
    assertThat(load.loader.hasFailed()).isTrue();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "completed");
    requireEmptyAndUsable(way);
    dataset.crash();
    Load.requireRecords(dataset);
  }

  /** Its records count by then, or another load has begun. */
  @ParameterizedTest
  @EnumSource
  void aLoadThatHasEndedDoesNotEndAgain(Load.Way way) throws Exception {
    Load load = way.begin(dataset).addRecords();
    load.end();
    load.abort();
    load.end();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "after", "noted", "completed");
    Load.requireRecords(dataset);
    dataset.crash();
    Load.requireRecords(dataset);
  }

  @Test
  void aLoadThatHasEndedDoesNotEndAnother() throws Exception {
    Load first = new Load(dataset.primary()).addRecords();
    first.abort();
    Load second = new Load(dataset.primary()).addRecords();
    first.abort();
    first.end();
    assertThat(dataset.primary().loads().isLoading()).isTrue();
    second.end();
    Load.requireRecords(dataset);
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("NullAway") // the page is never read
  void aPageThatAsterixDbCouldNotWriteFailsIt(Load.Way way) throws Exception {
    Load load = way.begin(dataset).addRecords();
    Throwable failure = new IllegalStateException("no page");
    load.loader.writeFailed(null, failure);
    assertThat(load.loader.getFailure()).isSameAs(failure);
    load.end();
    requireEmptyAndUsable(way);
  }

  @ParameterizedTest
  @EnumSource
  void whatAsterixDbCannotNoteDoesNotStay(Load.Way way) throws Exception {
    failToNote(way);
    requireEmptyAndUsable(way);
  }

  @ParameterizedTest
  @EnumSource
  void whatAsterixDbCannotNoteIsGoneAfterACrash(Load.Way way) throws Exception {
    failToNote(way);
    dataset.crash();
    assertThat(dataset.rows()).isEmpty();
  }

  private void failToNote(Load.Way way) throws HyracksDataException {
    Load load = way.begin(dataset).addRecords();
    dataset.checkpointsFail = true;
    Throwable thrown = catchThrowable(load::end);
    dataset.checkpointsFail = false;
    assertThat(thrown).hasStackTraceContaining("no checkpoint today");
    assertThat(load.loader.getFailure()).isSameAs(thrown);
    assertThat(load.loader.hasFailed()).isTrue();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "after", "noted", "completed");
    EngineStatistics.Work work = dataset.host.statistics().work();
    assertThat(work.loads() + work.flushes()).as("on disk before it is noted").isPositive();
  }

  // ---- Faults.

  @Test
  void aFaultOfTheEngineIsThatOfTheLoad() throws Exception {
    Load load = new Load(dataset.primary()).add(1, "a");
    dataset.host.loam().trees().drop(dataset.host.statistics().trees().get(0).name());
    requireRefused(load, "was dropped", 2, "b");
    load.end();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "completed");
    requireEmptyAndUsable(Load.Way.SORTED);
  }

  // ---- What is not the load's.

  @Test
  void whatWasThereBeforeStays() throws Exception {
    begin().insert(0, "a").commit();
    Load load = new Load(dataset.primary(), true, false).add(1, "b");
    load.abort();
    assertThat(load.loader.hasFailed()).isTrue();
    assertThat(dataset.toldOfLoads).containsExactly("scheduled", "completed");
    assertThat(search().key(0)).containsExactly("0 a");
  }
}
