package org.loam.lsm.memory;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.common.mem.Moments;
import org.loam.common.mem.PagePool;
import org.loam.lsm.read.Entry;

/**
 * Records, carved out of pool pages one behind the other and freed together. A record of some size
 * that does not fit what is left of a page goes on in the next one, so that pages are used to their
 * end whatever the sizes. A record takes the room of a superseded one of its size, if there is one.
 * Thread-safe.
 */
final class RecordArena {
  /** The first bytes of a page stay unused: so the address of a free byte tells its page. */
  static final int PAGE_START = 8;

  /** A piece shorter than this is not worth its header. */
  static final int MIN_PIECE_BYTES = 32;

  /** Shorter records are whole: they leave little of a page empty when they start the next one. */
  private static final int WHOLE_UP_TO_BYTES = 128;

  /** What {@link #allocateMark} takes. */
  static final int MARK_BYTES = MemoryRecord.wholeBytes(0, 0);

  private static final int MIN_PAGE_BYTES = 4 << 10;
  private static final int MAX_PAGE_BYTES = 32 << 10;

  /**
   * A larger value gets all of its pages at once, or none: what a record takes that does not fit
   * stays unused until the flush, and this one may take most of the quota.
   */
  private static final int ALONE_FROM_BYTES = 1 << 20;

  private final PageList pages;
  private final int pageBytes;
  private final Object newPageLock = new Object();

  /** Address of the first free byte; the end of its page if that is full; 0 before the first. */
  private final AtomicLong free = new AtomicLong();

  private final AtomicLong wastedBytes = new AtomicLong();
  private final AtomicLong supersededBytes = new AtomicLong();
  private final Moments epochs;

  /** Null until a version is unlinked. */
  private volatile @Nullable SpareRecords spares;

  /** Those whose records belong to the component; this one alone at first. */
  private volatile RecordArena[] owned = {this};

  /**
   * @param epochs in which readers look at records
   */
  RecordArena(PagePool.Quota quota, int pageBytes, Moments epochs) {
    if (Integer.bitCount(pageBytes) != 1
        || pageBytes < MIN_PAGE_BYTES
        || pageBytes > MAX_PAGE_BYTES) {
      throw new IllegalArgumentException(
          "pageBytes " + pageBytes + ": must be a power of two from 4096 to 32768");
    }
    this.pages = new PageList(quota);
    this.pageBytes = pageBytes;
    this.epochs = epochs;
  }

  /**
   * Takes room for a record and writes its header.
   *
   * @return the record, or 0 if the quota is used up
   * @throws IllegalArgumentException if the key or the value is too long
   */
  long allocate(byte kind, int keyLength, int valueLength) {
    checkLengths(keyLength, valueLength);
    SpareRecords unlinked = spares;
    long spare = unlinked == null ? 0 : unlinked.take(keyLength, valueLength);
    if (spare != 0) {
      boolean inPieces = MemoryRecord.isInPieces(spare);
      MemoryRecord.initialise(spare, kind, keyLength, valueLength, inPieces);
      return spare;
    }
    if (valueLength > ALONE_FROM_BYTES) {
      return allocateAlone(kind, keyLength, valueLength);
    }
    int wholeBytes = MemoryRecord.wholeBytes(keyLength, valueLength);
    int wanted = Math.min(pageBytes, wholeBytes);
    int headBytes = MemoryRecord.headBytes(keyLength);
    int part = wanted <= WHOLE_UP_TO_BYTES ? wanted : headBytes + MIN_PIECE_BYTES;
    long record = take(Math.min(wanted, part), wanted);
    if (record == 0) {
      return 0;
    }
    int taken = takenBytes(record, wanted);
    boolean whole = wholeBytes <= taken;
    MemoryRecord.initialise(record, kind, keyLength, valueLength, !whole);
    if (!whole && !allocatePieces(record, taken - headBytes, valueLength)) {
      wastedBytes.addAndGet(taken);
      return 0;
    }
    return record;
  }

  /**
   * Takes back a record that was not shown, and touches no memory. If no other one was taken since,
   * the next one has its room; else that stays unused until all are freed.
   */
  void giveBack(long record, int keyLength, int valueLength) {
    int bytes = MemoryRecord.wholeBytes(keyLength, valueLength);
    long end = record + bytes;
    if (end > endOfPage(record) || !free.compareAndSet(end, record)) {
      wastedBytes.addAndGet(bytes);
    }
  }

  /**
   * A record that has nothing but an LSN. Under the commit latch.
   *
   * @return 0 if the quota is used up
   */
  long allocateMark(long lsn) {
    long mark = take(MARK_BYTES, MARK_BYTES);
    if (mark != 0) {
      MemoryRecord.initialise(mark, EntryKind.PUT, 0, 0, false);
      MemoryRecord.setLsn(mark, lsn);
      addSuperseded(MARK_BYTES);
    }
    return mark;
  }

  /**
   * Lets new records take the room of a record that readers do not reach from now on, unless its
   * key bounds nodes. Under the commit latch.
   */
  void recycle(long record) {
    if (MemoryRecord.isBound(record)) {
      return;
    }
    SpareRecords unlinked = spares;
    if (unlinked == null) {
      unlinked = new SpareRecords(epochs);
      spares = unlinked;
    }
    unlinked.add(record);
  }

  /** Under the commit latch, or before another thread knows the component: one thread adds. */
  void addSuperseded(long bytes) {
    supersededBytes.setRelease(supersededBytes.getPlain() + bytes);
  }

  /**
   * Bytes of versions that were unlinked or undone, and whose room was not taken. Thread-safe,
   * never negative.
   */
  long supersededBytes() {
    // In this order: bytes are superseded before they are taken, and may be superseded again.
    long superseded = supersededBytes.getAcquire();
    SpareRecords unlinked = spares;
    return Math.max(0, superseded - (unlinked == null ? 0 : unlinked.takenBytes()));
  }

  private void checkLengths(int keyLength, int valueLength) {
    int maxKeyBytes = pageBytes / 4;
    if (keyLength < 0 || keyLength > maxKeyBytes) {
      throw new IllegalArgumentException(
          "key of " + keyLength + " bytes: must be 0 to a quarter of a page, " + maxKeyBytes);
    }
    if (valueLength < 0 || valueLength > MemoryRecord.MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "value of " + valueLength + " bytes: must be 0 to " + MemoryRecord.MAX_VALUE_BYTES);
    }
  }

  /** A record in pages that have nothing else. */
  private long allocateAlone(byte kind, int keyLength, int valueLength) {
    int room = pageBytes - PAGE_START;
    int firstBytes = room - MemoryRecord.headBytes(keyLength);
    int pieceBytes = room - MemoryRecord.PIECE_HEADER_BYTES;
    long[] own = takePages(1 + (valueLength - firstBytes + pieceBytes - 1) / pieceBytes);
    if (own == null) {
      return 0;
    }
    long record = own[0] + PAGE_START;
    MemoryRecord.initialise(record, kind, keyLength, valueLength, true);
    long last = MemoryRecord.firstPiece(record);
    MemoryRecord.initialisePiece(last, firstBytes);
    int rest = valueLength - firstBytes;
    for (int i = 1; i < own.length; i++) {
      long piece = own[i] + PAGE_START;
      MemoryRecord.initialisePiece(piece, Math.min(rest, pieceBytes));
      MemoryRecord.setNextPiece(last, piece);
      last = piece;
      rest -= pieceBytes;
    }
    wastedBytes.addAndGet(-(long) rest + (long) own.length * PAGE_START);
    return record;
  }

  private long @Nullable [] takePages(int number) {
    synchronized (newPageLock) {
      return pages.takeAll(number);
    }
  }

  private boolean allocatePieces(long record, int firstBytes, int valueLength) {
    long last = MemoryRecord.firstPiece(record);
    int header = MemoryRecord.PIECE_HEADER_BYTES;
    MemoryRecord.initialisePiece(last, Math.min(firstBytes, valueLength));
    int rest = valueLength - firstBytes;
    while (rest > 0) {
      int wanted = Math.min(pageBytes, MemoryRecord.align(header + rest));
      long piece = take(Math.min(wanted, header + MIN_PIECE_BYTES), wanted);
      if (piece == 0) {
        wastedBytes.addAndGet((long) valueLength - firstBytes - rest);
        return false;
      }
      int bytes = Math.min(rest, takenBytes(piece, wanted) - header);
      MemoryRecord.initialisePiece(piece, bytes);
      MemoryRecord.setNextPiece(last, piece);
      last = piece;
      rest -= bytes;
    }
    return true;
  }

  /**
   * Takes {@code wanted} bytes, or what is left of the page if that is at least {@code least}; how
   * many says {@link #takenBytes}.
   */
  private long take(int least, int wanted) {
    while (true) {
      long start = free.get();
      long left = endOfPage(start) - start;
      if (left >= least) {
        if (free.compareAndSet(start, start + Math.min(left, wanted))) {
          return start;
        }
      } else if (!startPage(start)) {
        return 0;
      }
    }
  }

  private int takenBytes(long start, int wanted) {
    return (int) Math.min(wanted, endOfPage(start) - start);
  }

  /** Pages are aligned to their size; a free byte is never the first of a page. */
  private long endOfPage(long free) {
    return free == 0 ? 0 : ((free - 1) | (pageBytes - 1)) + 1;
  }

  private boolean startPage(long seen) {
    synchronized (newPageLock) {
      if (free.get() != seen) {
        return true;
      }
      long page = pages.take();
      if (page == 0) {
        return false;
      }
      if ((page & (pageBytes - 1)) != 0) {
        throw new AssertionError("page not aligned to its " + pageBytes + " bytes: " + page);
      }
      // Others may still take from the old page until this very exchange.
      long last = free.getAndSet(page + PAGE_START);
      wastedBytes.addAndGet(endOfPage(last) - last + PAGE_START);
      return true;
    }
  }

  /** Copies key and value into a record that was allocated for their lengths. */
  static void fill(long record, long keyAddress, long valueAddress) {
    int keyLength = MemoryRecord.keyLength(record);
    if (keyLength > 0) {
      Mem.copy(keyAddress, record + MemoryRecord.KEY_OFFSET, keyLength);
    }
    int valueLength = MemoryRecord.valueLength(record);
    if (!MemoryRecord.isInPieces(record)) {
      if (valueLength > 0) {
        Mem.copy(valueAddress, MemoryRecord.valueAddress(record), valueLength);
      }
      return;
    }
    long from = valueAddress;
    long piece = MemoryRecord.firstPiece(record);
    for (; piece != 0; piece = MemoryRecord.nextPiece(piece)) {
      int bytes = MemoryRecord.pieceBytes(piece);
      Mem.copy(from, piece + MemoryRecord.PIECE_HEADER_BYTES, bytes);
      from += bytes;
    }
  }

  /** Like {@link #fill(long, long, long)}, from arrays. */
  static void fill(long record, byte[] key, byte[] value) {
    Mem.copyIn(key, 0, record + MemoryRecord.KEY_OFFSET, key.length);
    if (!MemoryRecord.isInPieces(record)) {
      if (value.length > 0) {
        Mem.copyIn(value, 0, MemoryRecord.valueAddress(record), value.length);
      }
      return;
    }
    int from = 0;
    long piece = MemoryRecord.firstPiece(record);
    for (; piece != 0; piece = MemoryRecord.nextPiece(piece)) {
      int bytes = MemoryRecord.pieceBytes(piece);
      Mem.copyIn(value, from, piece + MemoryRecord.PIECE_HEADER_BYTES, bytes);
      from += bytes;
    }
  }

  /** Like {@link #fill(long, long, long)}, from an entry of the same lengths. */
  static void fill(long record, Entry entry) {
    int keyLength = MemoryRecord.keyLength(record);
    if (keyLength > 0) {
      Mem.copy(entry.keyAddress(), record + MemoryRecord.KEY_OFFSET, keyLength);
    }
    if (!MemoryRecord.isInPieces(record)) {
      entry.copyValue(MemoryRecord.valueAddress(record));
      return;
    }
    int from = 0;
    long piece = MemoryRecord.firstPiece(record);
    for (; piece != 0; piece = MemoryRecord.nextPiece(piece)) {
      int bytes = MemoryRecord.pieceBytes(piece);
      entry.copyValue(from, bytes, piece + MemoryRecord.PIECE_HEADER_BYTES);
      from += bytes;
    }
  }

  /** Counts the records of others, and of those whose records they count, instead of its own. */
  void borrow(List<RecordArena> lenders) {
    owned =
        lenders.stream().flatMap(lender -> Arrays.stream(lender.owned)).toArray(RecordArena[]::new);
  }

  /** Counts no record any more, and releases none. */
  void give() {
    owned = new RecordArena[0];
  }

  /**
   * Bytes in pages that no record uses and none will: ends of pages, failed allocations, records
   * that were given back.
   */
  long wastedBytes() {
    long bytes = 0;
    for (RecordArena arena : owned) {
      bytes += arena.wastedBytes.get();
    }
    return bytes;
  }

  int pageCount() {
    int count = 0;
    for (RecordArena arena : owned) {
      count += arena.pages.count();
    }
    return count;
  }

  void release() {
    for (RecordArena arena : owned) {
      arena.pages.release();
    }
  }
}
