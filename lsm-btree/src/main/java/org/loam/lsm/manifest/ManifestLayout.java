package org.loam.lsm.manifest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Records of a manifest file and the file {@code current}, version 1. Integers little-endian;
 * offsets and sizes in bytes.
 *
 * <pre>
 *  offset  size  field of the file's first block
 *       0     4  crc32c of bytes [4, 40)
 *       4     4  magic
 *       8     4  version, 1
 *      12     4  reserved, 0
 *      16     8  feature bits; an unknown one is refused
 *      24     8  file number
 *      32     8  file size; the file is written with zeros to this size before first use
 *
 *  offset  size  field of a record, from byte 4096 on, each 8-byte aligned
 *       0     4  crc32c of bytes [4, 24 + length), seeded with file number and record offset
 *       4     4  length of the edit, at least 4; 0 ends the file
 *       8     8  sequence number within the file, from 0
 *      16     8  bytes of this file forced when the record was written
 *      24     n  the edit
 * </pre>
 *
 * <p>Every record is forced before the next is written, so a bad record followed by a good one is
 * corruption, and a bad last one is a torn tail, unless a mark in the log says it was forced.
 */
final class ManifestLayout {
  static final int MAGIC = 0x4e414d4c;
  static final int VERSION = 1;
  static final int BLOCK_BYTES = 4096;
  static final int HEADER_BYTES = 24;
  static final int FILE_HEADER_BYTES = 40;

  private ManifestLayout() {}

  static int recordBytes(int editBytes) {
    return (HEADER_BYTES + editBytes + 7) & -8;
  }

  static byte[] fileHeader(long featureBits, long fileNumber, long fileBytes) {
    ByteBuffer b = ByteBuffer.allocate(FILE_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(0).putInt(MAGIC).putInt(VERSION).putInt(0);
    b.putLong(featureBits).putLong(fileNumber).putLong(fileBytes);
    CRC32C crc = new CRC32C();
    crc.update(b.slice(4, FILE_HEADER_BYTES - 4));
    return b.putInt(0, (int) crc.getValue()).array();
  }

  static byte[] record(long fileNumber, long offset, long sequence, byte[] edit) {
    ByteBuffer b = ByteBuffer.allocate(recordBytes(edit.length)).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(0).putInt(edit.length).putLong(sequence).putLong(offset).put(edit);
    return b.putInt(0, crc(b, 0, edit.length, fileNumber, offset)).array();
  }

  /** The checksum a record at {@code at} in the buffer should have. */
  static int crc(ByteBuffer b, int at, int editLength, long fileNumber, long offset) {
    CRC32C crc = new CRC32C();
    ByteBuffer seed = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    crc.update(seed.putLong(fileNumber).putLong(offset).flip());
    crc.update(b.slice(at + 4, HEADER_BYTES - 4 + editLength));
    return (int) crc.getValue();
  }
}
