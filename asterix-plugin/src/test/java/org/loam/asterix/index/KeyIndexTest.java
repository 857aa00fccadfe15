package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index of keys, whose entries are in the log as writes of the primary index. */
class KeyIndexTest extends DatasetTest {
  private LoamIndex keys;

  @BeforeEach
  void fill() throws HyracksDataException {
    openKeys();
    begin().insert(1, "a").insertInto(keys, 1).commit();
    dataset.keyIndexLookups = 0;
  }

  private void openKeys() throws HyracksDataException {
    keys = dataset.secondary("keys", 1);
    dataset.keyIndex = keys;
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
    assertThat(dataset.keyIndexLookups).isEqualTo(1);
  }

  @Test
  void eachRollbackLooksForTheIndexAgain() throws Exception {
    Transaction first = begin().insert(2, "b").insertInto(keys, 2);
    Transaction second = begin().insert(3, "c").insertInto(keys, 3);
    first.rollBack();
    second.rollBack();
    assertThat(dataset.keyIndexLookups).isEqualTo(2);
  }

  @Test
  void entriesAreMadeAgainWhereTheyBelong() throws Exception {
    Transaction lost =
        begin().insert(2, "b").insertInto(keys, 2).insert(3, "c").insertInto(keys, 3);
    lost.commit();
    dataset.crash();
    openKeys();
    lost.redo();
    assertThat(dataset.rows()).containsExactly("2 b", "3 c");
    assertThat(TestDataset.rows(keys)).containsExactly("2", "3");
    assertThat(dataset.keyIndexLookups).as("looking for it reads files").isEqualTo(1);
  }

  @Test
  void entriesOfAnIndexThatWasDroppedAreForgotten() throws Exception {
    Transaction transaction = begin().insert(2, "b").insertInto(keys, 2);
    dataset.keyIndex = null;
    transaction.rollBack();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void aDeleteByKeyAloneIsOneOfTheRecord() throws Exception {
    begin().delete(1).commit();
    assertThat(dataset.rows()).isEmpty();
    assertThat(TestDataset.rows(keys)).containsExactly("1");
    assertThat(dataset.keyIndexLookups).isZero();
  }

  @Test
  void anEntryThatIsNotThereCannotBeTakenBack() throws Exception {
    Transaction transaction = begin().insert(2, "b").insertInto(keys, 2);
    dataset.keyIndex = dataset.secondary("others", 1);
    assertThatThrownBy(transaction::undoLast).hasMessageContaining("no write to take back");
  }
}
