package org.loam.lsm.memory;

import org.loam.common.mem.Mem;

/**
 * The older versions of a key, linked by the previous words of its records. One writer, readers
 * without locks.
 *
 * <p>A previous word is 0 or the address of an older record. With {@link #GAP}, that record and all
 * between it and this one were dropped: it is the oldest of them, kept as a mark, and a reader
 * whose read LSN is at or above its LSN came too late. Without the mark such a reader would take
 * what lies behind the gap, a version that was already superseded at its read LSN. With {@link
 * #END} too, nothing lies behind the gap; so the writer need not touch the mark.
 */
final class VersionChain {
  private static final long GAP = 1;
  private static final long END = 2;
  private static final long FLAGS = GAP | END;

  private VersionChain() {}

  /**
   * The newest version at or below the read LSN, {@link MemoryComponent#NOT_VISIBLE} or {@link
   * MemoryComponent#DROPPED}.
   */
  static long find(long newest, long readLsn) {
    if (MemoryRecord.lsn(newest) <= readLsn) {
      return newest;
    }
    long at = newest;
    while (true) {
      long previous = previous(at);
      if (previous == 0) {
        return MemoryComponent.NOT_VISIBLE;
      }
      at = previous & ~FLAGS;
      if (MemoryRecord.lsn(at) <= readLsn) {
        return (previous & GAP) != 0 ? MemoryComponent.DROPPED : at;
      }
    }
  }

  /** The next older version that retention needs; 0 if there is none. */
  static long nextKept(long version, VersionRetention retention) {
    long lsn = MemoryRecord.lsn(version);
    long previous = previous(version);
    while (previous != 0) {
      long older = previous & ~FLAGS;
      if ((previous & GAP) == 0) {
        long olderLsn = MemoryRecord.lsn(older);
        if (olderLsn != lsn && retention.needs(olderLsn, lsn)) {
          return older;
        }
      }
      previous = previous(older);
    }
    return 0;
  }

  /**
   * Puts a record, not yet seen by readers, before the newest version, and unlinks what nobody
   * needs.
   *
   * @return bytes of the versions unlinked
   */
  static long push(long record, long newest, VersionRetention retention) {
    if (retention == VersionRetention.ALL) {
      relink(record, newest);
      return 0;
    }
    long droppedBytes = 0;
    long kept = record;
    long keptLsn = MemoryRecord.lsn(record);
    long link = newest;
    if (MemoryRecord.lsn(newest) == keptLsn) {
      // Written twice by one batch: no read LSN lies between, so no mark is needed.
      droppedBytes = MemoryRecord.sizeBytes(newest);
      link = previous(newest);
    }
    long gap = 0;
    while (link != 0) {
      long older = link & ~FLAGS;
      boolean marked = (link & GAP) != 0;
      if (!marked && retention.needs(MemoryRecord.lsn(older), keptLsn)) {
        relink(kept, gap == 0 ? older : gap | GAP);
        kept = older;
        keptLsn = MemoryRecord.lsn(older);
        gap = 0;
      } else {
        gap = older;
        if (!marked) {
          droppedBytes += MemoryRecord.sizeBytes(older);
        }
      }
      link = (link & END) != 0 ? 0 : previous(older);
    }
    relink(kept, gap == 0 ? 0 : gap | GAP | END);
    return droppedBytes;
  }

  /**
   * The version below the newest, for taking the newest away; 0 if there is none.
   *
   * @throws AssertionError if it was dropped, against the contract of {@link VersionRetention}
   */
  static long below(long newest) {
    long previous = previous(newest);
    if ((previous & GAP) != 0) {
      throw new AssertionError(
          "undo of LSN " + MemoryRecord.lsn(newest) + ": the version below it was dropped");
    }
    return previous;
  }

  private static long previous(long record) {
    return Mem.getLongVolatile(record + MemoryRecord.PREVIOUS_OFFSET);
  }

  private static void relink(long record, long previous) {
    if (Mem.getLong(record + MemoryRecord.PREVIOUS_OFFSET) != previous) {
      Mem.putLongRelease(record + MemoryRecord.PREVIOUS_OFFSET, previous);
    }
  }
}
