package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.api.ILSMIndexCursor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Searches of ranges, while transactions write. */
class RangeSearchTest extends DatasetTest {
  @BeforeEach
  void fill() throws HyracksDataException {
    begin().insert(1, "a").insert(2, "b").insert(3, "c").insert(4, "d").commit();
  }

  @Test
  void boundsAreWithinTheRangeOrNot() throws Exception {
    assertThat(search().range(2L, 3L)).containsExactly("2 b", "3 c");
    assertThat(search().range(1L, false, 4L, false)).containsExactly("2 b", "3 c");
    assertThat(search().range(2L, false, 3L, true)).containsExactly("3 c");
    assertThat(search().range(2L, true, 3L, false)).containsExactly("2 b");
    assertThat(search().range(2L, false, 2L, true)).isEmpty();
    assertThat(search().range(2L, true, 2L, false)).isEmpty();
    assertThat(search().range(3L, null)).containsExactly("3 c", "4 d");
    assertThat(search().range(null, 2L)).containsExactly("1 a", "2 b");
    assertThat(search().range(3L, 2L)).isEmpty();
  }

  @Test
  void theBeginningOfAKeyStandsForAllKeysThatHaveIt() throws Exception {
    LoamIndex pairs = dataset.secondary("pairs", 2);
    for (long[] pair : new long[][] {{1, 9}, {2, 1}, {2, 2}, {3, 1}}) {
      begin().insertInto(pairs, pair[0], pair[1]).commit();
    }
    assertThat(new Search(pairs).range(2L, 2L)).containsExactly("2 1", "2 2");
    assertThat(new Search(pairs).range(1L, false, 3L, false)).containsExactly("2 1", "2 2");
  }

  @Test
  void eachRowIsAskedForOnceAndNothingWaits() throws Exception {
    Search search = search();
    assertThat(search.range(1L, 3L)).containsExactly("1 a", "2 b", "3 c");
    assertThat(search.asked).containsExactly("proceed 1", "proceed 2", "proceed 3");
  }

  @Test
  void aRowThatWasChangedWhileWeWaitedIsShownAsItIsThen() throws Exception {
    Search search = search().locked(2).during("reconcile 2", () -> begin().upsert(2, "x").commit());
    assertThat(search.range(null, 3L)).containsExactly("1 a", "2 x", "3 c");
    assertThat(search.asked)
        .containsExactly("proceed 1", "proceed 2", "reconcile 2", "complete 2", "proceed 3");
  }

  @Test
  void aRowThatWasDeletedWhileWeWaitedIsNotShown() throws Exception {
    Search search = search().locked(2).during("reconcile 2", () -> begin().delete(2, "b").commit());
    assertThat(search.range(null, 3L)).containsExactly("1 a", "3 c");
    assertThat(search.asked)
        .containsExactly("proceed 1", "proceed 2", "reconcile 2", "cancel 2", "proceed 3");
  }

  @Test
  void theLastRowMayGoWhileWeWait() throws Exception {
    Search search = search().locked(4).during("reconcile 4", () -> begin().delete(4, "d").commit());
    assertThat(search.range(3L, null)).containsExactly("3 c");
    assertThat(search.asked).endsWith("proceed 4", "reconcile 4", "cancel 4");
  }

  @Test
  void aRowThatIsTakenBackWhileWeAskIsNotShown() throws Exception {
    Transaction other = begin().insert(0, "x");
    Search search = search().during("proceed 0", other::rollBack);
    assertThat(search.range(null, 2L)).containsExactly("1 a", "2 b");
  }

  @Test
  void aRowWhoseChangeIsTakenBackWhileWeAskIsShownAsItWasBefore() throws Exception {
    Transaction other = begin().upsert(2, "x");
    Search search = search().during("proceed 2", other::rollBack);
    assertThat(search.range(null, 3L)).containsExactly("1 a", "2 b", "3 c");
  }

  @Test
  void whatIsTakenBackAfterASearchBeganDoesNotShowInIt() throws Exception {
    Transaction other = begin().insert(5, "x").upsert(4, "x").delete(3, "c");
    Search search = search().during("proceed 1", other::rollBack);
    assertThat(search.range(null, null)).containsExactly("1 a", "2 b", "3 c", "4 d");
  }

  @Test
  void whatIsWrittenAfterWeAskedDoesNotShowBeforeItIsCommitted() throws Exception {
    Transaction other = begin().insert(9, "x");
    Search search = searchBeforeWrite(other::rollBack);
    assertThat(search.range(2L, 3L)).containsExactly("2 b", "3 c");
    assertThat(search.asked)
        .containsExactly("proceed 2", "proceed 2", "reconcile 2", "complete 2", "proceed 3");
  }

  /** So that a row that is asked for is one that is in the log as committed. */
  @Test
  void aSearchShowsTheTreeAsItWasWhenItBegan() throws Exception {
    Search search =
        search().during("proceed 1", () -> begin().upsert(3, "x").insert(5, "y").commit());
    assertThat(search.range(null, null)).containsExactly("1 a", "2 b", "3 c", "4 d");
  }

  @Test
  void aRowThatWasWaitedForSaysSo() throws Exception {
    Search search = search().locked(2);
    assertThat(search.range(null, null)).containsExactly("1 a", "2 b", "3 c", "4 d");
    assertThat(search.waited).containsExactly("2 b");
  }

  @Test
  void aCursorCanBeUsedForOneSearchAfterTheOther() throws Exception {
    ILSMIndexAccessor accessor = search().accessor();
    ILSMIndexCursor cursor = (ILSMIndexCursor) accessor.createSearchCursor(false);
    for (long low = 4; low > 0; low--) {
      accessor.search(cursor, new RangePredicate(AdmTuple.of(low), null, true, true, null, null));
      assertThat(cursor.hasNext()).isTrue();
      assertThat(AdmTuple.text(cursor.getTuple(), 0)).isEqualTo(Long.toString(low));
      cursor.close();
    }
    cursor.destroy();
  }
}
