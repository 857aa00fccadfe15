package org.loam.lsm.memory;

import java.util.Objects;
import org.loam.common.mem.Mem;

/**
 * Copies values of records part by part. Of a value in pieces it knows the piece at which the last
 * part ended: to look for each part from the first piece on would take a time that is quadratic in
 * the length. For one thread, and for records whose memory is not used again meanwhile.
 */
public final class PieceReader {
  private long record;
  private long piece;

  /** Bytes of the value before the piece. */
  private int start;

  /** Copies {@code length} bytes of the value from byte {@code from} on, which it must have. */
  public void copyValue(long of, int from, int length, long target) {
    Objects.checkFromIndexSize(from, length, MemoryRecord.valueLength(of));
    if (length == 0) {
      return;
    }
    long address = MemoryRecord.valueAddress(of);
    if (address != 0) {
      Mem.copy(address + from, target, length);
      return;
    }
    if (of != record || from < start) {
      record = of;
      piece = MemoryRecord.firstPiece(of);
      start = 0;
    }
    int done = 0;
    while (true) {
      int skip = from + done - start;
      int some = Math.min(MemoryRecord.pieceBytes(piece) - skip, length - done);
      if (some > 0) {
        Mem.copy(piece + MemoryRecord.PIECE_HEADER_BYTES + skip, target + done, some);
        done += some;
      }
      if (done == length) {
        return;
      }
      start += MemoryRecord.pieceBytes(piece);
      piece = MemoryRecord.nextPiece(piece);
    }
  }
}
