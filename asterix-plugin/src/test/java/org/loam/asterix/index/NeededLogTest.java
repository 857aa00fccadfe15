package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.Test;

/**
 * AsterixDB keeps its log from the first record whose write is in memory only. A write may wait for
 * its turn when its record is in the log.
 */
class NeededLogTest extends DatasetTest {
  /** The LSN of the last record. */
  private long logged;

  /** A transaction for which another operator opens while its write waits. */
  private Transaction waits(LoamIndex index) throws HyracksDataException {
    dataset.openToWrite(index);
    return begin()
        .whenLogged(
            () -> {
              logged = dataset.host.nextLsn();
              requireNeeded(index);
              dataset.openToWrite(index);
              requireNeeded(index);
            });
  }

  private void requireNeeded(LoamIndex index) throws HyracksDataException {
    assertThat(dataset.neededLsn(index)).isLessThanOrEqualTo(logged);
  }

  @Test
  void aRecordIsNeededBeforeItsWriteIsMade() throws Exception {
    LoamIndex other = dataset.secondary("other", 2);
    LoamIndex keys = dataset.secondary("keys", 1);
    for (long key = 1; key <= 3; key++) {
      waits(dataset.primary()).insert(key, "a").commit();
      waits(other).insertInto(other, key, key).commit();
      waits(keys).insertInto(keys, key).commit();
      dataset.flush();
      for (LoamIndex index : List.of(dataset.primary(), other, keys)) {
        assertThat(dataset.neededLsn(index)).isGreaterThan(dataset.flushedLsn());
      }
    }
  }

  @Test
  void aRecordIsNeededWhenTheFlushBeforeItHasEnded() throws Exception {
    begin().insert(1, "a").commit();
    dataset.io.hold();
    dataset.flush();
    waits(dataset.primary()).insert(2, "b").commit();
    dataset.io.release();
    requireNeeded(dataset.primary());
    assertThat(dataset.neededLsn(dataset.primary())).isGreaterThan(dataset.flushedLsn());
  }

  /** So it costs a flush of nothing. */
  @Test
  void anIndexWhoseWriteFailedAfterItsRecordIsFlushed() throws Exception {
    Transaction failing =
        begin()
            .whenLogged(
                () -> {
                  throw HyracksDataException.create(new IOException("planned"));
                });
    assertThatThrownBy(() -> failing.insert(1, "a")).hasRootCauseMessage("planned");
    assertThat(dataset.rows()).isEmpty();
    dataset.flush();
    assertThat(dataset.flushedLsn()).isPositive();
    assertThat(dataset.host.statistics().work().flushes()).isZero();
    assertThat(dataset.primary().isCurrentMutableComponentEmpty()).isTrue();
    begin().insert(1, "b").commit();
    dataset.flush();
    dataset.crash();
    assertThat(dataset.rows()).containsExactly("1 b");
  }
}
