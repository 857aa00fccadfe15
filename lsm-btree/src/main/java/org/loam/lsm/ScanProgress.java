package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Mem;

/** What a scan asks for, how far it has come, and how much its next batch may hold. One thread. */
final class ScanProgress {
  private static final int FIRST_BATCH_BYTES = 16 << 10;
  static final int MAX_BATCH_BYTES = 128 << 10;

  private final TreeScan.Range range;
  private final long readLsn;
  private long left;
  private int batchBytes;
  private byte @Nullable [] position;

  ScanProgress(TreeScan.Range range, long readLsn) {
    this.range = range;
    this.readLsn = readLsn;
    this.left = range.limit();
    // A scan with a limit gets its entries with as few descents as possible.
    this.batchBytes = left == Long.MAX_VALUE ? FIRST_BATCH_BYTES : MAX_BATCH_BYTES;
  }

  /** Notes that a batch is complete, of so many rows, the last of which has this key. */
  void batchDone(int rows, byte @Nullable [] lastKey) {
    left -= rows;
    position = lastKey;
    batchBytes = Math.min(2 * batchBytes, MAX_BATCH_BYTES);
  }

  TreeScan.Range range() {
    return range;
  }

  long readLsn() {
    return readLsn;
  }

  /** Rows that may still be fetched. */
  long left() {
    return left;
  }

  /** Bytes of the next batch, about. */
  int batchBytes() {
    return batchBytes;
  }

  /** The last key of the batch before, which is not shown again; null before the first batch. */
  byte @Nullable [] position() {
    return position;
  }

  /** The key from which the next batch goes on; null if it begins at the first of all. */
  byte @Nullable [] start() {
    return position != null ? position : range.forward() ? range.from() : range.to();
  }

  /** Where the scan ends: without this key if it goes forward, with it if backward. */
  byte @Nullable [] end() {
    return range.forward() ? range.to() : range.from();
  }

  /** Whether a key is past the end. */
  boolean isPastEnd(long key, int keyLength) {
    byte[] end = end();
    if (end == null) {
      return false;
    }
    int order = Mem.compare(end, 0, end.length, key, keyLength);
    return range.forward() ? order <= 0 : order > 0;
  }
}
