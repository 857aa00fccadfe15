package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.cache.ReadIntent;
import org.loam.common.codec.Hash64;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** What goes in comes out: through all ways of reading, in files of all kinds. */
class SSTableRoundTripTest {
  @TempDir Path directory;

  @ParameterizedTest(name = "seed {0}, pages of {1}, {2} keys")
  @CsvSource({
    "1, 4096, 1",
    "2, 4096, 2",
    "3, 4096, 40",
    "4, 4096, 900",
    "5, 8192, 300",
    "6, 16384, 500",
    "7, 32768, 700",
    "8, 4096, 300",
    "9, 4096, 300",
    "10, 4096, 300"
  })
  void oneVersionOfEachKey(long seed, int pageBytes, int keys) {
    EntryMaker maker = new EntryMaker(seed, pageBytes);
    List<TestEntry> entries = maker.oneVersionEach(keys);
    long maxLsn = entries.stream().mapToLong(TestEntry::lsn).max().getAsLong();
    List<TestEntry> expected = entries.stream().map(e -> e.withLsn(maxLsn)).toList();
    try (DiskFixture disk = new DiskFixture(directory, pageBytes)) {
      SSTable table = disk.table(false, entries);
      assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
      assertThat(disk.allVersions(table)).isEqualTo(expected);
      for (TestEntry e : expected) {
        assertThat(disk.find(table, e.key(), maxLsn)).isEqualTo(e);
      }
      TreeMap<byte[], TestEntry> model = new TreeMap<>(Arrays::compareUnsigned);
      expected.forEach(e -> model.put(e.key(), e));
      for (int i = 0; i < 500; i++) {
        byte[] key = maker.key();
        assertThat(disk.find(table, key, maxLsn)).isEqualTo(model.get(key));
      }
      disk.drop(table);
    }
  }

  @ParameterizedTest(name = "seed {0}, pages of {1}, {2} keys, up to {3} versions")
  @CsvSource({
    "11, 4096, 1, 2000",
    "12, 4096, 20, 400",
    "13, 4096, 400, 5",
    "14, 8192, 50, 100",
    "15, 16384, 100, 50",
    "16, 4096, 3, 1500"
  })
  void severalVersionsOfAKey(long seed, int pageBytes, int keys, int versions) {
    EntryMaker maker = new EntryMaker(seed, pageBytes);
    List<TestEntry> entries = maker.entries(keys, versions);
    try (DiskFixture disk = new DiskFixture(directory, pageBytes)) {
      SSTable table = disk.table(true, entries);
      assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
      assertThat(table.keepsLsns()).isTrue();
      assertThat(disk.allVersions(table)).isEqualTo(entries);
      TestEntry newer = null;
      for (TestEntry e : entries) {
        assertThat(disk.find(table, e.key(), e.lsn())).isEqualTo(e);
        if (newer != null && Arrays.equals(newer.key(), e.key())) {
          assertThat(disk.find(table, e.key(), newer.lsn() - 1)).isEqualTo(e);
        }
        newer = e;
      }
      TestEntry oldest = entries.get(entries.size() - 1);
      assertThat(disk.find(table, oldest.key(), oldest.lsn() - 1)).isNull();
      disk.drop(table);
    }
  }

  @Test
  void metaDescribesTheFile() {
    List<TestEntry> entries =
        List.of(
            TestEntry.put(new byte[0], 40, new byte[3]),
            TestEntry.antiMatter(new byte[] {0}, 50),
            TestEntry.put(new byte[] {0, 0}, 30, new byte[0]));
    try (DiskFixture disk = new DiskFixture(directory, 4096)) {
      SSTableMeta meta = disk.write(disk.options(true), entries);
      assertThat(meta.counts().entries()).isEqualTo(3);
      assertThat(meta.counts().antiMatter()).isEqualTo(1);
      assertThat(meta.keys().min()).isEmpty();
      assertThat(meta.keys().max()).containsExactly(0, 0);
      assertThat(meta.lsns().min()).isEqualTo(30);
      assertThat(meta.lsns().max()).isEqualTo(50);
      // A leaf, a filter page, the footer.
      assertThat(meta.sizeBytes()).isEqualTo(3 * 4096);
    }
  }

  @Test
  void boundsAsLongAsTheyMayBe() {
    for (int pageBytes = 4096; pageBytes <= SSTableOptions.MAX_PAGE_BYTES; pageBytes *= 2) {
      byte[] min = new byte[pageBytes / 4];
      byte[] max = new byte[pageBytes / 4];
      Arrays.fill(max, (byte) -1);
      List<TestEntry> entries =
          List.of(TestEntry.put(min, 1, new byte[1]), TestEntry.put(max, 2, new byte[2]));
      try (DiskFixture disk = new DiskFixture(directory, pageBytes)) {
        SSTable table = disk.open(disk.write(disk.options(true), entries));
        assertThat(table.meta().keys().max()).isEqualTo(max);
        assertThat(disk.allVersions(table)).isEqualTo(entries);
        disk.drop(table);
        disk.env.files().delete(disk.path(table.fileId()));
      }
    }
  }

  @Test
  void valuesLargerThanTheWriteBufferAndTheCache() {
    EntryMaker maker = new EntryMaker(77, 4096);
    List<TestEntry> entries =
        List.of(
            TestEntry.put(new byte[] {1}, 1, maker.bytes(OverflowReader.BYPASS_BYTES)),
            TestEntry.put(new byte[] {2}, 2, maker.bytes(10)),
            TestEntry.put(new byte[] {3}, 3, maker.bytes(OverflowReader.BYPASS_BYTES + 1)),
            TestEntry.put(new byte[] {4}, 4, maker.bytes(3_000_000)));
    try (DiskFixture disk = new DiskFixture(directory, 4096)) {
      SSTable table = disk.table(true, entries);
      assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
      assertThat(disk.allVersions(table)).isEqualTo(entries);
      for (TestEntry e : entries) {
        assertThat(disk.find(table, e.key(), 9)).isEqualTo(e);
      }
      disk.drop(table);
    }
  }

  @Test
  void partsOfValuesInAnyOrder() {
    EntryMaker maker = new EntryMaker(78, 4096);
    byte[] large = maker.bytes(100_000);
    List<TestEntry> entries =
        List.of(
            TestEntry.put(new byte[] {1}, 1, maker.bytes(100)),
            TestEntry.put(new byte[] {2}, 2, large),
            TestEntry.put(new byte[] {3}, 3, maker.bytes(5000)));
    try (DiskFixture disk = new DiskFixture(directory, 4096)) {
      SSTable table = disk.table(true, entries);
      long part = Mem.allocate(large.length, 8);
      try (EntryCursor versions = disk.versions(table);
          EntryCursor cursor = table.cursor(9, ReadIntent.QUERY, Reach.UNKNOWN)) {
        for (EntryCursor c : List.of(versions, cursor)) {
          assertThat(DiskFixture.ceiling(c, new byte[] {2})).isTrue();
          assertThat(c.valueAddress()).isZero();
          for (int i = 0; i < 200; i++) {
            int offset = maker.random().nextInt(large.length + 1);
            int length = maker.random().nextInt(large.length - offset + 1);
            c.copyValue(offset, length, part);
            assertThat(KeyBytes.toArray(part, length))
                .isEqualTo(Arrays.copyOfRange(large, offset, offset + length));
          }
          assertThat(c.next()).isTrue();
          assertThat(DiskFixture.current(c)).isEqualTo(entries.get(2));
          assertThat(c.next()).isFalse();
        }
      }
      Mem.free(part);
      disk.drop(table);
    }
  }

  /** Pages whose keys all have one of two heads, so that only whole keys tell them apart. */
  @Test
  void equalHeadsInLeavesAndIndex() {
    List<TestEntry> entries = new ArrayList<>();
    for (char first : new char[] {'a', 'b'}) {
      for (int i = 0; i < 1500; i++) {
        String key = first + "0123456789012345" + String.format("%05d", 2 * i);
        entries.add(TestEntry.put(key.getBytes(StandardCharsets.US_ASCII), 1, new byte[300]));
      }
    }
    try (DiskFixture disk = new DiskFixture(directory, 4096)) {
      SSTable table = disk.table(false, entries);
      assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
      try (EntryCursor cursor = table.cursor(1, ReadIntent.QUERY, Reach.UNKNOWN)) {
        for (int i = 0; i < entries.size(); i++) {
          byte[] key = entries.get(i).key();
          assertThat(disk.find(table, key, 1)).isEqualTo(entries.get(i));
          byte[] absent = key.clone();
          absent[absent.length - 1]++;
          assertThat(disk.find(table, absent, 1)).isNull();
          assertThat(DiskFixture.lower(cursor, absent)).isTrue();
          assertThat(DiskFixture.current(cursor)).isEqualTo(entries.get(i));
        }
      }
      disk.drop(table);
    }
  }

  @Test
  void filterRejectsNearlyAllAbsentKeys() {
    List<TestEntry> entries = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      entries.add(TestEntry.put(number(2 * i), i + 1, new byte[0]));
    }
    try (DiskFixture disk = new DiskFixture(directory, 4096)) {
      SSTable table = disk.table(false, entries);
      int passed = 0;
      for (int i = 0; i < 20_000; i++) {
        byte[] key = number(2 * i + 1);
        passed +=
            DiskFixture.withKey(key, a -> table.mightContain(Hash64.of(a, key.length))) ? 1 : 0;
      }
      assertThat(passed).as("false positives of 20,000").isBetween(1, 300);
      disk.drop(table);
    }
  }

  @Test
  void withoutFilterEveryKeyIsLookedFor() {
    List<TestEntry> entries = List.of(TestEntry.put(new byte[] {5}, 1, new byte[] {6}));
    try (DiskFixture disk = new DiskFixture(directory, 4096)) {
      SSTableOptions o = disk.options(false);
      SSTable table =
          disk.open(
              disk.write(
                  new SSTableOptions(o.fileId(), o.salt(), o.pageBytes(), false, 0), entries));
      assertThat(table.mightContain(123)).isTrue();
      assertThat(disk.find(table, new byte[] {5}, 1)).isEqualTo(entries.get(0));
      assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
      assertThat(table.meta().sizeBytes()).isEqualTo(2 * 4096);
      disk.drop(table);
    }
  }

  private static byte[] number(int i) {
    return new byte[] {(byte) (i >>> 24), (byte) (i >>> 16), (byte) (i >>> 8), (byte) i};
  }
}
