package org.loam.log.format;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;

/**
 * The header block of a log segment, version 1. Integers little-endian; offsets and sizes in bytes.
 *
 * <pre>
 *  offset  size  field
 *       0     8  magic, "LOAMLOG" and a line feed
 *       8     4  version, 1
 *      12     4  slot
 *      16     8  feature bits, 0; unknown ones are refused
 *      24     8  identity of the log
 *      32     8  sequence
 *      40     8  base LSN
 *      48     8  salt
 *      56     8  segment size
 *      64     4  revision: 1 prepared, more once closed
 *      68     4  reserved, 0
 *      72     8  durableUpTo
 *      80     8  closing: end LSN, 0 while open
 *      88     8  closing: base LSN of the next segment
 *      96     8  closing: its sequence
 *     104     8  closing: its salt
 *     112        zeros
 *    4092     4  crc32c of bytes [0, 4092)
 * </pre>
 *
 * <p>A segment has two copies, in its first and its last block. They are rewritten one after the
 * other with a force between, the last block first, so that a crash leaves one of them whole: a
 * segment with no valid copy is damaged, never merely unfinished.
 *
 * <p>Pinned by {@code segment-header-v1.hex}; described in {@code docs/formats/log.md}.
 */
public final class SegmentHeaderLayout {
  public static final int BLOCK_BYTES = 4096;

  static final long MAGIC = 0x0a474f4c4d414f4cL;
  static final int VERSION = 1;
  static final int MAGIC_OFFSET = 0;
  static final int VERSION_OFFSET = 8;
  static final int SLOT_OFFSET = 12;
  static final int FEATURES_OFFSET = 16;
  static final int IDENTITY_OFFSET = 24;
  static final int SEQUENCE_OFFSET = 32;
  static final int BASE_LSN_OFFSET = 40;
  static final int SALT_OFFSET = 48;
  static final int SEGMENT_BYTES_OFFSET = 56;
  static final int REVISION_OFFSET = 64;
  static final int DURABLE_UP_TO_OFFSET = 72;
  static final int CLOSING_END_LSN_OFFSET = 80;
  static final int NEXT_BASE_LSN_OFFSET = 88;
  static final int NEXT_SEQUENCE_OFFSET = 96;
  static final int NEXT_SALT_OFFSET = 104;
  static final int CRC_OFFSET = BLOCK_BYTES - 4;

  private SegmentHeaderLayout() {}

  /** Writes the block, {@link #BLOCK_BYTES} long. */
  public static void write(long block, SegmentHeader header, Checksum checksum) {
    Mem.fill(block, BLOCK_BYTES, (byte) 0);
    Mem.putLong(block + MAGIC_OFFSET, MAGIC);
    Mem.putInt(block + VERSION_OFFSET, VERSION);
    Mem.putInt(block + SLOT_OFFSET, header.slot());
    Mem.putLong(block + IDENTITY_OFFSET, header.identity());
    Mem.putLong(block + SEQUENCE_OFFSET, header.sequence());
    Mem.putLong(block + BASE_LSN_OFFSET, header.baseLsn());
    Mem.putLong(block + SALT_OFFSET, header.link().salt());
    Mem.putLong(block + SEGMENT_BYTES_OFFSET, header.segmentBytes());
    Mem.putInt(block + REVISION_OFFSET, header.revision());
    Mem.putLong(block + DURABLE_UP_TO_OFFSET, header.durableUpTo());
    Mem.putLong(block + CLOSING_END_LSN_OFFSET, header.closing().endLsn());
    Mem.putLong(block + NEXT_BASE_LSN_OFFSET, header.closing().next().baseLsn());
    Mem.putLong(block + NEXT_SEQUENCE_OFFSET, header.closing().next().sequence());
    Mem.putLong(block + NEXT_SALT_OFFSET, header.closing().next().salt());
    Mem.putInt(block + CRC_OFFSET, checksum.of(block, CRC_OFFSET));
  }

  /**
   * Reads a block.
   *
   * @param what names the file in messages
   * @return null if it is not a whole header
   * @throws UnsupportedFormatException if it is one, of a newer version or with unknown features
   */
  public static @Nullable SegmentHeader read(long block, String what, Checksum checksum) {
    if (Mem.getLong(block + MAGIC_OFFSET) != MAGIC
        || Mem.getInt(block + CRC_OFFSET) != checksum.of(block, CRC_OFFSET)) {
      return null;
    }
    int version = Mem.getInt(block + VERSION_OFFSET);
    long features = Mem.getLong(block + FEATURES_OFFSET);
    if (version != VERSION || features != 0) {
      throw new UnsupportedFormatException(
          what
              + ": log segment version "
              + version
              + ", feature bits 0x"
              + Long.toHexString(features)
              + "; this release reads version "
              + VERSION
              + " without feature bits: use the release that wrote it");
    }
    return new SegmentHeader(
        Mem.getLong(block + IDENTITY_OFFSET),
        Mem.getInt(block + SLOT_OFFSET),
        new SegmentLink(
            Mem.getLong(block + BASE_LSN_OFFSET),
            Mem.getLong(block + SEQUENCE_OFFSET),
            Mem.getLong(block + SALT_OFFSET)),
        Mem.getInt(block + REVISION_OFFSET),
        Mem.getLong(block + SEGMENT_BYTES_OFFSET),
        Mem.getLong(block + DURABLE_UP_TO_OFFSET),
        new SegmentHeader.Closing(
            Mem.getLong(block + CLOSING_END_LSN_OFFSET),
            new SegmentLink(
                Mem.getLong(block + NEXT_BASE_LSN_OFFSET),
                Mem.getLong(block + NEXT_SEQUENCE_OFFSET),
                Mem.getLong(block + NEXT_SALT_OFFSET))));
  }
}
