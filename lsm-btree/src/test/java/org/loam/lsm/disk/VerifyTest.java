package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.cache.PageHeader;
import org.loam.common.env.HeapFile;
import org.loam.common.mem.Mem;

/** Finds what is wrong under checksums that are right, as a faulty writer would leave it. */
class VerifyTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir Path directory;
  private SSTableMeta meta;
  private long file;
  private int pageCount;

  /**
   * Pages: 0 leaf with two keys and a pointer, 1 overflow, 2 leaf, then more leaves, filter, index,
   * footer.
   */
  @BeforeEach
  void write() throws IOException {
    List<TestEntry> entries = new ArrayList<>();
    entries.add(TestEntry.put(new byte[] {1, 1}, 11, new byte[200]));
    entries.add(TestEntry.put(new byte[] {1, 1}, 10, new byte[1800]));
    entries.add(TestEntry.put(new byte[] {1, 2}, 12, new byte[3000]));
    for (int i = 3; i < 10; i++) {
      entries.add(TestEntry.put(new byte[] {1, (byte) i}, 10 + i, new byte[2040]));
    }
    try (DiskFixture disk = new DiskFixture(directory, PAGE_BYTES)) {
      meta = disk.write(disk.options(true), entries);
      byte[] bytes = Files.readAllBytes(disk.path(meta.fileId()));
      file = Mem.allocate(bytes.length, 8);
      Mem.copyIn(bytes, 0, file, bytes.length);
      pageCount = bytes.length / PAGE_BYTES;
    }
    assertThat(PageHeader.count(page(0))).isEqualTo(3);
    assertThat(PageHeader.type(page(1))).isEqualTo(PageType.OVERFLOW);
    assertThat(problems()).isEmpty();
  }

  @AfterEach
  void free() {
    Mem.free(file);
  }

  private long page(int pageNo) {
    return file + (long) pageNo * PAGE_BYTES;
  }

  private long footer() {
    return page(pageCount - 1);
  }

  private long slot(int pageNo, int i) {
    return KeyedPage.heads(page(pageNo)) + PageHeader.count(page(pageNo)) * 8L + i * 4L;
  }

  private long keyPart(int pageNo, int i) {
    return page(pageNo) + KeyedPage.keyOffset(Mem.getInt(slot(pageNo, i)));
  }

  private void flip(long address, int bits) {
    Mem.putByte(address, (byte) (Mem.getByte(address) ^ bits));
  }

  private void add(long address, int delta) {
    Mem.putInt(address, Mem.getInt(address) + delta);
  }

  /** Makes all checksums right, then verifies. */
  private List<String> problems() {
    CRC32C crc = new CRC32C();
    for (int i = 0; i < pageCount - 1; i++) {
      PageHeader.seal(page(i), PAGE_BYTES, meta.fileId(), i, meta.salt());
      for (int b = 0; b < 4; b++) {
        crc.update(Mem.getByte(page(i) + b));
      }
    }
    Mem.putInt(footer() + FooterLayout.PAGES_CRC, (int) crc.getValue());
    PageHeader.seal(footer(), PAGE_BYTES, meta.fileId(), pageCount - 1, meta.salt());
    SSTableMeta m = meta;
    SSTableMeta forged =
        new SSTableMeta(
            m.fileId(),
            m.salt(),
            m.sizeBytes(),
            PageHeader.checksum(footer()),
            m.counts(),
            m.keys(),
            m.lsns());
    byte[] bytes = new byte[pageCount * PAGE_BYTES];
    Mem.copyOut(file, bytes, 0, bytes.length);
    try (UncachedPages pages = new UncachedPages(PAGE_BYTES);
        SSTable table = SSTable.open(forged, new HeapFile(Path.of("memory.sst"), bytes), pages)) {
      return SSTableVerifier.verify(table).problems();
    }
  }

  @Test
  void aHeadThatIsNotThatOfItsKey() {
    flip(KeyedPage.heads(page(0)), 1);
    assertThat(problems()).contains("page 0 entry 0: the head is not that of the key");
  }

  @Test
  void keysOutOfOrder() {
    flip(KeyedPage.prefix(page(2)), 0x80);
    assertThat(problems()).contains("page 3 entry 0: its key is before that of the entry before");
  }

  @Test
  void aVersionMarkedWrongly() {
    flip(keyPart(0, 1), KeyedPage.OLDER_VERSION);
    assertThat(problems())
        .contains("page 0 entry 1: it is marked as an older version of its key: false");
  }

  @Test
  void versionsInTheWrongOrder() {
    // The LSN of the older version becomes that of the newer one.
    flip(keyPart(0, 1) + 1, 1);
    assertThat(problems()).contains("page 0 entry 1: LSN 11 after 11");
  }

  @Test
  void anUnknownKind() {
    // Kind 1 becomes 11.
    flip(keyPart(0, 0), 10);
    assertThat(problems()).contains("page 0 entry 0: meta byte 27");
  }

  @Test
  void anLsnAboveThatOfThePage() {
    PageHeader.setMaxLsn(page(0), 11);
    assertThat(problems()).contains("page 0 entry 2: LSN 12, the largest of the page is 11");
  }

  @Test
  void aPointerToTheWrongOverflowPage() {
    long value = page(0) + KeyedPage.valueOffset(Mem.getInt(slot(0, 2)));
    assertThat(Mem.getInt(value)).isEqualTo(1);
    add(value, 1);
    assertThat(problems()).contains("page 0 entry 2: value in page 2, expected 1");
  }

  @Test
  void aLeafWhereOverflowIsDue() {
    Mem.copy(page(2), page(1), PAGE_BYTES);
    assertThat(problems()).contains("page 1: type 1, expected overflow");
  }

  @Test
  void aFilterWithoutTheKeys() {
    int filterPage = Mem.getInt(footer() + FooterLayout.FILTER_START);
    Mem.fill(page(filterPage) + FilterBlock.BYTES, PAGE_BYTES - FilterBlock.BYTES, (byte) 0);
    assertThat(problems()).contains("page 2 entry 0: the filter does not have its key");
  }

  @Test
  void anIndexThatLeadsAstray() {
    int root = Mem.getInt(footer() + FooterLayout.ROOT);
    long child = page(root) + KeyedPage.valueOffset(Mem.getInt(slot(root, 1)));
    assertThat(Mem.getInt(child)).isEqualTo(2);
    add(child, 1);
    assertThat(problems()).contains("page 2 entry 0: the index leads to page 3");
    add(child, 1000);
    assertThat(problems()).anyMatch(p -> p.startsWith("the index cannot be followed"));
  }

  @Test
  void countsInTheFooter() {
    assertTotal(FooterLayout.KEY_COUNT, -1, "keys: 9, the footer says 8");
    assertTotal(FooterLayout.MAX_KEY_LENGTH, 1, "bytes of the longest key: 2, the footer says 3");
    assertTotal(FooterLayout.FILTER_PROBES, 1, "the filter does not have its key");
  }

  private void assertTotal(int field, int delta, String problem) {
    add(footer() + field, delta);
    assertThat(problems()).anyMatch(p -> p.contains(problem));
    add(footer() + field, -delta);
  }

  @Test
  void aPageOfTheWrongTypeAfterTheLeaves() {
    int filterPage = Mem.getInt(footer() + FooterLayout.FILTER_START);
    Mem.putByte(page(filterPage) + 7, (byte) PageType.OVERFLOW);
    assertThat(problems()).contains("page " + filterPage + ": type 2, expected 4");
  }
}
