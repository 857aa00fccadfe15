package org.loam.lsm.memory;

/**
 * The older versions of a key, linked by its records. One writer, readers without locks.
 *
 * <p>A link is 0 or the address of an older record. With {@link #GAP}, that record and all between
 * it and this one were dropped: it is the oldest of them, kept as a mark, and a reader whose read
 * LSN is at or above its LSN came too late. Without the mark such a reader would take what lies
 * behind the gap, a version that was already superseded at its read LSN. With {@link #END} too,
 * nothing lies behind the gap; so the writer need not touch the mark.
 */
final class VersionChain {
  private static final long GAP = 1;
  private static final long END = 2;
  private static final long FLAGS = GAP | END;

  /** Needed versions that each write looks at. */
  private static final int LOOKS = 4;

  /** Keeps the number of looks an int. */
  private static final int MAX_DOUBLINGS = 24;

  /** 2^64 / golden ratio: near LSNs differ in the upper bits of the product. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  /** See {@link MemoryComponent#NOT_VISIBLE}. */
  static final long NOT_VISIBLE = -1;

  /** See {@link MemoryComponent#DROPPED}. */
  static final long DROPPED = -2;

  private VersionChain() {}

  /** The newest version at or below the read LSN, {@link #NOT_VISIBLE} or {@link #DROPPED}. */
  static long find(long newest, long readLsn) {
    if (MemoryRecord.lsn(newest) <= readLsn) {
      return newest;
    }
    long at = newest;
    while (true) {
      long previous = MemoryRecord.link(at);
      if (previous == 0) {
        return NOT_VISIBLE;
      }
      at = previous & ~FLAGS;
      if (MemoryRecord.lsn(at) <= readLsn) {
        return (previous & GAP) != 0 ? DROPPED : at;
      }
    }
  }

  /** The next older version that retention needs; 0 if there is none. */
  static long nextKept(long version, VersionRetention retention) {
    long lsn = MemoryRecord.lsn(version);
    long previous = MemoryRecord.link(version);
    while (previous != 0) {
      long older = previous & ~FLAGS;
      if ((previous & GAP) == 0) {
        long olderLsn = MemoryRecord.lsn(older);
        if (olderLsn != lsn && retention.needs(olderLsn, lsn)) {
          return older;
        }
      }
      previous = MemoryRecord.link(older);
    }
    return 0;
  }

  /**
   * Links a record, not yet seen by readers, to the newest version, or to what lies below that if
   * one batch wrote both: no read LSN lies between them.
   *
   * @return whether it replaces the newest version
   */
  static boolean push(long record, long newest, VersionRetention retention) {
    boolean replaces =
        retention != VersionRetention.ALL && MemoryRecord.lsn(newest) == MemoryRecord.lsn(record);
    MemoryRecord.relink(record, replaces ? MemoryRecord.link(newest) : newest);
    return replaces;
  }

  /**
   * Unlinks versions below the newest one that are not needed.
   *
   * <p>A version below the newest was needed when it was last looked at, and stays so until read
   * LSNs are released or more is published. So a write does not look at all of them: it goes down
   * until it has met {@link #LOOKS} needed versions; every second write goes on to twice as many,
   * every fourth to four times as many, and so on. Of n versions it looks at about {@code LOOKS / 2
   * * log2(n)}.
   *
   * <p>This bounds the versions that stay although they are not needed any more. A depth of d is
   * looked at by at least two of d writes. A version that was needed while a writes came lies at
   * about depth a then; after t writes more it is still there with a chance of about {@code (a / (a
   * + t))^2}. So it stays for about as many writes as it was needed, and the chain has about as
   * many versions that are not needed as lately were. Flushes leave them out.
   *
   * @param newest that readers see
   */
  static void unlink(long newest, VersionRetention retention, RecordArena records) {
    unlink(newest, looks(MemoryRecord.lsn(newest)), retention, records);
  }

  /** Unlinks the version below the newest one if it was needed only until that was published. */
  static void unlinkNext(long newest, VersionRetention retention, RecordArena records) {
    unlink(newest, 1, retention, records);
  }

  private static void unlink(
      long newest, int most, VersionRetention retention, RecordArena records) {
    int looks = most;
    long kept = newest;
    long keptLsn = MemoryRecord.lsn(newest);
    long link = MemoryRecord.link(newest);
    long first = 0;
    long gap = 0;
    while (link != 0) {
      long older = link & ~FLAGS;
      boolean marked = (link & GAP) != 0;
      if (!marked && retention.needs(MemoryRecord.lsn(older), keptLsn)) {
        MemoryRecord.relink(kept, gap == 0 ? older : gap | GAP);
        recycle(first, gap, records);
        looks--;
        if (looks == 0) {
          return;
        }
        kept = older;
        keptLsn = MemoryRecord.lsn(older);
        first = 0;
        gap = 0;
      } else {
        gap = older;
        first = first == 0 ? older : first;
        if (!marked) {
          records.addSuperseded(MemoryRecord.sizeBytes(older));
        }
      }
      link = (link & END) != 0 ? 0 : MemoryRecord.link(older);
    }
    if (gap != 0) {
      long mark = markOf(gap, records);
      MemoryRecord.relink(kept, mark | GAP | END);
      recycle(first, gap, records);
      if (mark != gap) {
        records.recycle(gap);
      }
    }
  }

  /** A small record in the place of a mark behind which nothing lies; or itself. */
  private static long markOf(long gap, RecordArena records) {
    boolean isWorthwhile = MemoryRecord.sizeBytes(gap) >= 2 * RecordArena.MARK_BYTES;
    long mark = isWorthwhile ? records.allocateMark(MemoryRecord.lsn(gap)) : 0;
    return mark == 0 ? gap : mark;
  }

  /** Recycles the records of a gap that are no mark, after it was unlinked. */
  private static void recycle(long first, long mark, RecordArena records) {
    long at = first;
    while (at != mark) {
      long next = MemoryRecord.link(at) & ~FLAGS;
      records.recycle(at);
      at = next;
    }
  }

  /** The last record of a chain: a version, or the mark of those that were dropped. */
  static long end(long version) {
    long at = version;
    for (long next = MemoryRecord.link(at); next != 0; next = MemoryRecord.link(at)) {
      at = next & ~FLAGS;
    }
    return at;
  }

  /**
   * Puts a record, with what is linked behind it, behind the last one of a chain. Readers of the
   * chain may find it from then on.
   */
  static void append(long oldest, long record) {
    MemoryRecord.relink(oldest, record);
  }

  /** How many needed versions a write looks at: coins thrown by its LSN double them. */
  private static int looks(long lsn) {
    long coins = lsn * SPREAD;
    // LSNs may be equally far from each other, and then the first product goes in small steps.
    coins = (coins ^ coins >>> 32) * SPREAD;
    return LOOKS << Math.min(Long.numberOfLeadingZeros(coins), MAX_DOUBLINGS);
  }

  /**
   * The version below the newest, for taking the newest away; 0 if there is none.
   *
   * @throws AssertionError if it was dropped, against the contract of {@link VersionRetention}
   */
  static long below(long newest) {
    long previous = MemoryRecord.link(newest);
    if ((previous & GAP) != 0) {
      throw new AssertionError(
          "undo of LSN " + MemoryRecord.lsn(newest) + ": the version below it was dropped");
    }
    return previous;
  }
}
