package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.lsm.read.EntryCursor;

/** A key with more versions than work memory has room for the separators of their leaves. */
class UnlistedLeavesTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir Path directory;

  /** A few keys, and then one with many versions, some of them in overflow pages. */
  private static List<TestEntry> entries(long seed, int before, int versions, int keyLength) {
    Random random = new Random(seed);
    List<TestEntry> entries = new ArrayList<>();
    for (int i = 0; i < before; i++) {
      byte[] key = {0, (byte) (i >> 8), (byte) i};
      entries.add(TestEntry.put(key, random.nextInt(1000), new byte[random.nextInt(300)]));
    }
    byte[] key = new byte[keyLength];
    Arrays.fill(key, (byte) 7);
    long lsn = 1L << 40;
    for (int i = 0; i < versions; i++) {
      lsn -= 1 + random.nextInt(1000);
      byte[] value = new byte[valueLength(random)];
      random.nextBytes(value);
      entries.add(
          random.nextInt(10) == 0
              ? TestEntry.antiMatter(key, lsn)
              : TestEntry.put(key, lsn, value));
    }
    return entries;
  }

  private static int valueLength(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> PAGE_BYTES / 2 + 1 + random.nextInt(4 * PAGE_BYTES);
      case 1 -> 0;
      case 2, 3, 4 -> random.nextInt(100);
      default -> 1500 + random.nextInt(PAGE_BYTES / 2 - 1500);
    };
  }

  /** The smallest work memory there is, and enough for all separators. */
  @ParameterizedTest(name = "seed {0}, {1} keys before, {2} versions of a key of {3} bytes")
  @CsvSource({"1, 0, 100, 1024", "2, 50, 3000, 1024", "3, 900, 3000, 1"})
  void theFileIsWhatItIsWithMemoryForAllSeparators(
      long seed, int before, int versions, int keyLength) throws IOException {
    List<TestEntry> entries = entries(seed, before, versions, keyLength);
    Path small = Files.createDirectory(directory.resolve("small"));
    Path large = Files.createDirectory(directory.resolve("large"));
    SSTableMeta meta;
    try (DiskFixture disk = new DiskFixture(large, PAGE_BYTES, 8 * PAGE_BYTES, 64 << 20)) {
      meta = disk.write(disk.options(true), entries);
    }
    try (DiskFixture disk = new DiskFixture(small, PAGE_BYTES, 8 * PAGE_BYTES, 8 * PAGE_BYTES)) {
      assertThat(disk.write(disk.options(true), entries).fileCrc()).isEqualTo(meta.fileCrc());
      assertThat(Files.mismatch(large.resolve("1.sst"), small.resolve("1.sst"))).isEqualTo(-1);
      SSTable table = disk.open(meta);
      assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
      assertThat(disk.allVersions(table)).isEqualTo(entries);
      disk.drop(table);
    }
  }

  @Test
  void noOtherKeyMayFollow() {
    try (DiskFixture disk = new DiskFixture(directory, PAGE_BYTES, 2 * PAGE_BYTES, 32 << 10)) {
      SSTableWriter writer = disk.writer(disk.options(true));
      List<TestEntry> entries = entries(5, 0, 200, 1024);
      entries.add(TestEntry.put(new byte[] {8}, 1, new byte[0]));
      try (EntryCursor cursor = new ListCursor(entries)) {
        assertThatThrownBy(
                () -> {
                  for (boolean more = cursor.first(); more; more = cursor.next()) {
                    writer.add(cursor);
                  }
                })
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("work memory is used up after 200 entries");
      }
      assertThat(writer.full()).isTrue();
      assertThat(writer.finish().counts().entries()).isEqualTo(200);
    }
  }
}
