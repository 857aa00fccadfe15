package org.loam.lsm;

import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;

/** Copies values that do not lie in one piece to the heap, through a small off-heap buffer. */
final class ValuePieces {
  private static final int PIECE_BYTES = 16 << 10;

  /** Copies part of a value to an address. */
  interface Source {
    void copyValue(int from, int length, long target);
  }

  private ValuePieces() {}

  static void copy(Source source, byte[] target, int offset, int length) {
    if (length == 0) {
      return;
    }
    int pieceBytes = length > Entry.LARGE_VALUE_BYTES ? Entry.LARGE_VALUE_BYTES : PIECE_BYTES;
    long piece = Mem.allocate(pieceBytes, 8);
    try {
      for (int done = 0; done < length; done += pieceBytes) {
        int some = Math.min(pieceBytes, length - done);
        source.copyValue(done, some, piece);
        Mem.copyOut(piece, target, offset + done, some);
      }
    } finally {
      Mem.free(piece);
    }
  }
}
