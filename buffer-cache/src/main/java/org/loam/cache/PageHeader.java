package org.loam.cache;

import java.util.Locale;
import org.loam.common.codec.Crc32c;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;

/**
 * The start of every page on disk, version 1; what follows depends on the page type. Integers are
 * little-endian, offsets and sizes in bytes. The table for readers of other languages is in {@code
 * docs/formats/page-header.md}.
 *
 * <pre>
 *  offset  size  field
 *       0     4  crc32c of bytes [4, page size), seeded with 16 bytes: salt, fileId, pageNo
 *       4     2  magic, 0x6D4C ("Lm")
 *       6     1  format version, 1
 *       7     1  page type, at least 1; the numbers belong to the file format
 *       8     4  fileId, at least 1
 *      12     4  pageNo, 0-based
 *      16     8  maxLsn of the entries in the page
 *      24     2  count of entries
 *      26     2  prefixLength, bytes common to all keys of the page
 *      28     2  flags, by page type
 *      30     2  freeBytes
 * </pre>
 *
 * <p>The seed is not stored: salt and file id come from the manifest, the page number from the
 * parent page. So a page that was written elsewhere, or left over from a deleted file, does not
 * pass, whatever it says of itself. Pinned by {@code page-header-v1.hex}.
 */
public final class PageHeader {
  /** Size of the header. */
  public static final int BYTES = 32;

  /** The format version that {@link #seal} writes and the newest that {@link #verify} accepts. */
  public static final int VERSION = 1;

  static final int MAGIC = 0x6D4C;

  private static final int CRC = 0;
  private static final int MAGIC_OFFSET = 4;
  private static final int VERSION_OFFSET = 6;
  private static final int TYPE = 7;
  private static final int FILE_ID = 8;
  private static final int PAGE_NO = 12;
  private static final int MAX_LSN = 16;
  private static final int COUNT = 24;
  private static final int PREFIX_LENGTH = 26;
  private static final int FLAGS = 28;
  private static final int FREE_BYTES = 30;

  private PageHeader() {}

  /** Zeroes the header and sets the page type; the caller sets the fields it uses, then seals. */
  public static void start(long address, int type) {
    Mem.fill(address, BYTES, (byte) 0);
    Mem.putByte(address + TYPE, (byte) type);
  }

  public static int type(long address) {
    return Mem.getByte(address + TYPE) & 0xff;
  }

  /** What the page says of its file; right if the page was verified. */
  public static int fileId(long address) {
    return Mem.getInt(address + FILE_ID);
  }

  /** What the page says of its place; right if the page was verified. */
  public static int pageNo(long address) {
    return Mem.getInt(address + PAGE_NO);
  }

  public static long maxLsn(long address) {
    return Mem.getLong(address + MAX_LSN);
  }

  public static void setMaxLsn(long address, long lsn) {
    Mem.putLong(address + MAX_LSN, lsn);
  }

  public static int count(long address) {
    return Mem.getShort(address + COUNT) & 0xffff;
  }

  public static void setCount(long address, int count) {
    Mem.putShort(address + COUNT, unsigned("count", count));
  }

  public static int prefixLength(long address) {
    return Mem.getShort(address + PREFIX_LENGTH) & 0xffff;
  }

  public static void setPrefixLength(long address, int bytes) {
    Mem.putShort(address + PREFIX_LENGTH, unsigned("prefixLength", bytes));
  }

  public static int flags(long address) {
    return Mem.getShort(address + FLAGS) & 0xffff;
  }

  public static void setFlags(long address, int flags) {
    Mem.putShort(address + FLAGS, unsigned("flags", flags));
  }

  public static int freeBytes(long address) {
    return Mem.getShort(address + FREE_BYTES) & 0xffff;
  }

  public static void setFreeBytes(long address, int bytes) {
    Mem.putShort(address + FREE_BYTES, unsigned("freeBytes", bytes));
  }

  /** The stored checksum; of use for the checksum over a whole file. */
  public static int checksum(long address) {
    return Mem.getInt(address + CRC);
  }

  /** Makes a finished page ready to be written: magic, version, place and, last, the checksum. */
  public static void seal(long address, int pageBytes, int fileId, int pageNo, long salt) {
    Mem.putShort(address + MAGIC_OFFSET, (short) MAGIC);
    Mem.putByte(address + VERSION_OFFSET, (byte) VERSION);
    Mem.putInt(address + FILE_ID, fileId);
    Mem.putInt(address + PAGE_NO, pageNo);
    Mem.putInt(address + CRC, compute(address, pageBytes, fileId, pageNo, salt));
  }

  /**
   * Checks that the bytes are the page that was written at this place.
   *
   * @throws CorruptionException if not; names file, page, expected and found checksum, and what the
   *     bytes look like instead
   * @throws UnsupportedFormatException if the page is whole but of a newer version
   */
  public static void verify(PageSource source, int pageNo, long address, int pageBytes) {
    if (isWhole(source, pageNo, address, pageBytes)) {
      return;
    }
    String fault = fault(source, pageNo, address, pageBytes);
    if (isWritten(source, pageNo, address, pageBytes)) {
      throw new UnsupportedFormatException(
          source.file().path() + ": " + fault + ": use a newer release");
    }
    throw new CorruptionException(
        source.file().path() + ": " + fault + "; restore the file from a backup");
  }

  /** What is wrong with a page that is not {@link #isWhole whole}, expected and found. */
  public static String fault(PageSource source, int pageNo, long address, int pageBytes) {
    if (isWritten(source, pageNo, address, pageBytes)) {
      return String.format(
          Locale.ROOT,
          "page %d has format version %d, this release reads up to %d",
          pageNo,
          version(address),
          VERSION);
    }
    return describe(source, pageNo, address, pageBytes);
  }

  /** Whether the bytes are the page that was written at this place, of a version known here. */
  public static boolean isWhole(PageSource source, int pageNo, long address, int pageBytes) {
    return isWritten(source, pageNo, address, pageBytes)
        && version(address) >= 1
        && version(address) <= VERSION;
  }

  /** Whether the bytes are the page that was written at this place, of whatever version. */
  private static boolean isWritten(PageSource source, int pageNo, long address, int pageBytes) {
    int fileId = source.fileId();
    return compute(address, pageBytes, fileId, pageNo, source.salt()) == Mem.getInt(address + CRC)
        && isPlacedAt(address, fileId, pageNo);
  }

  private static int version(long address) {
    return Mem.getByte(address + VERSION_OFFSET) & 0xff;
  }

  private static boolean isPlacedAt(long address, int fileId, int pageNo) {
    return (Mem.getShort(address + MAGIC_OFFSET) & 0xffff) == MAGIC
        && Mem.getInt(address + FILE_ID) == fileId
        && Mem.getInt(address + PAGE_NO) == pageNo;
  }

  private static int compute(long address, int pageBytes, int fileId, int pageNo, long salt) {
    long place = (long) fileId << 32 | (pageNo & 0xffffffffL);
    return Crc32c.seeded(salt, place, address + MAGIC_OFFSET, pageBytes - MAGIC_OFFSET);
  }

  private static String describe(PageSource source, int pageNo, long address, int pageBytes) {
    return String.format(
        Locale.ROOT,
        "page %d of file id %d (offset %d) is corrupt: "
            + "checksum stored %08x, of the bytes %08x; %s",
        pageNo,
        source.fileId(),
        (long) pageNo * pageBytes,
        Mem.getInt(address + CRC),
        compute(address, pageBytes, source.fileId(), pageNo, source.salt()),
        diagnose(source, pageNo, address, pageBytes));
  }

  /** Tells a write that went astray from bytes that were damaged, as far as the page shows it. */
  private static String diagnose(PageSource source, int pageNo, long address, int pageBytes) {
    if (isZero(address, pageBytes)) {
      return "all bytes are zero: the write was lost";
    }
    int magic = Mem.getShort(address + MAGIC_OFFSET) & 0xffff;
    if (magic != MAGIC) {
      return String.format(
          Locale.ROOT, "magic is %04x, not %04x: this is not a page of Loam", magic, MAGIC);
    }
    int fileId = Mem.getInt(address + FILE_ID);
    int headerPageNo = Mem.getInt(address + PAGE_NO);
    if (fileId == source.fileId() && headerPageNo == pageNo) {
      return "file id and page number are right: the bytes are damaged, or left over from an"
          + " earlier file";
    }
    int there = compute(address, pageBytes, fileId, headerPageNo, source.salt());
    return String.format(
        Locale.ROOT,
        "the header says page %d of file id %d%s",
        headerPageNo,
        fileId,
        there == Mem.getInt(address + CRC)
            ? ", where the checksum is right: a misdirected write"
            : ": a stale or misdirected write, or damage");
  }

  private static boolean isZero(long address, int bytes) {
    for (int i = 0; i < bytes; i += 8) {
      if (Mem.getLong(address + i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static short unsigned(String name, int value) {
    if (value < 0 || value > 0xffff) {
      throw new IllegalArgumentException(name + " is " + value + ", must be 0 to 65535");
    }
    return (short) value;
  }
}
