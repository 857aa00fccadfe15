package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index of keys, which AsterixDB's insert writes to as if it were the primary index. */
class KeyIndexTest extends DatasetTest {
  private LoamIndex keys;

  @BeforeEach
  void fill() throws HyracksDataException {
    keys = dataset.secondary("keys", 1);
    begin().insert(1, "a").insertInto(keys, 1).commit();
  }

  @Test
  void entriesAreTakenBackWhereTheyBelong() throws Exception {
    Transaction transaction = begin().insert(2, "b").insertInto(keys, 2);
    assertThat(TestDataset.rows(keys)).containsExactly("1", "2");
    transaction.undoLast();
    assertThat(TestDataset.rows(keys)).containsExactly("1");
    assertThat(dataset.rows()).containsExactly("1 a", "2 b");
    transaction.undoLast();
    assertThat(TestDataset.rows(keys)).containsExactly("1");
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  /** Each index has its own records in the log, and its own moment from which they are needed. */
  @Test
  void recordsOfTheLogNameTheIndexThatWasWritten() throws Exception {
    Transaction transaction =
        begin().insertInto(keys, 2).insert(2, "b").insertInto(keys, 3).delete(1, "a");
    long records = TestDataset.resource(TestDataset.PRIMARY);
    assertThat(transaction.loggedResources())
        .containsExactly(
            TestDataset.resource("keys"), records, TestDataset.resource("keys"), records);
  }

  @Test
  void aRecordThatCouldNotBeLoggedLeavesTheCallbackAsItWas() throws Exception {
    Transaction transaction = begin().logFails();
    assertThatThrownBy(() -> transaction.insertInto(keys, 2)).hasMessageContaining("log page");
    assertThat(transaction.nextResource()).isEqualTo(TestDataset.resource(TestDataset.PRIMARY));
  }

  @Test
  void aDeleteByKeyAloneIsOneOfTheRecord() throws Exception {
    begin().delete(1).commit();
    assertThat(dataset.rows()).isEmpty();
    assertThat(TestDataset.rows(keys)).containsExactly("1");
  }

  @Test
  void entriesAreMadeAgainWhereTheyBelong() throws Exception {
    Transaction lost =
        begin().insert(2, "b").insertInto(keys, 2).insert(3, "c").insertInto(keys, 3);
    lost.commit();
    dataset.crash();
    keys = dataset.secondary("keys", 1);
    lost.redo();
    assertThat(dataset.rows()).containsExactly("2 b", "3 c");
    assertThat(TestDataset.rows(keys)).containsExactly("2", "3");
  }

  @Test
  void anAsterixDbWithoutTheFieldIsNoticed() {
    LoamIndex.requireHost();
    assertThatThrownBy(() -> KeyIndexLog.record(Transaction.class, "other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("Transaction has no field other", "CREATE PRIMARY INDEX");
  }
}
