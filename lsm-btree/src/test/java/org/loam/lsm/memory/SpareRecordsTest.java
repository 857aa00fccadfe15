package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.lsm.memory.Fixture.KEEP_NONE;
import static org.loam.lsm.memory.Fixture.bytes;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.key.EntryKind;
import org.loam.lsm.visibility.ReadRegistry;

/** New records take the room of superseded ones. */
class SpareRecordsTest {
  private static final int PAGE_BYTES = 8192;
  private static final int WRITES = 5000;

  private static byte[] value(int bytes, int version) {
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) version);
    return value;
  }

  /** Whole ones, ones in pieces, and one that has pages of its own. */
  @ParameterizedTest
  @ValueSource(ints = {40, 100, 1000, 5000, 20_000, 2 << 20})
  void aKeyThatIsWrittenAgainAndAgainTakesLittleMemory(int valueBytes) {
    try (Fixture fixture = new Fixture(4096, PAGE_BYTES)) {
      int writes = Math.min(WRITES, 100 + (64 << 20) / valueBytes);
      long afterSome = 0;
      for (int i = 0; i < writes; i++) {
        fixture.put(bytes("hot"), value(valueBytes, i), i, KEEP_NONE);
        if (i == writes / 10) {
          afterSome = fixture.component.usedBytes();
        }
      }
      assertThat(fixture.component.usedBytes()).isEqualTo(afterSome);
      assertThat(Fixture.value(fixture.find(bytes("hot"), writes)))
          .isEqualTo(value(valueBytes, writes - 1));
      assertThat(fixture.component.liveBytes()).isPositive();
    }
  }

  /** Lengths that change find records of the same size, if not the first one in a list. */
  @Test
  void valuesOfManyLengthsFindRoom() {
    SplittableRandom random = new SplittableRandom(1);
    try (Fixture fixture = new Fixture(4096, PAGE_BYTES)) {
      int[] lengths = new int[100];
      for (int i = 0; i < 20_000; i++) {
        int key = random.nextInt(lengths.length);
        lengths[key] = 100 + random.nextInt(400);
        fixture.put(bytes("key " + key), value(lengths[key], i), i, KEEP_NONE);
      }
      // Without it, it would be some 6.5 MB.
      assertThat(fixture.component.usedBytes()).isLessThan(200_000);
      for (int key = 0; key < lengths.length; key++) {
        assertThat(Fixture.value(fixture.find(bytes("key " + key), 20_000))).hasSize(lengths[key]);
      }
    }
  }

  /** Nodes refer to records for their keys: these stay what they are. */
  @Test
  void recordsThatBoundNodesKeepTheirKeys() {
    SplittableRandom random = new SplittableRandom(2);
    try (Fixture fixture = new Fixture(4096, PAGE_BYTES)) {
      int keys = 0;
      for (int i = 0; i < 40_000; i++) {
        boolean isNew = keys == 0 || random.nextInt(20) == 0;
        int key = isNew ? keys++ : random.nextInt(keys);
        fixture.put(key(key), value(60, key), i, KEEP_NONE);
      }
      for (int key = 0; key < keys; key++) {
        long found = fixture.find(key(key), Long.MAX_VALUE);
        assertThat(found).isPositive();
        assertThat(Fixture.value(found)).isEqualTo(value(60, key));
      }
      // 104 bytes for each key, the one below it, its mark, the bounds and the nodes.
      assertThat(fixture.component.usedBytes()).isLessThan(keys * 250L);
    }
  }

  private static byte[] key(int number) {
    return bytes(String.format("key of about %08x bytes", Integer.reverse(number)));
  }

  @Test
  void readersInsideKeepAllThatTheyMayLookAt() {
    try (Fixture fixture = new Fixture(4096, PAGE_BYTES)) {
      fixture.put(bytes("hot"), value(500, 0), 1, KEEP_NONE);
      int slot = fixture.epochs.enter();
      long seen = fixture.find(bytes("hot"), 1);
      for (int i = 2; i <= 1000; i++) {
        fixture.put(bytes("hot"), value(500, i), i, KEEP_NONE);
      }
      assertThat(Fixture.value(seen)).isEqualTo(value(500, 0));
      long used = fixture.component.usedBytes();
      assertThat(used).isGreaterThan(1000 * 500);
      fixture.epochs.exit(slot);
      for (int i = 1001; i <= 1900; i++) {
        fixture.put(bytes("hot"), value(500, i), i, KEEP_NONE);
      }
      assertThat(fixture.component.usedBytes()).isLessThan(used + 70 * 530);
    }
  }

  /** What waits is bounded: while a reader stays inside too long, the rest is never taken. */
  @Test
  void aReaderThatStaysInsideDoesNotMakeTheWaitingListGrow() {
    try (Fixture fixture = new Fixture(16_384, PAGE_BYTES)) {
      int slot = fixture.epochs.enter();
      for (int i = 1; i <= 10_000; i++) {
        fixture.put(bytes("hot"), value(500, i), i, KEEP_NONE);
      }
      fixture.epochs.exit(slot);
      long used = fixture.component.usedBytes();
      for (int i = 10_001; i <= 10_000 + WRITES; i++) {
        fixture.put(bytes("hot"), value(500, i), i, KEEP_NONE);
      }
      assertThat(fixture.component.usedBytes()).isLessThan(used + 70 * 530);
    }
  }

  @Test
  void aRegisteredReaderKeepsItsVersion() {
    long[] published = {0};
    ReadRegistry reads = new ReadRegistry(() -> published[0]);
    try (Fixture fixture = new Fixture(4096, PAGE_BYTES)) {
      for (int i = 1; i <= 100; i++) {
        fixture.put(bytes("hot"), value(500, i), i, reads);
        published[0] = i + 1;
      }
      long readLsn = reads.register();
      for (int i = 101; i <= 1000; i++) {
        fixture.put(bytes("hot"), value(500, i), i, reads);
        published[0] = i + 1;
      }
      assertThat(Fixture.value(fixture.find(bytes("hot"), readLsn))).isEqualTo(value(500, 100));
      assertThat(fixture.component.usedBytes()).isLessThan(100 * 530);
      reads.release(readLsn);
    }
  }

  /** A version is needed until the one above it is published: the next write of any key sees it. */
  @Test
  void theNextWriteUnlinksWhatWasNeededUntilThisOneWasPublished() {
    long[] published = {0};
    ReadRegistry reads = new ReadRegistry(() -> published[0]);
    try (Fixture fixture = new Fixture(4096, PAGE_BYTES)) {
      fixture.put(bytes("hot"), value(500, 1), 1, reads);
      fixture.put(bytes("hot"), value(500, 2), 2, reads);
      published[0] = 3;
      assertThat(fixture.component.supersededBytes()).isZero();
      fixture.put(bytes("cold"), value(500, 3), 3, reads);
      // 20 + 3 + 500 bytes, and the mark.
      assertThat(fixture.component.supersededBytes()).isEqualTo(528 + RecordArena.MARK_BYTES);
    }
  }

  @Test
  void aRecordThatIsGivenBackIsTakenByNoOther() {
    try (Fixture fixture = new Fixture(64, PAGE_BYTES)) {
      for (int i = 1; i <= 20; i++) {
        fixture.put(bytes("hot"), value(500, i), i, KEEP_NONE);
      }
      byte[] key = bytes("key");
      long taken = fixture.component.prepare(EntryKind.PUT, key, value(500, 99));
      fixture.component.giveBack(taken, key.length, 500);
      for (int i = 21; i <= 100; i++) {
        fixture.put(bytes("hot"), value(500, i), i, KEEP_NONE);
        assertThat(fixture.component.liveBytes()).isBetween(0L, fixture.component.usedBytes());
      }
    }
  }
}
