package org.loam.cache;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.common.codec.Crc32c;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;

class PageHeaderTest {
  private static final int PAGE_BYTES = 4096;
  private static final int FILE_ID = 9;
  private static final int PAGE_NO = 5;

  private final PagesFile file = new PagesFile(FILE_ID, PAGE_BYTES, 8);
  private long page;

  @BeforeEach
  void readPage() {
    page = Mem.allocate(PAGE_BYTES, 4096);
    file.read((long) PAGE_NO * PAGE_BYTES, page, PAGE_BYTES);
  }

  @AfterEach
  void free() {
    Mem.free(page);
  }

  @Test
  void bytesAreThoseOfTheGoldenFile() throws IOException {
    Mem.fill(page, 64, (byte) 0xa5);
    PageHeader.start(page, 3);
    PageHeader.setMaxLsn(page, 0x1122334455667788L);
    PageHeader.setCount(page, 0x0102);
    PageHeader.setPrefixLength(page, 0x0304);
    PageHeader.setFlags(page, 0x0506);
    PageHeader.setFreeBytes(page, 0xfffe);
    PageHeader.seal(page, 64, 0x0a0b0c0d, 0x01020304, 0x5a17L);

    byte[] bytes = new byte[64];
    Mem.copyOut(page, bytes, 0, 64);
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden());
  }

  @Test
  void fieldsComeBack() {
    PageHeader.start(page, 255);
    PageHeader.setMaxLsn(page, Long.MAX_VALUE);
    PageHeader.setCount(page, 65535);
    PageHeader.setPrefixLength(page, 65534);
    PageHeader.setFlags(page, 65533);
    PageHeader.setFreeBytes(page, 65532);

    assertThat(PageHeader.type(page)).isEqualTo(255);
    assertThat(PageHeader.maxLsn(page)).isEqualTo(Long.MAX_VALUE);
    assertThat(PageHeader.count(page)).isEqualTo(65535);
    assertThat(PageHeader.prefixLength(page)).isEqualTo(65534);
    assertThat(PageHeader.flags(page)).isEqualTo(65533);
    assertThat(PageHeader.freeBytes(page)).isEqualTo(65532);
  }

  @Test
  void refusesWhatDoesNotFitAField() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageHeader.setCount(page, 65536))
        .withMessage("count is 65536, must be 0 to 65535");
    assertThatIllegalArgumentException().isThrownBy(() -> PageHeader.setFreeBytes(page, -1));
  }

  @Test
  void everyFlippedBitIsSeen() {
    for (int offset = 0; offset < PAGE_BYTES; offset++) {
      byte right = Mem.getByte(page + offset);
      for (int bit = 0; bit < 8; bit++) {
        Mem.putByte(page + offset, (byte) (right ^ 1 << bit));
        assertCorrupt("page 5 of file id 9 (offset 20480) is corrupt: checksum stored ");
      }
      Mem.putByte(page + offset, right);
    }
    PageHeader.verify(file, PAGE_NO, page, PAGE_BYTES);
  }

  @Test
  void namesBothChecksums() {
    int right = PageHeader.checksum(page);
    Mem.putLong(page + 100, 0);
    int now = Crc32c.seeded(file.salt(), 9L << 32 | 5, page + 4, PAGE_BYTES - 4);
    assertCorrupt(String.format("checksum stored %08x, of the bytes %08x", right, now));
    assertCorrupt("pages-9: page 5");
    assertCorrupt("the bytes are damaged");
  }

  @Test
  void tellsAMisdirectedWrite() {
    file.read(2L * PAGE_BYTES, page, PAGE_BYTES);
    assertCorrupt(
        "the header says page 2 of file id 9, where the checksum is right: a misdirected");
  }

  @Test
  void tellsAPageOfAnotherFile() {
    new PagesFile(8, PAGE_BYTES, 6).read(5L * PAGE_BYTES, page, PAGE_BYTES);
    assertCorrupt("the header says page 5 of file id 8: a stale or misdirected write");
  }

  @Test
  void tellsALostWrite() {
    Mem.fill(page, PAGE_BYTES, (byte) 0);
    assertCorrupt("all bytes are zero: the write was lost");
  }

  @Test
  void tellsForeignBytes() {
    Mem.fill(page, PAGE_BYTES, (byte) 0x20);
    assertCorrupt("magic is 2020, not 6d4c");
  }

  @Test
  void anotherSaltDoesNotPass() {
    PageHeader.seal(page, PAGE_BYTES, FILE_ID, PAGE_NO, file.salt() + 1);
    assertCorrupt("or left over from an earlier file");
  }

  @Test
  void aRightChecksumWithAWrongPlaceDoesNotPass() {
    Mem.putInt(page + 12, 6);
    long place = (long) FILE_ID << 32 | PAGE_NO;
    Mem.putInt(page, Crc32c.seeded(file.salt(), place, page + 4, PAGE_BYTES - 4));
    assertCorrupt("the header says page 6 of file id 9");
  }

  @Test
  void refusesANewerVersion() {
    Mem.putByte(page + 6, (byte) 2);
    long place = (long) FILE_ID << 32 | PAGE_NO;
    Mem.putInt(page, Crc32c.seeded(file.salt(), place, page + 4, PAGE_BYTES - 4));
    assertThatThrownBy(() -> PageHeader.verify(file, PAGE_NO, page, PAGE_BYTES))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("page 5 has format version 2, this release reads up to 1");
  }

  private void assertCorrupt(String message) {
    assertThatThrownBy(() -> PageHeader.verify(file, PAGE_NO, page, PAGE_BYTES))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(message);
  }

  private static String golden() throws IOException {
    try (InputStream in = PageHeaderTest.class.getResourceAsStream("page-header-v1.hex")) {
      return new String(in.readAllBytes(), US_ASCII).replaceAll("(?m)#.*$|\\s", "");
    }
  }
}
