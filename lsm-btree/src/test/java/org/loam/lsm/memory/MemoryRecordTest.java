package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;
import org.loam.log.CommitLog;

/** What shares a word in the header of a record stays as it is when its neighbour changes. */
class MemoryRecordTest {
  private static final int PAGE_BYTES = 32 << 10;
  private static final int PAGES = 1000;
  private static final int MAX_KEY_BYTES = PAGE_BYTES / 4;
  private static final long MAX_LSN = CommitLog.LSN_LIMIT - 1;
  private static final List<Byte> KINDS =
      List.of(EntryKind.PUT, EntryKind.ANTI_MATTER, EntryKind.DELTA, EntryKind.RANGE_ANTI_MATTER);

  private final PagePool pool = new PagePool(PAGES, PAGE_BYTES);
  private final RecordArena arena =
      new RecordArena(pool.quota("test", PAGES), PAGE_BYTES, new Epochs(new SpinWaiter(), 1));

  @AfterEach
  void release() {
    arena.release();
    pool.close();
  }

  private long record(byte kind, int keyLength, int valueLength) {
    long record = arena.allocate(kind, keyLength, valueLength);
    assertThat(record).isPositive();
    return record;
  }

  private static void check(long record, byte kind, int keyLength, int valueLength) {
    assertThat(MemoryRecord.kind(record)).isEqualTo(kind);
    assertThat(MemoryRecord.keyLength(record)).isEqualTo(keyLength);
    assertThat(MemoryRecord.valueLength(record)).isEqualTo(valueLength);
  }

  @Test
  void aNewRecordHasNoLsnNoLinkAndNoMark() {
    for (byte kind : KINDS) {
      for (int keyLength : new int[] {0, 1, 21, MAX_KEY_BYTES}) {
        for (int valueLength : new int[] {0, 1, 100, 1 << 20}) {
          long record = record(kind, keyLength, valueLength);
          check(record, kind, keyLength, valueLength);
          assertThat(record % 8).as("alignment").isZero();
          assertThat(MemoryRecord.lsn(record)).isZero();
          assertThat(MemoryRecord.link(record)).isZero();
          assertThat(MemoryRecord.isWarm(record)).isFalse();
          assertThat(MemoryRecord.isInPieces(record)).isEqualTo(valueLength > PAGE_BYTES);
        }
      }
    }
  }

  @Test
  void theLargestValueHasItsLength() {
    int most = MemoryRecord.MAX_VALUE_BYTES;
    long record = record(EntryKind.PUT, MAX_KEY_BYTES, 1);
    MemoryRecord.initialise(record, EntryKind.PUT, MAX_KEY_BYTES, most, true);
    MemoryRecord.setLsn(record, MAX_LSN);
    MemoryRecord.relink(record, record);
    check(record, EntryKind.PUT, MAX_KEY_BYTES, most);
    assertThat(MemoryRecord.isInPieces(record)).isTrue();
  }

  @Test
  void anLsnLeavesKindAndMarks() {
    for (byte kind : KINDS) {
      for (int valueLength : new int[] {100, 100_000}) {
        long record = record(kind, 21, valueLength);
        for (int i = 0; i < 2; i++) {
          for (long lsn : new long[] {MAX_LSN, 0, 1, MAX_LSN}) {
            MemoryRecord.setLsn(record, lsn);
            assertThat(MemoryRecord.lsn(record)).isEqualTo(lsn);
            check(record, kind, 21, valueLength);
            assertThat(MemoryRecord.isWarm(record)).isEqualTo(i == 1);
            assertThat(MemoryRecord.isInPieces(record)).isEqualTo(valueLength == 100_000);
          }
          MemoryRecord.markWarm(record);
          assertThat(MemoryRecord.lsn(record)).isEqualTo(MAX_LSN);
        }
      }
    }
  }

  @Test
  void anLsnThatDoesNotFitIsRefused() {
    long record = record(EntryKind.PUT, 1, 1);
    for (long lsn : new long[] {-1, CommitLog.LSN_LIMIT, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> MemoryRecord.setLsn(record, lsn))
          .isInstanceOf(AssertionError.class)
          .hasMessage("LSN " + lsn + ": must be from 0 to " + MAX_LSN);
    }
    assertThat(MemoryRecord.lsn(record)).isZero();
  }

  @Test
  void anAddressThatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> MemoryRecord.initialise(1L << 48, EntryKind.PUT, 1, 1, false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("above 48 bits");
  }

  @Test
  void aLinkLeavesTheLengthOfTheKey() {
    long largest = (1L << 48) - 8;
    for (int keyLength : new int[] {0, 1, MAX_KEY_BYTES}) {
      long record = record(EntryKind.PUT, keyLength, 10);
      MemoryRecord.setLsn(record, 5);
      // With marks in the low bits, as a chain has them.
      for (long link : new long[] {largest | 3, record, 8, 0, largest}) {
        MemoryRecord.relink(record, link);
        assertThat(MemoryRecord.link(record)).isEqualTo(link);
        check(record, EntryKind.PUT, keyLength, 10);
        assertThat(MemoryRecord.lsn(record)).isEqualTo(5);
      }
    }
  }

  /** Chains with the longest keys: a version is found, and one that was dropped is told. */
  @Test
  void aChainOfTheLongestKeysIsWalked() {
    long[] versions = new long[4];
    VersionRetention readerAt15 = (older, newer) -> older <= 15 && 15 < newer;
    for (int i = 0; i < versions.length; i++) {
      versions[i] = record(EntryKind.PUT, MAX_KEY_BYTES, 1);
      MemoryRecord.setLsn(versions[i], 10 * (i + 1));
      if (i > 0) {
        VersionChain.push(versions[i], versions[i - 1], readerAt15);
        VersionChain.unlink(versions[i], readerAt15, arena);
      }
      check(versions[i], EntryKind.PUT, MAX_KEY_BYTES, 1);
    }
    long newest = versions[3];
    assertThat(VersionChain.find(newest, Long.MAX_VALUE)).isEqualTo(newest);
    assertThat(VersionChain.find(newest, MAX_LSN)).isEqualTo(newest);
    assertThat(VersionChain.find(newest, 15)).isEqualTo(versions[0]);
    assertThat(VersionChain.find(newest, 25)).isEqualTo(VersionChain.DROPPED);
    assertThat(VersionChain.find(newest, 9)).isEqualTo(VersionChain.NOT_VISIBLE);
    assertThat(VersionChain.nextKept(newest, readerAt15)).isEqualTo(versions[0]);
    assertThat(VersionChain.end(newest)).isEqualTo(versions[0]);
  }
}
