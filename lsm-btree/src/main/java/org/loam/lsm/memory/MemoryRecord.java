package org.loam.lsm.memory;

import java.util.Objects;
import org.loam.common.mem.Mem;

/**
 * One version of a key in a memory component, addressed by its first byte. Records are 8-byte
 * aligned and never change once inserted, as long as a reader may look at them; only their link and
 * their marks do.
 *
 * <pre>
 *  offset  size  field
 *       0     7  lsn
 *       7     1  bits 0 to 5 = kind, one of EntryKind; bit 6 = the value is in pieces;
 *                bit 7 = warm: the key was looked up here
 *       8     6  link to the next older version, see VersionChain; 0 = none
 *      14     2  bits 0 to 14 = keyLength; bit 15 = bound: nodes refer to the record for its key
 *      16     4  valueLength
 *      20     k  key
 *    20+k     v  value, unless it is in pieces
 * </pre>
 *
 * <p>A value in pieces starts at the next 8-byte boundary after the key; a piece is
 *
 * <pre>
 *  offset  size  field
 *       0     8  next piece, 0 = last
 *       8     4  bytes of the value in this piece, n
 *      12     n  bytes
 * </pre>
 */
public final class MemoryRecord {
  /** Largest value, so that offsets in a record, and in a copy of it, are integers. */
  public static final int MAX_VALUE_BYTES = 1 << 30;

  /** What addresses and LSNs have of their words; the other bits have something else. */
  static final int ADDRESS_BITS = 48;

  static final int LSN_BITS = 56;
  static final int KEY_OFFSET = 20;
  static final int PIECE_HEADER_BYTES = 12;

  /** What the processor's cache loads at once. */
  private static final int LINE_BYTES = 64;

  private static final int SHORT_BYTES = 4 * LINE_BYTES;
  private static final long ADDRESS_MASK = (1L << ADDRESS_BITS) - 1;
  private static final long LSN_MASK = (1L << LSN_BITS) - 1;
  private static final int MARKS_OFFSET = 7;
  private static final int LINK_OFFSET = 8;
  private static final int KEY_LENGTH_OFFSET = 14;
  private static final int VALUE_LENGTH_OFFSET = 16;
  private static final int KEY_LENGTH_MASK = 0x7fff;
  private static final long BOUND = 1L << 63;
  private static final int KIND_MASK = 0x3f;
  private static final int IN_PIECES = 0x40;
  private static final int WARM = 0x80;
  private static final int PIECE_BYTES_OFFSET = 8;

  private MemoryRecord() {}

  /** The LSN it was inserted with. */
  public static long lsn(long record) {
    return Mem.getLong(record) & LSN_MASK;
  }

  /** One of {@link org.loam.common.key.EntryKind}. */
  public static byte kind(long record) {
    return (byte) (Mem.getByte(record + MARKS_OFFSET) & KIND_MASK);
  }

  /** The address of the whole key. */
  public static long keyAddress(long record) {
    return record + KEY_OFFSET;
  }

  /** The bytes of the key. */
  public static int keyLength(long record) {
    return Mem.getShort(record + KEY_LENGTH_OFFSET) & KEY_LENGTH_MASK;
  }

  /** Whether two records have the same key. */
  static boolean hasKeyOf(long record, long other) {
    return Mem.compare(keyAddress(record), keyLength(record), keyAddress(other), keyLength(other))
        == 0;
  }

  /** A copy of the key. */
  public static byte[] copyKey(long record) {
    byte[] key = new byte[keyLength(record)];
    Mem.copyOut(keyAddress(record), key, 0, key.length);
    return key;
  }

  /** The bytes of the whole value. */
  public static int valueLength(long record) {
    return Mem.getInt(record + VALUE_LENGTH_OFFSET);
  }

  /** The address of the value, or 0 if it does not lie in one piece. */
  public static long valueAddress(long record) {
    return isInPieces(record) ? 0 : record + KEY_OFFSET + keyLength(record);
  }

  static void initialise(long record, byte kind, int keyLength, int valueLength, boolean inPieces) {
    if ((record & ~ADDRESS_MASK) != 0) {
      throw new AssertionError("address above 48 bits: 0x" + Long.toHexString(record));
    }
    Mem.putLong(record, (long) (kind | (inPieces ? IN_PIECES : 0)) << LSN_BITS);
    Mem.putLong(record + LINK_OFFSET, (long) keyLength << ADDRESS_BITS);
    Mem.putInt(record + VALUE_LENGTH_OFFSET, valueLength);
  }

  /**
   * Notes that the key was looked up, so that its entry stays in memory when it is flushed. A mark
   * set on a version that is just being superseded may be lost.
   */
  public static void markWarm(long record) {
    byte marks = Mem.getByte(record + MARKS_OFFSET);
    if ((marks & WARM) == 0) {
      Mem.putByte(record + MARKS_OFFSET, (byte) (marks | WARM));
    }
  }

  static boolean isWarm(long record) {
    return (Mem.getByte(record + MARKS_OFFSET) & WARM) != 0;
  }

  /**
   * Brings header and key near to the processor.
   *
   * @return anything
   */
  static long load(long record) {
    return Mem.getByte(keyAddress(record) + keyLength(record) - 1);
  }

  /**
   * Brings a short record near to the processor, all of it.
   *
   * @return anything
   */
  static long loadRest(long record) {
    int bytes = KEY_OFFSET + keyLength(record) + valueLength(record);
    if (bytes > SHORT_BYTES || isInPieces(record)) {
      return 0;
    }
    long sum = Mem.getByte(record + bytes - 1);
    for (int at = LINE_BYTES; at < bytes; at += LINE_BYTES) {
      sum += Mem.getByte(record + at);
    }
    return sum;
  }

  /** Before the record is inserted: the word has marks, too. */
  static void setLsn(long record, long lsn) {
    if ((lsn & ~LSN_MASK) != 0) {
      throw new AssertionError("LSN " + lsn + ": must be from 0 to " + LSN_MASK);
    }
    Mem.putLong(record, (Mem.getLong(record) & ~LSN_MASK) | lsn);
  }

  /** Nodes refer to the record for its key from now on. One thread at a time. */
  static void markBound(long record) {
    long word = Mem.getLong(record + LINK_OFFSET);
    if ((word & BOUND) == 0) {
      Mem.putLongRelease(record + LINK_OFFSET, word | BOUND);
    }
  }

  static boolean isBound(long record) {
    return (Mem.getLong(record + LINK_OFFSET) & BOUND) != 0;
  }

  /** The link to the next older version. */
  static long link(long record) {
    return Mem.getLongVolatile(record + LINK_OFFSET) & ADDRESS_MASK;
  }

  /** Replaces the link at once, if it is another one. One thread at a time. */
  static void relink(long record, long link) {
    long word = Mem.getLong(record + LINK_OFFSET);
    long linked = (word & ~ADDRESS_MASK) | link;
    if (word != linked) {
      Mem.putLongRelease(record + LINK_OFFSET, linked);
    }
  }

  /** Bytes of a record in one piece. */
  static int wholeBytes(int keyLength, int valueLength) {
    return align(KEY_OFFSET + keyLength + valueLength);
  }

  /** What a record would take in one piece. */
  static int wholeBytes(long record) {
    return wholeBytes(keyLength(record), valueLength(record));
  }

  /** Bytes before the first byte of a value in pieces. */
  static int headBytes(int keyLength) {
    return align(KEY_OFFSET + keyLength) + PIECE_HEADER_BYTES;
  }

  static boolean isInPieces(long record) {
    return (Mem.getByte(record + MARKS_OFFSET) & IN_PIECES) != 0;
  }

  static long firstPiece(long record) {
    return record + align(KEY_OFFSET + keyLength(record));
  }

  static long nextPiece(long piece) {
    return Mem.getLong(piece);
  }

  static int pieceBytes(long piece) {
    return Mem.getInt(piece + PIECE_BYTES_OFFSET);
  }

  static void initialisePiece(long piece, int bytes) {
    Mem.putLong(piece, 0);
    Mem.putInt(piece + PIECE_BYTES_OFFSET, bytes);
  }

  static void setNextPiece(long piece, long next) {
    Mem.putLong(piece, next);
  }

  /** About what a record takes: the headers of pieces after the first are not counted. */
  static int sizeBytes(long record) {
    int bytes = wholeBytes(record);
    return isInPieces(record) ? bytes + PIECE_HEADER_BYTES : bytes;
  }

  static int align(int bytes) {
    return (bytes + 7) & -8;
  }

  /**
   * Copies values part by part. Of a value in pieces it knows the piece at which the last part
   * ended: to look for each part from the first piece on would take a time that is quadratic in the
   * length. For one thread, and for records whose memory is not used again meanwhile.
   */
  public static final class ValueReader {
    private long record;
    private long piece;

    /** Bytes of the value before the piece. */
    private int start;

    /** Copies {@code length} bytes of the value from byte {@code from} on, which it must have. */
    public void copyValue(long of, int from, int length, long target) {
      Objects.checkFromIndexSize(from, length, valueLength(of));
      if (length == 0) {
        return;
      }
      if (!isInPieces(of)) {
        Mem.copy(valueAddress(of) + from, target, length);
        return;
      }
      if (of != record || from < start) {
        record = of;
        piece = firstPiece(of);
        start = 0;
      }
      int done = 0;
      while (true) {
        int skip = from + done - start;
        int some = Math.min(pieceBytes(piece) - skip, length - done);
        if (some > 0) {
          Mem.copy(piece + PIECE_HEADER_BYTES + skip, target + done, some);
          done += some;
        }
        if (done == length) {
          return;
        }
        start += pieceBytes(piece);
        piece = nextPiece(piece);
      }
    }
  }
}
