package org.loam.log.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.common.codec.Crc32c;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;

/** The bytes on disk are what docs/formats/log.md says; a change of them fails here. */
class LogFormatTest {
  private static final long IDENTITY = 0x1122_3344_5566_7788L;
  private static final long SALT = 0x99aa_bbcc_ddee_ff00L;

  private final Checksum checksum = new Checksum();
  private final long memory = Mem.allocate(8192, 4096);

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  private long text(String text, long at) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    Mem.copyIn(bytes, 0, at, bytes.length);
    return at;
  }

  private int writeBatch(long at) {
    long strings = memory + 4096;
    BatchEncoder encoder = new BatchEncoder();
    encoder.reset(at, 1024);
    encoder.add(1, EntryKind.PUT, text("key", strings), 3, text("a value", strings + 8), 7);
    encoder.add(300, EntryKind.ANTI_MATTER, text("gone", strings + 16), 4, 0, 0);
    return encoder.lengthBytes();
  }

  @Test
  void batchPayload() throws IOException {
    int length = writeBatch(memory);
    Golden.check("batch-payload-v1.hex", memory, length);
  }

  @Test
  void frame() throws IOException {
    Mem.fill(memory, 128, (byte) 0);
    int length = writeBatch(memory + FrameLayout.HEADER_BYTES);
    int payloadCrc = Crc32c.of(memory + FrameLayout.HEADER_BYTES, length);
    FrameLayout.writeHeader(
        memory,
        FrameLayout.BATCH,
        length,
        payloadCrc,
        0x1_0000_1000L,
        0x1_0000_0800L,
        Checksum.seed(IDENTITY, SALT),
        checksum);
    Golden.check("frame-v1.hex", memory, (int) FrameLayout.frameBytes(length));
    assertThat(FrameLayout.type(memory)).isEqualTo(FrameLayout.BATCH);
    assertThat(FrameLayout.payloadLength(memory)).isEqualTo(length);
    assertThat(FrameLayout.payloadCrc(memory)).isEqualTo(payloadCrc);
    assertThat(FrameLayout.lsn(memory)).isEqualTo(0x1_0000_1000L);
    assertThat(FrameLayout.durableUpTo(memory)).isEqualTo(0x1_0000_0800L);
    assertThat(FrameLayout.flagsAndReserved(memory)).isZero();
  }

  @Test
  void everyByteOfAFrameHeaderCounts() {
    int seed = Checksum.seed(IDENTITY, SALT);
    FrameLayout.writeHeader(memory, FrameLayout.SEAL, 0, 0, 4096, 4096, seed, checksum);
    for (int i = 0; i < FrameLayout.HEADER_BYTES; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte before = Mem.getByte(memory + i);
        Mem.putByte(memory + i, (byte) (before ^ (1 << bit)));
        assertThat(FrameLayout.computeHeaderCrc(memory, seed, checksum))
            .as("byte %s bit %s", i, bit)
            .isNotEqualTo(FrameLayout.headerCrc(memory));
        Mem.putByte(memory + i, before);
      }
    }
    assertThat(FrameLayout.computeHeaderCrc(memory, Checksum.seed(IDENTITY, SALT + 1), checksum))
        .isNotEqualTo(FrameLayout.headerCrc(memory));
    assertThat(FrameLayout.computeHeaderCrc(memory, Checksum.seed(IDENTITY + 1, SALT), checksum))
        .isNotEqualTo(FrameLayout.headerCrc(memory));
  }

  private static SegmentHeader header() {
    return SegmentHeader.prepared(
        IDENTITY, 3, 64 << 20, new SegmentLink(0x1_0000_0000L, 17, SALT), 0xffff_0000L);
  }

  @Test
  void segmentHeader() throws IOException {
    SegmentHeader header = header().closed(0x1_0000_2000L, new SegmentLink(1L << 33, 18, 5));
    SegmentHeaderLayout.write(memory, header, checksum);
    Golden.check("segment-header-v1.hex", memory, SegmentHeaderLayout.BLOCK_BYTES);
    assertThat(SegmentHeaderLayout.read(memory, "test", checksum)).isEqualTo(header);
  }

  @Test
  void everyBitOfASegmentHeaderCounts() {
    SegmentHeaderLayout.write(memory, header(), checksum);
    for (int i = 0; i < SegmentHeaderLayout.BLOCK_BYTES; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte before = Mem.getByte(memory + i);
        Mem.putByte(memory + i, (byte) (before ^ (1 << bit)));
        assertThat(SegmentHeaderLayout.read(memory, "test", checksum))
            .as("byte %s bit %s", i, bit)
            .isNull();
        Mem.putByte(memory + i, before);
      }
    }
  }

  @Test
  void refusesUnknownFeatureBits() {
    SegmentHeaderLayout.write(memory, header(), checksum);
    Mem.putLong(memory + SegmentHeaderLayout.FEATURES_OFFSET, 4);
    Mem.putInt(
        memory + SegmentHeaderLayout.CRC_OFFSET,
        checksum.of(memory, SegmentHeaderLayout.CRC_OFFSET));
    assertThatThrownBy(() -> SegmentHeaderLayout.read(memory, "log-000001.seg", checksum))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("log-000001.seg")
        .hasMessageContaining("feature bits 0x4");
  }
}
