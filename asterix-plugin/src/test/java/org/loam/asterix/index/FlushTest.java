package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.apache.hyracks.storage.am.lsm.common.api.IFrameTupleProcessor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.junit.jupiter.api.Test;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.Tree;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** What is in memory goes to disk when AsterixDB says so, and counts once it has noted that. */
class FlushTest extends DatasetTest {
  private static final IFrameTupleProcessor NO_TUPLES =
      new IFrameTupleProcessor() {
        @Override
        public void start() {}

        @Override
        public void process(ITupleReference tuple, int index) {}

        @Override
        public void finish() {}

        @Override
        public void fail(Throwable failure) {}
      };

  private long entriesOnDisk() {
    long entries = 0;
    for (TreeStatistics tree : dataset.host.statistics().trees()) {
      entries += tree.levels().stream().mapToLong(LevelStatistics::entries).sum();
    }
    return entries;
  }

  private ILSMIndexAccessor accessor() {
    return dataset.primary().createAccessor(NoOpIndexAccessParameters.INSTANCE);
  }

  @Test
  void aFlushWaitsUntilNoTransactionIsInside() throws Exception {
    Transaction transaction = begin().insert(1, "a");
    dataset.flush();
    assertThat(entriesOnDisk()).isZero();
    transaction.commit();
    dataset.makeLoggedFlushes();
    assertThat(entriesOnDisk()).isEqualTo(1);
    assertThat(dataset.host.statistics().work().flushes()).isEqualTo(1);
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void whatIsWrittenAfterAFlushBeganIsNotInIt() throws Exception {
    begin().insert(1, "a").commit();
    dataset.io.hold();
    dataset.flush();
    begin().insert(2, "b").upsert(1, "x").commit();
    dataset.io.release();
    assertThat(dataset.rows()).containsExactly("1 x", "2 b");
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void aTransactionIsTakenBackWhileAFlushIsUnderWay() throws Exception {
    begin().insert(1, "a").commit();
    dataset.io.hold();
    dataset.flush();
    Transaction transaction = begin().upsert(1, "x");
    dataset.io.release();
    transaction.rollBack();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void allIndexesOfADatasetAreFlushedTogether() throws Exception {
    LoamIndex other = dataset.secondary("other", 1);
    begin().insert(1, "a").insertInto(other, 1).commit();
    dataset.flush();
    assertThat(entriesOnDisk()).isEqualTo(2);
    dataset.crash();
    assertThat(TestDataset.rows(dataset.secondary("other", 1))).containsExactly("1");
  }

  @Test
  void anIndexWhoseFlushWasNotNotedIsEmptyAfterACrash() throws Exception {
    begin().insert(1, "a").commit();
    dataset.checkpointsFail = true;
    // AsterixDB ends the node then.
    dataset.flush();
    assertThat(entriesOnDisk()).isEqualTo(1);
    dataset.checkpointsFail = false;
    dataset.crash();
    assertThat(dataset.rows()).isEmpty();
    assertThat(dataset.primary().isEmptyIndex()).isTrue();
    assertThat(entriesOnDisk()).isZero();
  }

  @Test
  void anIndexThatWasFlushedOnceKeepsWhatItHas() throws Exception {
    begin().insert(1, "a").commit();
    dataset.flush();
    begin().insert(2, "b").commit();
    dataset.flush();
    for (int i = 0; i < 2; i++) {
      dataset.crash();
      assertThat(dataset.rows()).containsExactly("1 a", "2 b");
    }
  }

  // ---- Flushes that Loam wants.

  @Test
  void aFlushThatLoamWantsKeepsOperationsOutAndComesWhenThoseInsideHaveEnded() throws Exception {
    Transaction transaction = begin().insert(1, "a");
    dataset.primary().requestFlush();
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isFalse();
    assertThat(dataset.loggedFlushes).isEmpty();
    transaction.commit();
    assertThat(dataset.loggedFlushes).hasSize(1);
    dataset.makeLoggedFlushes();
    assertThat(entriesOnDisk()).isEqualTo(1);
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isTrue();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }

  @Test
  void operationsThatAreKeptOutAreAStallUntilOneIsLetIn() throws Exception {
    Transaction transaction = begin().insert(1, "a");
    dataset.primary().requestFlush();
    assertThat(stalls().count() + stalls().activeCount()).isZero();
    for (int i = 0; i < 3; i++) {
      assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isFalse();
    }
    assertThat(stalls().activeCount()).isEqualTo(1);
    transaction.commit();
    dataset.makeLoggedFlushes();
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isTrue();
    assertThat(stalls().activeCount()).isZero();
    assertThat(stalls().count()).isEqualTo(1);
    assertThat(stalls().nanos()).isPositive();
  }

  /** As when the job of a feed is cancelled that waits for memory. */
  @Test
  @SuppressWarnings("NullAway") // Nothing is asked for before the wait.
  void anOperationThatGivesUpIsNoStallAnyMore() throws Exception {
    begin().insert(1, "a");
    dataset.primary().requestFlush();
    FrameTupleAccessor frame =
        new FrameTupleAccessor(new RecordDescriptor(new ISerializerDeserializer<?>[2]));
    frame.reset(ByteBuffer.allocate(64));
    Thread.currentThread().interrupt();
    LoamIndexAccessor accessor = (LoamIndexAccessor) accessor();
    accessor.getOpContext().setOperation(IndexOperation.INSERT);
    Throwable given = catchThrowable(() -> accessor.batchOperate(frame, null, NO_TUPLES, null));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(given).hasRootCauseInstanceOf(InterruptedException.class);
    assertThat(stalls().activeCount()).isZero();
    assertThat(stalls().count()).isEqualTo(1);
  }

  @Test
  void operationsWaitForLoamsMemory() throws Exception {
    byte[] value = new byte[10_000];
    Tree other = dataset.host.loam().openTree("x", dataset.host.directory(), true, () -> {});
    for (int i = 0; !dataset.host.loam().isFull(); i++) {
      other.put(new byte[] {(byte) (i >> 8), (byte) i}, value);
    }
    assertThat(accessor().tryInsert(AdmTuple.of(1, "a"))).isFalse();
    other.flush();
    // A thread of the engine may still look at it for a moment.
    while (dataset.host.loam().isFull()) {
      Thread.onSpinWait();
    }
    assertThat(accessor().tryInsert(AdmTuple.of(1, "a"))).isTrue();
  }

  @Test
  void operationsWaitForAsterixDbsMemoryOnlyIfTheirPartitionNeedsIt() throws Exception {
    dataset.host.stockMemoryFull(true);
    assertThat(accessor().tryInsert(AdmTuple.of(1, "a"))).isTrue();
    dataset.addStockIndex();
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isFalse();
    dataset.host.stockMemoryFull(false);
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isTrue();
  }

  @Test
  void anIndexThatIsClosedKeepsNoOperationOut() throws Exception {
    begin().insert(1, "a").commit();
    dataset.primary().requestFlush();
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isFalse();
    dataset.primary().deactivate(false);
    assertThat(stalls().activeCount()).isZero();
  }

  private StallLog.Totals stalls() {
    StallLog.Totals totals = dataset.host.statistics().stalls().totals().get(StallCause.HOST_FLUSH);
    return totals == null ? new StallLog.Totals(0, 0, 0, 0) : totals;
  }

  @Test
  void aSecondaryIndexHasItsDatasetFlushed() throws Exception {
    LoamIndex other = dataset.secondary("other", 1);
    begin().insert(1, "a").insertInto(other, 1).commit();
    other.requestFlush();
    dataset.makeLoggedFlushes();
    assertThat(entriesOnDisk()).isEqualTo(2);
  }

  @Test
  void aFlushIsNotLoggedTwiceNorWhereThereIsNothing() throws Exception {
    dataset.primary().requestFlush();
    assertThat(dataset.loggedFlushes).isEmpty();
    begin().insert(1, "a").commit();
    dataset.primary().requestFlush();
    dataset.primary().requestFlush();
    assertThat(dataset.loggedFlushes).hasSize(1);
    dataset.makeLoggedFlushes();
    dataset.primary().requestFlush();
    assertThat(dataset.loggedFlushes).isEmpty();
    assertThat(dataset.host.statistics().work().flushes()).isEqualTo(1);
  }

  @Test
  void aFlushThatCouldNotBeLoggedIsLoggedWhenItIsAskedForAgain() throws Exception {
    begin().insert(1, "a").commit();
    dataset.logRefuses = 1;
    assertThatThrownBy(() -> dataset.primary().requestFlush()).hasRootCauseMessage("planned");
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isFalse();
    dataset.primary().requestFlush();
    dataset.makeLoggedFlushes();
    assertThat(entriesOnDisk()).isEqualTo(1);
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isTrue();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }

  /** AsterixDB flushes nothing then, and would not let them in again. */
  @Test
  void operationsAreNotKeptOutWhereNothingWasWritten() throws Exception {
    begin().insert(1, "a").commit();
    dataset.flush();
    assertThatThrownBy(() -> begin().insert(1, "b")).isInstanceOf(HyracksDataException.class);
    dataset.primary().requestFlush();
    assertThat(accessor().tryInsert(AdmTuple.of(2, "b"))).isTrue();
  }

  // ---- Recovery.

  /** The rest of the log is still to be redone, and a flush must not say that it is on disk. */
  @Test
  void aFlushDuringARecoverySaysHowFarThatHasRedone() throws Exception {
    Transaction first = begin().insert(1, "a").insert(2, "b");
    Transaction second = begin().insert(3, "c").upsert(1, "x");
    first.commit();
    second.commit();
    dataset.crash();
    dataset.primary().flushRedone(dataset.host.nextLsn());
    assertThat(dataset.flushedLsn()).isZero();
    first.redo();
    long redone = dataset.host.nextLsn();
    dataset.primary().flushRedone(redone);
    assertThat(dataset.loggedFlushes).isEmpty();
    assertThat(dataset.flushedLsn()).isEqualTo(redone);
    assertThat(entriesOnDisk()).isEqualTo(2);
    second.redo();
    redone = dataset.host.nextLsn();
    dataset.primary().flushRedone(redone);
    assertThat(dataset.flushedLsn()).isEqualTo(redone);
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 x", "2 b", "3 c");
    begin().upsert(4, "d").commit();
    dataset.flush();
    assertThat(dataset.flushedLsn()).isGreaterThan(redone);
  }

  /** AsterixDB flushes a partition only if its primary index has writes in memory. */
  @Test
  void indexesAreFlushedAfterARecoveryThatFlushedThePrimaryOne() throws Exception {
    LoamIndex other = dataset.secondary("other", 1);
    begin().insert(1, "a").insertInto(other, 1).commit();
    dataset.primary().flushRedone(dataset.host.nextLsn());
    assertThat(entriesOnDisk()).isEqualTo(1);
    dataset.flush();
    assertThat(entriesOnDisk()).isEqualTo(1);
    other.redone();
    dataset.primary().redone();
    dataset.flush();
    assertThat(entriesOnDisk()).isEqualTo(2);
    dataset.primary().redone();
    assertThat(dataset.primary().isCurrentMutableComponentEmpty()).isTrue();
    begin().upsert(2, "b").insertInto(other, 2).commit();
    dataset.flush();
    assertThat(entriesOnDisk()).isEqualTo(4);
    assertThat(TestDataset.rows(other)).containsExactly("1", "2");
  }

  @Test
  void compactingLeavesTheNewestOfEachKey() throws Exception {
    for (String value : List.of("a", "b", "c")) {
      begin().upsert(1, value).upsert(value.equals("a") ? 2 : 3, value).commit();
      dataset.flush();
    }
    begin().delete(2, "a").commit();
    dataset.flush();
    accessor().scheduleFullMerge().sync();
    assertThat(entriesOnDisk()).isEqualTo(2);
    assertThat(dataset.rows()).containsExactly("1 c", "3 c");
  }

  /** AsterixDB compacts what is on disk, and lets transactions write meanwhile. */
  @Test
  void compactingLeavesWhatATransactionMayTakeBack() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    dataset.flush();
    Transaction transaction = begin().upsert(1, "x").delete(2, "b").insert(3, "x");
    accessor().scheduleFullMerge().sync();
    assertThat(entriesOnDisk()).isEqualTo(2);
    assertThat(dataset.rows()).containsExactly("1 x", "3 x");
    transaction.rollBack();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }

  @Test
  void compactingKeepsNothingOverACrashThatIsNotCommitted() throws Exception {
    begin().insert(1, "a").commit();
    dataset.flush();
    begin().upsert(1, "x").insert(2, "x");
    accessor().scheduleFullMerge().sync();
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  // ---- Closing.

  @Test
  void aSearchOfAnIndexThatWasClosedFailsAndCanBeEnded() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    dataset.flush();
    ILSMIndexAccessor accessor = accessor();
    IIndexCursor cursor = accessor.createSearchCursor(false);
    accessor.search(cursor, new RangePredicate(null, null, true, true, null, null));
    assertThat(cursor.hasNext()).isTrue();
    cursor.next();
    dataset.primary().deactivate(false);
    assertThatThrownBy(cursor::hasNext)
        .isInstanceOf(HyracksDataException.class)
        .hasMessageContaining("the index is closed");
    cursor.close();
    cursor.destroy();
    assertThatThrownBy(() -> search().key(1)).hasMessageContaining("the index is closed");
  }

  @Test
  void aSearchThatHasEndedKeepsNothing() throws Exception {
    ILSMIndexAccessor accessor = accessor();
    IIndexCursor cursor = accessor.createSearchCursor(false);
    for (boolean ends : new boolean[] {false, true}) {
      begin().upsert(1, "a").commit();
      accessor.search(cursor, new RangePredicate(null, null, true, true, null, null));
      if (ends) {
        cursor.close();
      }
      begin().upsert(1, "b").commit();
      long before = entriesOnDisk();
      dataset.flush();
      assertThat(entriesOnDisk() - before).as("versions on disk").isEqualTo(ends ? 1 : 2);
      cursor.close();
    }
    cursor.destroy();
  }

  @Test
  void searchesThatHaveEndedAreNotInTheWayOfWriters() throws Exception {
    for (long key = 1; key <= 3; key++) {
      assertThat(accessor().tryInsert(AdmTuple.of(key, "a"))).as("%d", key).isTrue();
      assertThat(search().key(key)).hasSize(1);
      assertThat(search().keys(key)).hasSize(1);
      assertThat(dataset.rows()).hasSize((int) key);
      dataset.flush();
    }
  }

  /** A component of AsterixDB's is used again only when all that are inside have left. */
  @Test
  void aSearchThatIsOpenIsNotInTheWayOfWriters() throws Exception {
    begin().insert(1, "a").commit();
    ILSMIndexAccessor accessor = accessor();
    IIndexCursor cursor = accessor.createSearchCursor(false);
    accessor.search(cursor, new RangePredicate(null, null, true, true, null, null));
    for (long key = 2; key <= 4; key++) {
      dataset.flush();
      assertThat(accessor().tryInsert(AdmTuple.of(key, "a"))).as("%d", key).isTrue();
    }
    assertThat(cursor.hasNext()).isTrue();
    cursor.next();
    assertThat(cursor.hasNext()).isFalse();
    cursor.close();
    cursor.destroy();
    assertThat(dataset.rows()).containsExactly("1 a", "2 a", "3 a", "4 a");
  }

  @Test
  void aSearchThatIsOpenSeesWhatItSawWhenAFlushComes() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    ILSMIndexAccessor accessor = accessor();
    IIndexCursor cursor = accessor.createSearchCursor(false);
    accessor.search(cursor, new RangePredicate(null, null, true, true, null, null));
    begin().upsert(2, "x").commit();
    dataset.flush();
    assertThat(cursor.hasNext()).isTrue();
    cursor.next();
    assertThat(cursor.hasNext()).isTrue();
    cursor.next();
    assertThat(AdmTuple.text(cursor.getTuple())).isEqualTo("2 b");
    cursor.close();
    cursor.destroy();
    assertThat(dataset.rows()).containsExactly("1 a", "2 x");
  }
}
