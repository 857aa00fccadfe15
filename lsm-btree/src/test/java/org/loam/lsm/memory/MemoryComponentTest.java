package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.lsm.memory.Fixture.KEEP_ALL;
import static org.loam.lsm.memory.Fixture.KEEP_NONE;
import static org.loam.lsm.memory.Fixture.bytes;
import static org.loam.lsm.memory.Fixture.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

class MemoryComponentTest {
  @Test
  void emptyHasNothing() {
    try (Fixture fixture = new Fixture(4, 4096)) {
      MemoryComponent component = fixture.component;
      assertThat(fixture.find(bytes("a"), 9)).isEqualTo(MemoryComponent.ABSENT);
      assertThat(fixture.undo(bytes("a"), 1)).isFalse();
      assertThat(component.usedBytes()).isZero();
      assertThat(component.keyCount()).isZero();
      assertThat(component.minLsn()).isEqualTo(Long.MAX_VALUE);
      assertThat(component.maxLsn()).isEqualTo(-1);
      EntryCursor cursor = component.cursor(9);
      assertThat(cursor.first()).isFalse();
      assertThat(cursor.last()).isFalse();
      assertThat(cursor.ceiling(fixture.offHeap(bytes("a")), 1)).isFalse();
      assertThat(cursor.lower(fixture.offHeap(bytes("a")), 1)).isFalse();
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.previous()).isFalse();
      assertThat(new VersionCursor(component, KEEP_ALL).first()).isFalse();
    }
  }

  @Test
  void aReadLsnSelectsTheVersion() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      fixture.put("k", "old", 10, KEEP_ALL);
      fixture.put("k", "new", 20, KEEP_ALL);
      byte[] key = bytes("k");
      assertThat(fixture.find(key, 9)).isEqualTo(MemoryComponent.NOT_VISIBLE);
      assertThat(text(Fixture.value(fixture.find(key, 10)))).isEqualTo("old");
      assertThat(text(Fixture.value(fixture.find(key, 19)))).isEqualTo("old");
      assertThat(text(Fixture.value(fixture.find(key, 20)))).isEqualTo("new");
      assertThat(fixture.component.minLsn()).isEqualTo(10);
      assertThat(fixture.component.maxLsn()).isEqualTo(20);
      assertThat(fixture.component.keyCount()).isEqualTo(1);
      assertThat(fixture.component.supersededBytes()).isZero();
    }
  }

  @Test
  void aKeyThatWasLookedUpStaysWarm() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      fixture.put("cold", "one", 10, KEEP_NONE);
      fixture.put("warm", "one", 20, KEEP_NONE);
      MemoryRecord.markWarm(fixture.find(bytes("warm"), 20));
      fixture.put("warm", "two", 30, KEEP_NONE);
      fixture.put("cold", "two", 40, KEEP_NONE);
      byte[] large = new byte[10_000];
      fixture.put(bytes("warm"), large, 50, KEEP_ALL);
      assertThat(Fixture.value(fixture.find(bytes("warm"), 50))).isEqualTo(large);
      VersionCursor versions = new VersionCursor(fixture.component, KEEP_ALL);
      assertThat(versions.first()).isTrue();
      assertThat(versions.isWarm()).isFalse();
      assertThat(versions.next()).isTrue();
      assertThat(versions.isWarm()).isTrue();
      versions.close();
    }
  }

  @Test
  void aDroppedVersionIsToldFromOneThatNeverWas() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      fixture.put("k", "one", 10, KEEP_NONE);
      fixture.put("k", "two", 20, KEEP_NONE);
      fixture.put("k", "three", 30, KEEP_NONE);
      byte[] key = bytes("k");
      assertThat(fixture.find(key, 9)).isEqualTo(MemoryComponent.NOT_VISIBLE);
      assertThat(fixture.find(key, 10)).isEqualTo(MemoryComponent.DROPPED);
      assertThat(fixture.find(key, 29)).isEqualTo(MemoryComponent.DROPPED);
      assertThat(fixture.find(key, 30)).isPositive();
      // Two records of 20 bytes header, 1 byte key and 3 bytes value.
      assertThat(fixture.component.supersededBytes()).isEqualTo(2 * 24);
      assertThat(fixture.component.liveBytes())
          .isEqualTo(fixture.component.usedBytes() - 2 * 24 - fixture.component.wastedBytes());
      EntryCursor late = fixture.component.cursor(29);
      assertThatThrownBy(late::first)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("LSN 29")
          .hasMessageContaining("not registered");
    }
  }

  /**
   * A reader at 25 that did not register must not get the version of 10, which a registered reader
   * keeps alive: it was superseded at 20.
   */
  @Test
  void aVersionKeptForAnOlderReaderIsNotTakenForTheDroppedOne() {
    VersionRetention readerAt15 = (older, newer) -> older <= 15 && 15 < newer;
    try (Fixture fixture = new Fixture(8, 4096)) {
      byte[] key = bytes("k");
      for (long lsn = 10; lsn <= 60; lsn += 10) {
        fixture.put("k", "at " + lsn, lsn, readerAt15);
      }
      assertThat(fixture.find(key, 9)).isEqualTo(MemoryComponent.NOT_VISIBLE);
      assertThat(MemoryRecord.lsn(fixture.find(key, 15))).isEqualTo(10);
      assertThat(MemoryRecord.lsn(fixture.find(key, 19))).isEqualTo(10);
      assertThat(fixture.find(key, 20)).isEqualTo(MemoryComponent.DROPPED);
      assertThat(fixture.find(key, 25)).isEqualTo(MemoryComponent.DROPPED);
      assertThat(fixture.find(key, 59)).isEqualTo(MemoryComponent.DROPPED);
      assertThat(MemoryRecord.lsn(fixture.find(key, 60))).isEqualTo(60);

      List<Long> flushed = new ArrayList<>();
      VersionCursor versions = new VersionCursor(fixture.component, readerAt15);
      for (boolean at = versions.first(); at; at = versions.next()) {
        flushed.add(versions.lsn());
      }
      assertThat(flushed).containsExactly(60L, 10L);

      fixture.put("k", "at 70", 70, KEEP_NONE);
      assertThat(fixture.find(key, 15)).isEqualTo(MemoryComponent.DROPPED);
      assertThat(fixture.find(key, 9)).isEqualTo(MemoryComponent.NOT_VISIBLE);
    }
  }

  @Test
  void aBatchMayWriteAKeyTwice() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      fixture.put("k", "before", 10, KEEP_ALL);
      fixture.put("k", "first", 20, KEEP_ALL);
      fixture.put("k", "second", 20, KEEP_ALL);
      byte[] key = bytes("k");
      assertThat(text(Fixture.value(fixture.find(key, 20)))).isEqualTo("second");
      assertThat(text(Fixture.value(fixture.find(key, 19)))).isEqualTo("before");
      assertThat(fixture.undo(key, 20)).isTrue();
      assertThat(text(Fixture.value(fixture.find(key, 20)))).isEqualTo("before");
    }
  }

  @Test
  void lsnsOfAKeyMustNotDescend() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      fixture.put("k", "new", 20, KEEP_ALL);
      assertThatThrownBy(() -> fixture.put("k", "old", 10, KEEP_ALL))
          .isInstanceOf(AssertionError.class)
          .hasMessage("LSN 10 after 20 of one key");
    }
  }

  @Test
  void undoBringsTheVersionBelowBack() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      fixture.put("k", "old", 10, KEEP_ALL);
      fixture.put("k", "new", 20, KEEP_ALL);
      byte[] key = bytes("k");
      assertThat(fixture.undo(key, 10)).as("not the newest").isFalse();
      assertThat(fixture.undo(key, 20)).isTrue();
      assertThat(text(Fixture.value(fixture.find(key, 99)))).isEqualTo("old");
      assertThat(fixture.undo(key, 10)).isTrue();
      assertThat(fixture.find(key, 99)).isEqualTo(MemoryComponent.ABSENT);
      assertThat(fixture.component.keyCount()).isZero();
      assertThat(fixture.component.cursor(99).first()).isFalse();
      assertThat(new VersionCursor(fixture.component, KEEP_ALL).first()).isFalse();
      assertThat(fixture.component.cursor(99).last()).isFalse();
      fixture.put("k", "again", 30, KEEP_ALL);
      assertThat(text(Fixture.value(fixture.find(key, 99)))).isEqualTo("again");
    }
  }

  @Test
  void undoNeedsTheVersionBelow() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      fixture.put("k", "old", 10, KEEP_ALL);
      fixture.put("k", "new", 20, KEEP_NONE);
      assertThatThrownBy(() -> fixture.undo(bytes("k"), 20))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("undo of LSN 20");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 16384, 32768})
  void valuesOfEverySizeComeBack(int pageBytes) {
    int[] sizes = {
      0,
      1,
      7,
      8,
      pageBytes / 16,
      pageBytes / 2,
      pageBytes - 41,
      pageBytes - 40,
      pageBytes - 39,
      pageBytes,
      3 * pageBytes,
      1_000_003,
      32 << 20
    };
    SplittableRandom random = new SplittableRandom(3);
    try (Fixture fixture = new Fixture((80 << 20) / pageBytes, pageBytes)) {
      List<byte[]> values = new ArrayList<>();
      long bytes = 0;
      for (int i = 0; i < 4 * sizes.length - 3; i++) {
        // The largest once.
        byte[] value = new byte[sizes[i % (i < sizes.length ? sizes.length : sizes.length - 1)]];
        random.nextBytes(value);
        values.add(value);
        bytes += value.length;
        byte[] key = bytes("key" + i);
        fixture.put(key, value, i, KEEP_NONE);
        long record = fixture.find(key, i);
        assertThat(MemoryRecord.kind(record)).isEqualTo(EntryKind.PUT);
        assertThat(MemoryRecord.valueLength(record)).isEqualTo(value.length);
        long address = MemoryRecord.valueAddress(record);
        if (address != 0) {
          assertThat(Fixture.copy(address, value.length)).isEqualTo(value);
        } else {
          assertThat(value.length).as("a shorter record is whole").isGreaterThan(96);
        }
      }
      for (int i = 0; i < values.size(); i++) {
        long record = fixture.find(bytes("key" + i), 99);
        assertThat(Fixture.value(record)).isEqualTo(values.get(i));
        // The same from off-heap memory, in another place of a page.
        long source = Mem.allocate(Math.max(1, values.get(i).length), 8);
        Mem.copyIn(values.get(i), 0, source, values.get(i).length);
        if (values.get(i).length < 2_000_000) {
          long twin =
              fixture.component.prepare(
                  EntryKind.DELTA, fixture.offHeap(bytes("twin")), 4, source, values.get(i).length);
          assertThat(Fixture.key(twin)).isEqualTo(bytes("twin"));
          assertThat(Fixture.value(twin)).isEqualTo(values.get(i));
        }
        Mem.free(source);
      }
      assertThat(fixture.component.wastedBytes()).isLessThan(bytes / 10);
    }
  }

  /** Records of 144 bytes leave 120 of a page, which a part of the next one gets. */
  @Test
  void shortRecordsFillPages() {
    SplittableRandom random = new SplittableRandom(7);
    int records = 2000;
    try (Fixture fixture = new Fixture(128, 8192)) {
      List<byte[]> values = new ArrayList<>();
      int inPieces = 0;
      for (int i = 0; i < records; i++) {
        byte[] value = new byte[100];
        random.nextBytes(value);
        values.add(value);
        byte[] key = bytes(String.format("key%018d", i));
        fixture.put(key, value, i, KEEP_NONE);
        inPieces += MemoryRecord.valueAddress(fixture.find(key, i)) == 0 ? 1 : 0;
      }
      for (int i = 0; i < records; i++) {
        byte[] key = bytes(String.format("key%018d", i));
        assertThat(Fixture.value(fixture.find(key, records))).isEqualTo(values.get(i));
      }
      assertThat(inPieces).isBetween(1, records / 50);
      assertThat(fixture.component.wastedBytes()).isLessThan(fixture.component.usedBytes() / 150);
    }
  }

  @Test
  void anyPartOfAValueInPiecesCanBeCopied() {
    byte[] value = new byte[20_000];
    new SplittableRandom(5).nextBytes(value);
    try (Fixture fixture = new Fixture(16, 4096)) {
      fixture.put(bytes("k"), value, 1, KEEP_NONE);
      long record = fixture.find(bytes("k"), 1);
      assertThat(MemoryRecord.valueAddress(record)).as("in pieces").isZero();
      for (int from = 0; from <= value.length; from += 997) {
        for (int to = from; to <= value.length; to += 1499) {
          assertThat(Fixture.value(record, from, to - from))
              .isEqualTo(Arrays.copyOfRange(value, from, to));
        }
      }
      assertThat(Fixture.value(record, 0, 20_000)).isEqualTo(value);
      assertThatThrownBy(() -> new MemoryRecord.ValueReader().copyValue(record, 19_999, 2, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** A reader goes on where the last part ended, but not into another record. */
  @Test
  void partsOfTwoValuesInPiecesCanBeCopiedInAnyOrder() {
    byte[][] values = {new byte[20_000], new byte[15_000]};
    SplittableRandom random = new SplittableRandom(6);
    try (Fixture fixture = new Fixture(32, 4096)) {
      long[] records = new long[values.length];
      for (int i = 0; i < values.length; i++) {
        random.nextBytes(values[i]);
        fixture.put(bytes("k" + i), values[i], 1 + i, KEEP_NONE);
        records[i] = fixture.find(bytes("k" + i), 1 + i);
      }
      MemoryRecord.ValueReader reader = new MemoryRecord.ValueReader();
      for (int i = 0; i < 2000; i++) {
        int which = random.nextInt(values.length);
        int from = random.nextInt(values[which].length);
        int length = random.nextInt(values[which].length - from + 1);
        assertThat(Fixture.value(reader, records[which], from, length))
            .isEqualTo(Arrays.copyOfRange(values[which], from, from + length));
      }
    }
  }

  @Test
  void mixedSizesFillPages() {
    SplittableRandom random = new SplittableRandom(4);
    try (Fixture fixture = new Fixture(2000, 16384)) {
      long bytes = 0;
      for (int i = 0; i < 2000; i++) {
        int length = random.nextInt(20_000);
        assertThat(fixture.component.prepare(EntryKind.PUT, new byte[20], new byte[length]))
            .isPositive();
        bytes += length + 44;
      }
      assertThat(fixture.component.wastedBytes()).isLessThan(bytes / 100);
      assertThat(fixture.component.usedBytes()).isBetween(bytes, bytes + bytes / 100);
    }
  }

  @Test
  void ascendingKeysFillLeaves() {
    try (Fixture fixture = new Fixture(4000, 4096)) {
      int count = 20_000;
      for (int i = 0; i < count; i++) {
        fixture.put(String.format("%08d", i), "", i, KEEP_NONE);
      }
      int leaves = (count + Node.CAPACITY - 1) / Node.CAPACITY;
      long recordBytes = 32L * count;
      // 2 % for the inner nodes, and a page for the end of each arena.
      assertThat(fixture.component.usedBytes())
          .isLessThan(leaves * 1024L * 102 / 100 + recordBytes * 101 / 100 + 3 * 4096);
    }
  }

  @Test
  void limitsAreNamed() {
    try (Fixture fixture = new Fixture(4, 4096)) {
      MemoryComponent component = fixture.component;
      byte[] longest = new byte[1024];
      assertThat(component.prepare(EntryKind.PUT, longest, new byte[0])).isPositive();
      assertThatThrownBy(() -> component.prepare(EntryKind.PUT, new byte[1025], new byte[0]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("key of 1025 bytes: must be 0 to a quarter of a page, 1024");
      assertThatThrownBy(
              () -> component.prepare(EntryKind.PUT, 0, 1, 0, MemoryRecord.MAX_VALUE_BYTES + 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("value of 1073741825 bytes: must be 0 to 1073741824");
      assertThatThrownBy(() -> Fixture.component(fixture.quota, 2048))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("pageBytes 2048");
      assertThatThrownBy(() -> Fixture.component(fixture.quota, 5000))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("pageBytes 5000");
    }
  }
}
