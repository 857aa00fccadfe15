package org.loam.lsm;

import org.loam.common.mem.Mem;

/** Copies values that do not lie in one piece to the heap, through a small off-heap buffer. */
final class ValuePieces {
  private static final int PIECE_BYTES = 16 << 10;

  /** Pieces of values that are read past the cache: each begins a read of its own. */
  private static final int LARGE_PIECE_BYTES = 256 << 10;

  /** Copies part of a value to an address. */
  interface Source {
    void copyValue(int from, int length, long target);
  }

  private ValuePieces() {}

  static void copy(Source source, byte[] target, int offset, int length) {
    if (length == 0) {
      return;
    }
    int pieceBytes = length > LARGE_PIECE_BYTES ? LARGE_PIECE_BYTES : PIECE_BYTES;
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
