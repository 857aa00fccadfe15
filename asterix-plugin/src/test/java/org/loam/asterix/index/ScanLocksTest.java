package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which rows a search asks AsterixDB's locks about, where rows are on disk and in memory. */
class ScanLocksTest extends DatasetTest {
  /** Rows with the keys 1 to 3 are on disk. */
  private void flushThree() throws Exception {
    begin().insert(1, "a").insert(2, "b").insert(3, "c").commit();
    dataset.flush();
  }

  // ---- Scans.

  @Test
  void whatIsOnDiskIsCommittedAndNobodyIsAsked() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    Search inMemory = search();
    assertThat(inMemory.range(null, null)).containsExactly("1 a", "2 b");
    assertThat(inMemory.asked).containsExactly("proceed 1", "proceed 2");
    dataset.flush();
    Search onDisk = search().locked(1);
    assertThat(onDisk.range(null, null)).containsExactly("1 a", "2 b");
    assertThat(onDisk.asked).isEmpty();
    assertThat(onDisk.waited).isEmpty();
  }

  @Test
  void whatIsInMemoryIsAskedAboutWhereverElseItIs() throws Exception {
    begin().insert(4, "d").commit();
    flushThree();
    begin().upsert(2, "x").insert(5, "x").delete(3, "c").commit();
    Search search = search();
    assertThat(search.range(null, null)).containsExactly("1 a", "2 x", "4 d", "5 x");
    assertThat(search.asked).containsExactly("proceed 2", "proceed 5");
    assertThat(search.waited).isEmpty();
  }

  @Test
  void theEndOfATransactionIsAwaitedAndWhatItLeftIsShown() throws Exception {
    flushThree();
    begin().upsert(2, "x").commit();
    Search search = search().locked(2);
    assertThat(search.range(null, null)).containsExactly("1 a", "2 x", "3 c");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2");
    assertThat(search.waited).containsExactly("2 x");
  }

  @Test
  void whatIsOnDiskIsShownAfterARollbackAndNotAskedAboutAgain() throws Exception {
    flushThree();
    Transaction other = begin().upsert(2, "x");
    Search search = search().locked(2).during("reconcile 2", other::rollBack);
    assertThat(search.range(null, null)).containsExactly("1 a", "2 b", "3 c");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2");
    assertThat(search.waited).containsExactly("2 b");
  }

  @Test
  void whatWasDeletedWhileWeWaitedIsNotShownEvenIfItIsOnDisk() throws Exception {
    flushThree();
    Transaction other = begin().upsert(2, "x");
    Search search = search().locked(2).during("reconcile 2", () -> other.delete(2, "x").commit());
    assertThat(search.range(null, null)).containsExactly("1 a", "3 c");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "cancel 2");
    assertThat(search.waited).isEmpty();
  }

  @Test
  void whatWasTakenBackUnseenIsReadAgain() throws Exception {
    flushThree();
    Transaction other = begin().upsert(1, "x").upsert(2, "x");
    Search search = search().during("proceed 1", other::rollBack);
    assertThat(search.range(null, null)).containsExactly("1 a", "2 b", "3 c");
    assertThat(search.waited).isEmpty();
  }

  @Test
  void whoHasNoTransactionAsksNobody() throws Exception {
    begin().insert(1, "a").commit();
    Search search = search().locked(1).withoutTransaction();
    assertThat(search.range(null, null)).containsExactly("1 a");
    assertThat(search.asked).isEmpty();
  }

  // ---- Lookups.

  @Test
  void aLookupAsksWhereverTheKeyIs() throws Exception {
    begin().insert(1, "a").commit();
    dataset.flush();
    begin().insert(2, "b").commit();
    Search search = search();
    assertThat(search.key(1)).containsExactly("1 a");
    assertThat(search.key(2)).containsExactly("2 b");
    assertThat(search.key(3)).isEmpty();
    assertThat(search.asked).containsExactly("proceed 1", "proceed 2", "proceed 3");
  }
}
