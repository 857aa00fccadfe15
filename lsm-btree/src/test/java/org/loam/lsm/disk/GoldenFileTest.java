package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Format version 1 is what {@code sstable-v1.hex} holds: today's writer writes these very bytes,
 * and today's reader reads them. Lines are an offset and 32 bytes; {@code *} stands for repetitions
 * of the line before. Run with {@code -Drewrite=true} to write the file anew, which is right only
 * before the format is released.
 */
class GoldenFileTest {
  private static final String RESOURCE = "sstable-v1.hex";
  private static final int PAGE_BYTES = 4096;
  private static final int LINE_BYTES = 32;

  @TempDir Path directory;

  /** Two levels of pages, a page prefix, versions over two leaves, anti-matter, overflow. */
  private static List<TestEntry> entries() {
    List<TestEntry> entries = new ArrayList<>();
    entries.add(TestEntry.put(key("user:1"), 7, bytes(1, 20)));
    entries.add(TestEntry.put(key("user:10"), 300, bytes(2, 1900)));
    for (int lsn = 20_000; lsn > 17_000; lsn -= 1000) {
      entries.add(TestEntry.put(key("user:11"), lsn, bytes(lsn / 1000, 1500)));
    }
    entries.add(TestEntry.antiMatter(key("user:11"), 2));
    entries.add(TestEntry.put(key("user:2"), 8, bytes(5, 5000)));
    entries.add(TestEntry.antiMatter(key("user:3"), 1L << 40));
    entries.add(TestEntry.put(key("user:3\0"), 9, new byte[0]));
    entries.add(TestEntry.put(key("zone"), 10, bytes(6, 3)));
    return entries;
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(int value, int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void theWriterWritesTheseBytes() throws IOException {
    byte[] written;
    try (DiskFixture disk = new DiskFixture(directory, PAGE_BYTES)) {
      written = Files.readAllBytes(disk.path(write(disk).fileId()));
    }
    String text = format(written);
    if (Boolean.getBoolean("rewrite")) {
      Path resources = Path.of("src/test/resources/org/loam/lsm/disk");
      Files.createDirectories(resources);
      Files.writeString(resources.resolve(RESOURCE), text);
    }
    assertThat(text).isEqualTo(golden());
  }

  @Test
  void theReaderReadsTheseBytes() throws IOException {
    try (DiskFixture disk = new DiskFixture(directory, PAGE_BYTES)) {
      SSTableMeta meta = write(disk);
      Files.write(disk.path(meta.fileId()), parse(golden()));
      SSTable table = disk.open(meta);
      assertThat(SSTableVerifier.verify(table).problems()).isEmpty();
      assertThat(disk.allVersions(table)).isEqualTo(entries());
      for (TestEntry e : entries()) {
        assertThat(disk.find(table, e.key(), e.lsn())).isEqualTo(e);
      }
      disk.drop(table);
    }
  }

  private SSTableMeta write(DiskFixture disk) {
    return disk.write(
        new SSTableOptions(7, 0x1234_5678_9abc_def0L, PAGE_BYTES, true, 10), entries());
  }

  private static String golden() throws IOException {
    try (InputStream in = GoldenFileTest.class.getResourceAsStream(RESOURCE)) {
      assertThat(in).as(RESOURCE).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static String format(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    String last = "";
    boolean starred = false;
    for (int at = 0; at < bytes.length; at += LINE_BYTES) {
      String line = HexFormat.of().formatHex(bytes, at, at + LINE_BYTES);
      if (!line.equals(last)) {
        text.append(String.format("%06x %s\n", at, line));
        starred = false;
      } else if (!starred) {
        text.append("*\n");
        starred = true;
      }
      last = line;
    }
    return text.append(String.format("%06x\n", bytes.length)).toString();
  }

  private static byte[] parse(String text) {
    List<String> lines = text.lines().toList();
    byte[] bytes = new byte[Integer.parseInt(lines.get(lines.size() - 1), 16)];
    byte[] line = {};
    int at = 0;
    for (String l : lines) {
      if (l.equals("*")) {
        continue;
      }
      int offset = Integer.parseInt(l.substring(0, 6), 16);
      for (; at < offset; at += LINE_BYTES) {
        System.arraycopy(line, 0, bytes, at, LINE_BYTES);
      }
      if (l.length() > 6) {
        line = HexFormat.of().parseHex(l.substring(7));
      }
    }
    return bytes;
  }
}
