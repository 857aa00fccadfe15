package org.loam.log.format;

import org.loam.common.mem.Mem;

/**
 * One frame of the log, version 1. Integers little-endian; offsets and sizes in bytes. A frame
 * starts at a multiple of 8 and lies in one segment.
 *
 * <pre>
 *  offset  size  field
 *       0     4  headerCrc: crc32c of bytes [4, 32), xor the seed of the segment
 *       4     4  payloadLength
 *       8     4  payloadCrc: crc32c of the payload
 *      12     1  type, see the constants here
 *      13     1  flags, 0
 *      14     2  reserved, 0
 *      16     8  lsn: the position of this frame in the log
 *      24     8  durableUpTo: exclusive end LSN known to be forced when the frame was appended
 *      32     n  payload
 *     ...        up to the next multiple of 8, any bytes
 * </pre>
 *
 * <p>The seed is the crc32c of the log's identity and the segment's salt. Together with the LSN it
 * keeps the bytes of an earlier use of the segment, or of another log, from passing for a frame.
 * The payload's checksum does not depend on the place, so it is computed before the place is known.
 *
 * <p>Pinned by {@code frame-v1.hex}; described in {@code docs/formats/log.md}.
 */
public final class FrameLayout {
  public static final int HEADER_CRC_OFFSET = 0;
  public static final int PAYLOAD_LENGTH_OFFSET = 4;
  public static final int PAYLOAD_CRC_OFFSET = 8;
  public static final int TYPE_OFFSET = 12;
  public static final int FLAGS_OFFSET = 13;
  public static final int RESERVED_OFFSET = 14;
  public static final int LSN_OFFSET = 16;
  public static final int DURABLE_UP_TO_OFFSET = 24;
  public static final int HEADER_BYTES = 32;

  /** Frames start at multiples of this. */
  public static final int ALIGNMENT = 8;

  /** Payload: a batch, see {@link BatchPayload}. */
  public static final byte BATCH = 1;

  /** Payload: u64 manifest number, u64 bytes of that manifest known to be forced. */
  public static final byte MARK = 2;

  /** Payload: u64 base LSN, u64 sequence and u64 salt of the segment that goes on. */
  public static final byte SEGMENT_END = 3;

  /** No payload. The log was closed here; everything before was forced. */
  public static final byte SEAL = 4;

  /** Reserved: the first, an inner and the last part of a batch that spans frames. */
  public static final byte FIRST = 5;

  public static final byte MIDDLE = 6;
  public static final byte LAST = 7;

  public static final int MARK_PAYLOAD_BYTES = 16;
  public static final int SEGMENT_END_PAYLOAD_BYTES = 24;

  /** Every segment keeps this much free behind its frames, for the frame that ends it. */
  public static final int END_RESERVE_BYTES = HEADER_BYTES + SEGMENT_END_PAYLOAD_BYTES;

  private FrameLayout() {}

  /** The bytes from the start of a frame to the start of the next. */
  public static long frameBytes(int payloadLength) {
    return ((long) HEADER_BYTES + payloadLength + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Whether a frame of this version may have the type. */
  public static boolean isKnownType(byte type) {
    return type >= BATCH && type <= SEAL;
  }

  /** The name of a type of this version, as docs/formats/log.md has it. */
  public static String typeName(byte type) {
    return switch (type) {
      case BATCH -> "BATCH";
      case MARK -> "MARK";
      case SEGMENT_END -> "SEGMENT_END";
      case SEAL -> "SEAL";
      default -> throw new IllegalArgumentException("type " + type + " is none of this version");
    };
  }

  /** Writes the header at {@code frame}, checksum included. */
  public static void writeHeader(
      long frame,
      byte type,
      int payloadLength,
      int payloadCrc,
      long lsn,
      long durableUpTo,
      int seed,
      Checksum checksum) {
    Mem.putInt(frame + PAYLOAD_LENGTH_OFFSET, payloadLength);
    Mem.putInt(frame + PAYLOAD_CRC_OFFSET, payloadCrc);
    // Type, flags and reserved in one store.
    Mem.putInt(frame + TYPE_OFFSET, type);
    Mem.putLong(frame + LSN_OFFSET, lsn);
    Mem.putLong(frame + DURABLE_UP_TO_OFFSET, durableUpTo);
    Mem.putInt(frame + HEADER_CRC_OFFSET, computeHeaderCrc(frame, seed, checksum));
  }

  /** The checksum that the header at {@code frame} should have. */
  public static int computeHeaderCrc(long frame, int seed, Checksum checksum) {
    return checksum.of(frame + PAYLOAD_LENGTH_OFFSET, HEADER_BYTES - PAYLOAD_LENGTH_OFFSET) ^ seed;
  }

  /** The checksum that the header at {@code frame} has. */
  public static int headerCrc(long frame) {
    return Mem.getInt(frame + HEADER_CRC_OFFSET);
  }

  public static int payloadLength(long frame) {
    return Mem.getInt(frame + PAYLOAD_LENGTH_OFFSET);
  }

  public static int payloadCrc(long frame) {
    return Mem.getInt(frame + PAYLOAD_CRC_OFFSET);
  }

  public static byte type(long frame) {
    return Mem.getByte(frame + TYPE_OFFSET);
  }

  /** The flags and the reserved field together; 0 in this version. */
  public static int flagsAndReserved(long frame) {
    return Mem.getInt(frame + TYPE_OFFSET) >>> 8;
  }

  public static long lsn(long frame) {
    return Mem.getLong(frame + LSN_OFFSET);
  }

  public static long durableUpTo(long frame) {
    return Mem.getLong(frame + DURABLE_UP_TO_OFFSET);
  }
}
