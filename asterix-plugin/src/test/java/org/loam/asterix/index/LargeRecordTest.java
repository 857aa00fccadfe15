package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records as large as the node's memory allows, and larger ones. */
@Timeout(60)
class LargeRecordTest extends DatasetTest {
  private int most() {
    return dataset.host.loam().largestRecordBytes();
  }

  /** A text with which a record takes so many bytes: key, sizes and tags are 28 of them. */
  private static String text(int recordBytes) {
    return "x".repeat(recordBytes - 28);
  }

  @Test
  void aRecordMayTakeAllMemoryThatThereIs() throws Exception {
    LoamIndex index = dataset.secondary("other", 2);
    String largest = text(most());
    Transaction transaction = begin().insert(1, largest).insertInto(index, 7, 1);
    transaction.commit();
    assertThat(dataset.rows()).containsExactly("1 " + largest);
    dataset.flush();
    begin().insert(2, "b").commit();
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 " + largest);
    assertThat(TestDataset.rows(dataset.secondary("other", 2))).containsExactly("7 1");
  }

  @Test
  void whatIsLargerIsRefusedBeforeItIsLoggedAndLeavesNothing() throws Exception {
    begin().insert(1, "a").commit();
    Transaction transaction = begin().upsert(2, "b");
    assertThatThrownBy(() -> transaction.upsert(1, text(most() + 28)))
        .isInstanceOfSatisfying(
            HyracksDataException.class,
            e -> assertThat(e.matches(ErrorCode.RECORD_IS_TOO_LARGE)).isTrue())
        .hasMessageContaining(
            " bytes) larger than maximum acceptable entry size ("
                + most()
                + " bytes, for which loam.memory has room; a larger loam.memory takes larger");
    assertThat(transaction.asked).containsExactly("before 2", "found 2", "before 1");
    transaction.rollBack();
    assertThat(dataset.rows()).containsExactly("1 a");
  }

  @Test
  void aLargeRecordIsTakenBack() throws Exception {
    begin().insert(1, "a").commit();
    begin().upsert(1, text(most() / 2)).rollBack();
    assertThat(dataset.rows()).containsExactly("1 a");
    dataset.flush();
    String large = text(most() / 10 * 9);
    begin().upsert(1, large).commit();
    dataset.flush();
    assertThat(dataset.rows()).containsExactly("1 " + large);
  }

  /** Each has room only after a flush of what was redone before. */
  @Test
  void largeRecordsAreMadeAgainOneAfterTheOther() throws Exception {
    String large = text(most() / 10 * 9);
    Transaction first = begin().insert(1, large);
    first.commit();
    dataset.flush();
    Transaction second = begin().insert(2, large);
    second.commit();
    dataset.crash();
    dataset.host.loam().beginRedo();
    first.redo();
    dataset.host.loam().makeRoomForRedo(large.length(), dataset.host.nextLsn());
    second.redo();
    dataset.host.loam().endRedo();
    assertThat(dataset.rows()).containsExactly("1 " + large, "2 " + large);
  }

  @Test
  void aLoadTakesRecordsThatWriteMemoryCannotHold() throws Exception {
    String large = text(most() + (8 << 20));
    new Load(dataset.primary()).add(1, "a").add(2, large).end();
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 a", "2 " + large);
  }
}
