package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.cache.CacheCounters;
import org.loam.cache.ChunkReader;
import org.loam.cache.PageHeader;
import org.loam.cache.ReadIntent;
import org.loam.common.codec.Hash64;
import org.loam.common.env.HeapFile;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;
import org.loam.scheduler.merge.KeyRange;

/** A damaged file says so, or answers right; it never answers wrong. */
@Tag("once")
class DamagedFileTest {
  private static final int PAGE_BYTES = 4096;
  private static final Path PATH = Path.of("memory.sst");

  @TempDir Path directory;

  private final UncachedPages pages = new UncachedPages(PAGE_BYTES);
  private final Lookup lookup = new Lookup(PAGE_BYTES);
  private List<TestEntry> entries;
  private SSTableMeta meta;
  private byte[] sound;

  /** A file with some leaves, an overflow value, a filter page, an index page and the footer. */
  @BeforeEach
  void write() throws IOException {
    SplittableRandom random = new SplittableRandom(8);
    entries = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      byte[] value = new byte[i == 11 ? 3000 : 300];
      random.nextBytes(value);
      entries.add(TestEntry.put(new byte[] {1, 2, (byte) i}, 10 + i, value));
    }
    try (DiskFixture disk = new DiskFixture(directory, PAGE_BYTES)) {
      meta = disk.write(disk.options(true), entries);
      sound = Files.readAllBytes(disk.path(meta.fileId()));
    }
    assertThat(sound).hasSize((int) meta.sizeBytes());
  }

  @AfterEach
  void free() {
    assertThat(pages.pinnedPages()).isZero();
    pages.close();
  }

  @Test
  void everyByteFlippedIsNoticed() {
    SplittableRandom random = new SplittableRandom(9);
    HeapFile file = new HeapFile(PATH, sound.clone());
    for (int i = 0; i < sound.length; i++) {
      int bit = 1 << random.nextInt(Byte.SIZE);
      file.bytes[i] ^= (byte) bit;
      int page = i / PAGE_BYTES;
      if (page == sound.length / PAGE_BYTES - 1) {
        assertThatThrownBy(() -> SSTable.open(meta, file, pages))
            .as("byte %s", i)
            .isInstanceOf(CorruptionException.class)
            .hasMessageContaining("memory.sst");
      } else {
        try (SSTable table = SSTable.open(meta, file, pages)) {
          assertThat(SSTableVerifier.verify(table).problems())
              .as("byte %s", i)
              .anyMatch(p -> p.contains("page " + page + " "));
          readsRightOrFails(table, i);
        }
      }
      file.bytes[i] ^= (byte) bit;
    }
    try (SSTable table = SSTable.open(meta, file, pages)) {
      assertThat(SSTableVerifier.verify(table).isSound()).isTrue();
    }
  }

  /** Looks for one key, another one for each byte of a page, and walks now and then. */
  private void readsRightOrFails(SSTable table, int turn) {
    TestEntry e = entries.get(turn % entries.size());
    try {
      assertThat(find(table, e.key())).as("byte %s", turn).isTrue();
      assertThat(lookup.valueLength()).isEqualTo(e.value().length);
    } catch (CorruptionException expected) {
      assertThat(expected).hasMessageContaining("memory.sst");
    } finally {
      lookup.release();
    }
    if (turn % 16 != 0) {
      return;
    }
    List<TestEntry> read = new ArrayList<>();
    try (EntryCursor cursor = table.cursor(Long.MAX_VALUE, ReadIntent.QUERY, Reach.UNKNOWN)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        read.add(DiskFixture.current(cursor));
      }
      assertThat(read).as("byte %s", turn).isEqualTo(entries);
    } catch (CorruptionException expected) {
      assertThat(read).as("byte %s", turn).isEqualTo(entries.subList(0, read.size()));
    }
  }

  private boolean find(SSTable table, byte[] key) {
    return DiskFixture.withKey(
        key,
        a ->
            table.find(
                a, key.length, Hash64.of(a, key.length), Long.MAX_VALUE, lookup, ReadIntent.QUERY));
  }

  @Test
  void anotherLengthIsRefused() {
    for (int length = 0; length < sound.length; length += 512) {
      refused(meta, Arrays.copyOf(sound, length), "size is " + length);
    }
    refused(meta, Arrays.copyOf(sound, sound.length + PAGE_BYTES), "size");
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    try (DiskFixture disk = new DiskFixture(directory, PAGE_BYTES)) {
      disk.options(true);
      SSTableMeta other = disk.write(disk.options(true), entries);
      byte[] bytes = Files.readAllBytes(disk.path(other.fileId()));
      refused(meta, bytes, "checksum stored");
    }
  }

  @Test
  void anOlderStateOfTheFileIsRefused() throws IOException {
    // The same id and salt, so all checksums are right, but not what the manifest knows.
    List<TestEntry> fewer = new ArrayList<>(entries);
    fewer.set(3, fewer.get(3).withLsn(5));
    Path elsewhere = Files.createDirectory(directory.resolve("other"));
    try (DiskFixture disk = new DiskFixture(elsewhere, PAGE_BYTES)) {
      SSTableMeta other = disk.write(disk.options(true), fewer);
      byte[] bytes = Files.readAllBytes(disk.path(other.fileId()));
      assertThat(other.sizeBytes()).isEqualTo(meta.sizeBytes());
      refused(meta, bytes, "checksum is");
    }
  }

  @Test
  void aLyingManifestIsNoticed() {
    SSTableMeta m = meta;
    refused(
        new SSTableMeta(
            m.fileId(),
            m.salt(),
            m.sizeBytes(),
            m.fileCrc(),
            new SSTableMeta.Counts(m.counts().entries() + 1, 0),
            m.keys(),
            m.lsns()),
        sound,
        "entry count is 24");
    byte[] key = {0};
    refused(
        new SSTableMeta(
            m.fileId(),
            m.salt(),
            m.sizeBytes(),
            m.fileCrc(),
            m.counts(),
            new KeyRange(key, m.keys().max()),
            m.lsns()),
        sound,
        "smallest and largest key");
    refused(
        new SSTableMeta(
            m.fileId(), m.salt() + 1, m.sizeBytes(), m.fileCrc(), m.counts(), m.keys(), m.lsns()),
        sound,
        "checksum stored");
  }

  @Test
  void pagesThatAreZeroOrSwappedAreNamed() {
    byte[] zeroed = sound.clone();
    Arrays.fill(zeroed, PAGE_BYTES, 2 * PAGE_BYTES, (byte) 0);
    try (SSTable table = SSTable.open(meta, new HeapFile(PATH, zeroed), pages)) {
      assertThat(SSTableVerifier.verify(table).problems()).anyMatch(p -> p.contains("page 1 "));
    }
    byte[] swapped = sound.clone();
    System.arraycopy(sound, 0, swapped, PAGE_BYTES, PAGE_BYTES);
    System.arraycopy(sound, PAGE_BYTES, swapped, 0, PAGE_BYTES);
    try (SSTable table = SSTable.open(meta, new HeapFile(PATH, swapped), pages)) {
      assertThat(SSTableVerifier.verify(table).problems())
          .anyMatch(p -> p.contains("page 0 "))
          .anyMatch(p -> p.contains("page 1 "));
    }
  }

  @Test
  void aNewerFormatIsRefusedAsSuch() {
    for (int offset : new int[] {FooterLayout.VERSION_OFFSET, FooterLayout.FEATURES}) {
      byte[] newer = sound.clone();
      newer[newer.length - FooterLayout.BYTES + offset] ^= 2;
      SSTableMeta resealed = reseal(newer, newer.length / PAGE_BYTES - 1);
      assertThatThrownBy(() -> SSTable.open(resealed, new HeapFile(PATH, newer), pages))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("memory.sst");
    }
  }

  /** Makes the checksum of a changed page right again; the meta that goes with the file. */
  private SSTableMeta reseal(byte[] bytes, int pageNo) {
    long page = Mem.allocate(PAGE_BYTES, 8);
    Mem.copyIn(bytes, pageNo * PAGE_BYTES, page, PAGE_BYTES);
    PageHeader.seal(page, PAGE_BYTES, meta.fileId(), pageNo, meta.salt());
    int checksum = PageHeader.checksum(page);
    Mem.copyOut(page, bytes, pageNo * PAGE_BYTES, PAGE_BYTES);
    Mem.free(page);
    boolean footer = pageNo == bytes.length / PAGE_BYTES - 1;
    SSTableMeta m = meta;
    return new SSTableMeta(
        m.fileId(),
        m.salt(),
        m.sizeBytes(),
        footer ? checksum : m.fileCrc(),
        m.counts(),
        m.keys(),
        m.lsns());
  }

  /**
   * Pages that are nonsense under a right checksum: what is read may be anything, but no access
   * leaves the page (the checked mode would fail) and nothing but a corruption is thrown.
   */
  @Test
  void nonsenseUnderARightChecksumStaysInThePage() {
    SplittableRandom random = new SplittableRandom(10);
    long buffer = Mem.allocate(64 << 10, PAGE_BYTES);
    for (int round = 0; round < 10_000; round++) {
      byte[] bytes = sound.clone();
      int pageNo = random.nextInt(sound.length / PAGE_BYTES - 1);
      for (int change = random.nextInt(1, 6); change > 0; change--) {
        // Mostly where heads, slots and key parts are.
        int offset = random.nextInt(random.nextBoolean() ? 420 : PAGE_BYTES);
        bytes[pageNo * PAGE_BYTES + offset] = (byte) random.nextInt();
      }
      SSTableMeta resealed = reseal(bytes, pageNo);
      try (SSTable table = SSTable.open(resealed, new HeapFile(PATH, bytes), pages)) {
        assertThat(SSTableVerifier.verify(table).isSound())
            .as("round %s", round)
            .isEqualTo(Arrays.equals(bytes, sound));
        readAnything(table, buffer);
      }
    }
    Mem.free(buffer);
  }

  private void readAnything(SSTable table, long buffer) {
    for (TestEntry e : entries) {
      try {
        if (find(table, e.key())) {
          long copy = Mem.allocate(Math.max(1, lookup.valueLength()), 8);
          try {
            lookup.copyValue(copy);
          } finally {
            Mem.free(copy);
          }
        }
      } catch (CorruptionException expected) {
        // Said so.
      } finally {
        lookup.release();
      }
    }
    ChunkReader reader = new ChunkReader(table, PAGE_BYTES, buffer, 64 << 10, new CacheCounters());
    try (EntryCursor cursor = table.cursor(20, ReadIntent.QUERY, Reach.UNKNOWN);
        VersionCursor versions = new VersionCursor(table, reader)) {
      try {
        for (boolean more = cursor.first(); more; more = cursor.next()) {
          DiskFixture.current(cursor);
        }
      } catch (CorruptionException expected) {
        // Said so.
      }
      try {
        for (boolean more = versions.first(); more; more = versions.next()) {
          DiskFixture.current(versions);
        }
      } catch (CorruptionException expected) {
        // Said so.
      }
      for (boolean more = cursor.last(); more; more = cursor.previous()) {
        DiskFixture.current(cursor);
      }
    } catch (CorruptionException expected) {
      // Said so.
    }
  }

  private void refused(SSTableMeta as, byte[] bytes, String why) {
    assertThatThrownBy(() -> SSTable.open(as, new HeapFile(PATH, bytes), pages))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("memory.sst")
        .hasMessageContaining(why);
  }
}
