package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.junit.jupiter.api.Test;

/** Writes, and what is made again of them after a crash. */
class WriteTest extends DatasetTest {
  private static void assertDuplicate(HyracksDataException e) {
    assertThat(e.matches(ErrorCode.DUPLICATE_KEY)).isTrue();
  }

  @Test
  void aKeyIsLockedBeforeItIsLoggedAndWritten() throws Exception {
    Transaction transaction = begin().insert(1, "a").upsert(2, "b").delete(3, "c");
    assertThat(transaction.asked)
        .containsExactly("before 1", "found 1", "before 2", "found 2", "before 3", "found 3");
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
  }

  @Test
  void aRecordIsNotInsertedTwice() throws Exception {
    begin().insert(1, "a").commit();
    for (boolean flushed : new boolean[] {false, true}) {
      Transaction second = begin();
      assertThatThrownBy(() -> second.insert(1, "b"))
          .isInstanceOfSatisfying(HyracksDataException.class, WriteTest::assertDuplicate);
      assertThat(second.asked).as("locked, not logged").containsExactly("before 1");
      assertThat(dataset.rows()).containsExactly("1 a");
      if (!flushed) {
        dataset.flush();
      }
    }
    begin().delete(1, "a").insert(1, "c").commit();
    assertThat(dataset.rows()).containsExactly("1 c");
  }

  @Test
  void anEntryMayBeInsertedTwice() throws Exception {
    LoamIndex index = dataset.secondary("other", 2);
    begin().insertInto(index, 1, 2).insertInto(index, 1, 2).insertInto(index, 1, 3).commit();
    assertThat(TestDataset.rows(index)).containsExactly("1 2", "1 3");
  }

  @Test
  void aPhysicalDeleteIsADelete() throws Exception {
    begin().insert(1, "a").insert(2, "b").commit();
    dataset.flush();
    ILSMIndexAccessor accessor =
        dataset.primary().createAccessor(NoOpIndexAccessParameters.INSTANCE);
    accessor.physicalDelete(AdmTuple.of(1, "a"));
    accessor.destroy();
    assertThat(dataset.rows()).containsExactly("2 b");
  }

  @Test
  void aKeyThatIsTooLongFailsBeforeItIsLoggedAndLeavesNothing() throws Exception {
    Transaction transaction = begin().insert(1, "a");
    String key = "k".repeat(dataset.host.loam().maxKeyBytes());
    assertThatThrownBy(() -> transaction.upsert(key, "b"))
        .isInstanceOf(HyracksDataException.class)
        .hasMessageContaining(
            "HYR0043: Index entry size ("
                + (key.length() + 3)
                + " bytes of key) larger than maximum acceptable entry size ("
                + key.length()
                + " bytes of key;");
    assertThat(transaction.asked).containsExactly("before 1", "found 1");
    assertThat(dataset.rows()).containsExactly("1 a");
    transaction.rollBack();
    assertThat(dataset.rows()).isEmpty();
  }

  @Test
  void aKeyMayBeAsLongAsTheEngineAllows() throws Exception {
    // A tag and two bytes at the end are the key's own.
    String key = "k".repeat(dataset.host.loam().maxKeyBytes() - 3);
    begin().insert(key, "a").commit();
    dataset.flush();
    assertThat(dataset.rows()).containsExactly(key + " a");
    assertThatThrownBy(() -> begin().insert(key + "k", "a"))
        .isInstanceOf(HyracksDataException.class);
  }

  /** Of which there can be none; a search must not fail, as AsterixDB's own does not. */
  @Test
  void keysLongerThanTheEngineAllowsAreSearchedFor() throws Exception {
    String longest = "k".repeat(dataset.host.loam().maxKeyBytes() - 3);
    begin().insert("a", "b").insert(longest, "c").insert("l", "d").commit();
    for (int more = 1; more < 6; more++) {
      String longer = longest + "k".repeat(more);
      assertThat(search().key(longer)).isEmpty();
      assertThat(search().keys(longer, "a")).containsExactly("a b");
      for (boolean included : new boolean[] {true, false}) {
        assertThat(search().range(longer, included, null, true)).containsExactly("l d");
        assertThat(search().range(null, true, longer, included))
            .containsExactly("a b", longest + " c");
      }
    }
    assertThat(search().range(longest, false, null, true)).containsExactly("l d");
    assertThat(search().range(null, true, longest, false)).containsExactly("a b");
  }

  @Test
  void whatWasNotFlushedIsMadeAgain() throws Exception {
    Transaction first = begin().insert(1, "a").insert(2, "b").insert(3, "c");
    first.commit();
    dataset.flush();
    Transaction lost = begin().delete(1, "a").upsert(2, "x").insert(4, "d");
    lost.commit();
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 a", "2 b", "3 c");
    lost.redo();
    assertThat(dataset.rows()).containsExactly("2 x", "3 c", "4 d");
    // A crash may come between the flush and its checkpoint.
    lost.redo();
    assertThat(dataset.rows()).containsExactly("2 x", "3 c", "4 d");
  }
}
