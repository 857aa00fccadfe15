package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Searches of single keys, alone and many at once, while transactions write. */
class KeySearchTest extends DatasetTest {
  @BeforeEach
  void fill() throws HyracksDataException {
    begin().insert(1, "a").insert(2, "b").insert(3, "c").commit();
  }

  // ---- One key.

  @Test
  void aKeyIsFoundOnceAndOnlyThatOne() throws Exception {
    Search search = search();
    assertThat(search.key(2)).containsExactly("2 b");
    assertThat(search.asked).containsExactly("proceed 2");
  }

  /**
   * AsterixDB looks for the key of a delete in all partitions of a node. A delete that found it in
   * one of them has its lock, and asking for a weaker one is an error.
   */
  @Test
  void aKeyThatWasNeverThereIsNotAskedFor() throws Exception {
    Search search = search().locked(9);
    assertThat(search.key(9)).isEmpty();
    assertThat(search.asked).isEmpty();
  }

  @Test
  void aRowOnDiskIsCommittedAndNotAskedFor() throws Exception {
    dataset.flush();
    Search search = search().locked(2);
    assertThat(search.key(2)).containsExactly("2 b");
    assertThat(search.asked).isEmpty();
  }

  @Test
  void aDeleteIsAwaitedAndTheRowShownIfItIsTakenBack() throws Exception {
    dataset.flush();
    Transaction other = begin().delete(2, "b");
    Search search = search().locked(2).during("reconcile 2", other::rollBack);
    assertThat(search.key(2)).containsExactly("2 b");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2");
  }

  @Test
  void aRowThatWasChangedWhileWeWaitedIsShownAsItIsThen() throws Exception {
    Search search = search().locked(2).during("reconcile 2", () -> begin().upsert(2, "x").commit());
    assertThat(search.key(2)).containsExactly("2 x");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2");
  }

  @Test
  void aRowThatWasDeletedWhileWeWaitedIsNotShown() throws Exception {
    Search search = search().locked(2).during("reconcile 2", () -> begin().delete(2, "b").commit());
    assertThat(search.key(2)).isEmpty();
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "cancel 2");
  }

  @Test
  void aRowThatCameWhileWeWaitedIsShown() throws Exception {
    Transaction other = begin().delete(2, "b");
    Search search = search().locked(2).during("reconcile 2", () -> other.insert(2, "x").commit());
    assertThat(search.key(2)).containsExactly("2 x");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2");
  }

  @Test
  void whatIsTakenBackWhileWeAskDoesNotShow() throws Exception {
    Transaction insert = begin().insert(9, "x");
    assertThat(search().during("proceed 9", insert::rollBack).key(9)).isEmpty();
    Transaction upsert = begin().upsert(2, "x");
    assertThat(search().during("proceed 2", upsert::rollBack).key(2)).containsExactly("2 b");
    Transaction delete = begin().delete(2, "b");
    assertThat(search().during("proceed 2", delete::rollBack).key(2)).containsExactly("2 b");
  }

  /** It is asked again: the lock of the key is free when it is read again. */
  @Test
  void whatIsWrittenAfterWeAskedDoesNotShowBeforeItIsCommitted() throws Exception {
    Transaction other = begin().insert(9, "x");
    Search search = searchBeforeWrite(other::rollBack);
    assertThat(search.key(2)).containsExactly("2 b");
    assertThat(search.asked).containsExactly("proceed 2", "proceed 2", "reconcile 2", "complete 2");
  }

  // ---- Many keys, by AsterixDB's own cursor.

  @Test
  void keysAreLookedUpOneAfterTheOther() throws Exception {
    dataset.flush();
    begin().upsert(3, "d").commit();
    Search search = search();
    assertThat(search.keys(1L, 2L, 3L, 8L, 9L)).containsExactly("1 a", "2 b", "3 d");
    assertThat(search.asked).containsExactly("proceed 1", "proceed 2", "proceed 3");
  }

  @Test
  void noKeysFindNothing() throws Exception {
    assertThat(search().keys()).isEmpty();
    assertThat(search().keys(8L, 9L)).isEmpty();
  }

  @Test
  void keysThatWeWaitForAreLookedUpAgain() throws Exception {
    Search search =
        search()
            .locked(1)
            .locked(2)
            .during("reconcile 1", () -> begin().upsert(1, "x").commit())
            .during("reconcile 2", () -> begin().delete(2, "b").commit());
    assertThat(search.keys(1L, 2L, 3L)).containsExactly("1 x", "3 c");
    assertThat(search.asked)
        .isEqualTo(
            List.of(
                "proceed 1",
                "reconcile 1",
                "complete 1",
                "proceed 2",
                "reconcile 2",
                "cancel 2",
                "proceed 3"));
  }

  @Test
  void deletesOfKeysAreAwaitedAndTheirRowsShownIfTheyAreTakenBack() throws Exception {
    dataset.flush();
    begin().delete(1, "a").commit();
    Transaction other = begin().delete(2, "b");
    Search search = search().locked(2).during("reconcile 2", other::rollBack);
    assertThat(search.keys(1L, 2L, 3L)).containsExactly("2 b", "3 c");
    assertThat(search.asked)
        .containsExactly("proceed 1", "proceed 2", "reconcile 2", "complete 2", "proceed 3");
  }

  @Test
  void deletesOfKeysThatAreCommittedWhileWeWaitAreDeletes() throws Exception {
    Transaction other = begin().delete(2, "b");
    Search search = search().locked(2).during("reconcile 2", other::commit);
    assertThat(search.keys(1L, 2L, 3L)).containsExactly("1 a", "3 c");
    assertThat(search.asked)
        .containsExactly("proceed 1", "proceed 2", "reconcile 2", "cancel 2", "proceed 3");
  }

  @Test
  void aDeleteThatIsTakenBackWhileWeAskForKeysIsNotOne() throws Exception {
    Transaction other = begin().delete(2, "b");
    Search search = search().during("proceed 2", other::rollBack);
    assertThat(search.keys(1L, 2L, 3L)).containsExactly("1 a", "2 b", "3 c");
  }

  @Test
  void whatIsTakenBackWhileWeAskForKeysDoesNotShow() throws Exception {
    Transaction insert = begin().insert(9, "x");
    Transaction upsert = begin().upsert(2, "x");
    Search search =
        search().during("proceed 9", insert::rollBack).during("proceed 2", upsert::rollBack);
    assertThat(search.keys(1L, 2L, 3L, 9L)).containsExactly("1 a", "2 b", "3 c");
  }

  @Test
  void whatIsWrittenAfterWeAskedForKeysDoesNotShowBeforeItIsCommitted() throws Exception {
    Transaction other = begin().insert(9, "x");
    Search search = searchBeforeWrite(other::rollBack);
    assertThat(search.keys(2L, 3L)).containsExactly("2 b", "3 c");
    assertThat(search.asked).containsExactly("proceed 2", "reconcile 2", "complete 2", "proceed 3");
  }
}
