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
  void whatIsOnDiskIsCommittedAndNoLockIsAskedFor() throws Exception {
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
    assertThat(search.asked).containsExactly("proceed 2", "proceed 3", "proceed 5");
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
  void aScanWithoutATransactionAsksForNoLock() throws Exception {
    begin().insert(1, "a").commit();
    Search search = search().locked(1).withoutTransaction();
    assertThat(search.range(null, null)).containsExactly("1 a");
    assertThat(search.asked).isEmpty();
  }

  // ---- Scans that meet deletes, which AsterixDB's own index asks about, too.

  @Test
  void aDeleteIsAwaitedAndShownIfItIsTakenBack() throws Exception {
    flushThree();
    Transaction other = begin().delete(2, "b");
    Search search = search().locked(2).during("reconcile 2", other::rollBack);
    assertThat(search.range(null, null)).containsExactly("1 a", "2 b", "3 c");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2");
    assertThat(search.waited).containsExactly("2 b");
  }

  @Test
  void aDeleteIsAwaitedAndNotShownIfItIsCommitted() throws Exception {
    flushThree();
    Transaction other = begin().delete(1, "a").delete(3, "c");
    Search search = search().locked(1).locked(3).during("reconcile 3", other::commit);
    assertThat(search.range(null, null)).containsExactly("2 b");
    assertThat(search.asked)
        .containsExactly(
            "proceed 1", "reconcile 1", "cancel 1", "proceed 3", "reconcile 3", "cancel 3");
    assertThat(search.waited).isEmpty();
  }

  @Test
  void aDeleteOfWhatIsInMemoryIsAwaited() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    Transaction other = begin().upsert(1, "x").delete(1, "x");
    Search search = search().locked(1).during("reconcile 1", other::rollBack);
    assertThat(search.range(1L, 2L)).containsExactly("1 a", "2 b");
    assertThat(search.waited).containsExactly("1 a");
  }

  @Test
  void aDeleteThatIsTakenBackWhileWeAskIsNotOne() throws Exception {
    flushThree();
    Transaction other = begin().delete(2, "b");
    Search search = search().during("proceed 2", other::rollBack);
    assertThat(search.range(null, null)).containsExactly("1 a", "2 b", "3 c");
    assertThat(search.waited).isEmpty();
  }

  @Test
  void aKeyThatIsThereAgainWhenItsDeleteWasAwaitedIsShown() throws Exception {
    flushThree();
    Transaction other = begin().delete(2, "b");
    Search search = search().locked(2).during("reconcile 2", () -> other.insert(2, "y").commit());
    assertThat(search.range(null, null)).containsExactly("1 a", "2 y", "3 c");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2");
  }

  @Test
  void deletesOutsideOfTheRangeAndOnDiskAreNotAskedAbout() throws Exception {
    flushThree();
    begin().delete(1, "a").commit();
    dataset.flush();
    begin().delete(3, "c").commit();
    Search search = search().locked(1).locked(3);
    assertThat(search.range(null, 2L)).containsExactly("2 b");
    assertThat(search.asked).isEmpty();
  }

  /** Its locks are those of records, which are read after its entries. */
  @Test
  void deletesInASecondaryIndexAreNotAskedAbout() throws Exception {
    LoamIndex other = dataset.secondary("other", 2);
    begin().insertInto(other, 1, "a").insertInto(other, 2, "b").deleteFrom(other, 1, "a").commit();
    Search search = new Search(other).locked(1);
    assertThat(search.range(null, null)).containsExactly("2 b");
    assertThat(search.asked).containsExactly("proceed 2");
  }

  /** It is read instead of the records, as by a count. */
  @Test
  void deletesInAnIndexOfKeysAreAwaited() throws Exception {
    LoamIndex keys = dataset.secondary("keys", 1);
    begin().insertInto(keys, 1).insertInto(keys, 2).commit();
    Transaction other = begin().deleteFrom(keys, 1);
    Search search = new Search(keys).locked(1).during("reconcile 1", other::rollBack);
    assertThat(search.range(null, null)).containsExactly("1", "2");
    assertThat(search.asked).containsExactly("proceed 1", "reconcile 1", "complete 1", "proceed 2");
  }

  // ---- Lookups.

  @Test
  void aLookupAsksAboutWhatIsInMemory() throws Exception {
    begin().insert(1, "a").insert(3, "c").commit();
    dataset.flush();
    begin().insert(2, "b").delete(3, "c").commit();
    Search search = search();
    assertThat(search.key(1)).containsExactly("1 a");
    assertThat(search.key(2)).containsExactly("2 b");
    assertThat(search.key(3)).isEmpty();
    assertThat(search.key(4)).isEmpty();
    assertThat(search.asked).containsExactly("proceed 2", "proceed 3");
  }
}
