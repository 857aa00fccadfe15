package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.junit.jupiter.api.Test;

/** Transactions that come to nothing. */
class RollbackTest extends DatasetTest {
  /** From now on writes are refused, which they only learn when they are in AsterixDB's log. */
  private void fillDisk() throws HyracksDataException {
    Load first = new Load(dataset.secondary("first", 1));
    // There is no buffer for a second one, so that it has something to flush.
    Load second = new Load(dataset.secondary("second", 1)).add(1);
    dataset.host.disk().freeBytes(0);
    assertThatThrownBy(second::end).isInstanceOf(HyracksDataException.class);
    first.abort();
  }

  @Test
  void anInsertIsTakenBack() throws Exception {
    begin().insert(1, "a").rollBack();
    assertThat(dataset.rows()).isEmpty();
  }

  @Test
  void theValueBeforeAnUpsertShowsAgainInMemoryAndOnDisk() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    dataset.flush();
    begin().upsert(2, "c").commit();
    begin().upsert(1, "x").upsert(2, "x").upsert(3, "x").rollBack();
    assertThat(dataset.rows()).containsExactly("1 a", "2 c");
  }

  @Test
  void whatWasDeletedIsThereAgain() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    dataset.flush();
    begin().upsert(2, "c").commit();
    begin().delete(1, "a").delete(2, "c").rollBack();
    assertThat(dataset.rows()).containsExactly("1 a", "2 c");
  }

  @Test
  void writesOfAKeyAreTakenBackNewestFirst() throws Exception {
    begin().insert(1, "a").commit();
    Transaction transaction = begin().upsert(1, "b").delete(1, "b").insert(1, "c").upsert(1, "d");
    assertThat(dataset.rows()).containsExactly("1 d");
    transaction.undoLast();
    assertThat(dataset.rows()).containsExactly("1 c");
    transaction.undoLast();
    assertThat(dataset.rows()).isEmpty();
    transaction.undoLast();
    assertThat(dataset.rows()).containsExactly("1 b");
    transaction.undoLast();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void aWriteThatFailedAfterItWasLoggedTakesNothingBack() throws Exception {
    begin().insert(1, "a").commit();
    Transaction failing = begin().upsert(2, "b");
    fillDisk();
    assertThatThrownBy(() -> failing.upsert(1, "x")).hasMessageContaining("bytes free");
    assertThat(failing.asked).endsWith("before 1", "found 1");
    failing.rollBack();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void theNextTransactionAtThatKeyIsTakenBackAsEver() throws Exception {
    begin().insert(1, "a").commit();
    fillDisk();
    assertThatThrownBy(() -> begin().upsert(1, "x")).hasMessageContaining("bytes free");
    dataset.host.disk().freeBytes(Long.MAX_VALUE / 2);
    // Its rollback was lost, or AsterixDB did not need one.
    begin().upsert(1, "b").rollBack();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void aWriteThatFailedBeforeItWasLoggedLeavesOthersOfItsKeyToBeTakenBack() throws Exception {
    begin().insert(1, "a").commit();
    Transaction failing = begin().upsert(1, "b").logFails();
    assertThatThrownBy(() -> failing.upsert(1, "c")).isInstanceOf(HyracksDataException.class);
    assertThat(dataset.rows()).containsExactly("1 b");
    failing.rollBack();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void anAccessorThatTookAWriteBackWritesAgain() throws Exception {
    begin().insert(1, "a");
    ILSMIndexAccessor accessor =
        dataset.primary().createAccessor(NoOpIndexAccessParameters.INSTANCE);
    accessor.forceDelete(AdmTuple.of(1, "a"));
    accessor.insert(AdmTuple.of(2, "b"));
    accessor.destroy();
    assertThat(dataset.rows()).containsExactly("2 b");
  }

  @Test
  void takingBackWhatWasFlushedIsAFault() throws Exception {
    Transaction transaction = begin().insert(1, "a");
    transaction.commit();
    dataset.flush();
    assertThatThrownBy(transaction::undoLast).hasMessageContaining("no write to take back");
  }
}
