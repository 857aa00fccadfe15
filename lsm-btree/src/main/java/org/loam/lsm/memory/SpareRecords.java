package org.loam.lsm.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Moments;

/**
 * Records that were unlinked, to be taken by new ones of the same size when no reader can look at
 * them any more.
 *
 * <p>One thread at a time adds. Any number of threads take; no thread waits for another: one that
 * meets another one here takes nothing. Records wait in batches, each with the moment after the
 * last of them was unlinked. When that {@linkplain Moments#hasPassed has passed}, they are put into
 * lists by their size, linked by their own links.
 */
final class SpareRecords {
  /** The first batches are smaller, so that a small component takes its records again, too. */
  private static final int FIRST_BATCH = 4;

  private static final int FULL_BATCH = 64;

  /** A batch of large records is full before that: what waits is of no use. */
  private static final int FULL_BATCH_BYTES = 32 << 10;

  /** While readers stay inside so long that more wait, what is unlinked is never taken. */
  private static final int MAX_WAITING = 8;

  private static final int LISTS = 32;

  /** Records of a list that one look for a size goes through. */
  private static final int LOOKS = 8;

  /** Records, and the moment after they were unlinked. */
  private static final class Batch {
    final long[] records = new long[FULL_BATCH];
    int count;
    long bytes;
    long moment;
  }

  private final Moments epochs;
  private final AtomicLong takenBytes = new AtomicLong();

  /** Batches from that which is sorted next to that which gets records, in turn. */
  private final @Nullable Batch[] batches = new Batch[MAX_WAITING];

  /** Batches that were full; changed by the thread that adds. */
  private volatile int full;

  /** Batches that were put into the lists; changed by the thread that takes. */
  private volatile int sorted;

  /** The first record of each list; 0 if there is none. Of the thread that takes. */
  private final long[] lists = new long[LISTS];

  /** How many were full when the oldest one still had to wait. Of the thread that takes. */
  private int lookedAt;

  private final AtomicBoolean isTaking = new AtomicBoolean();

  SpareRecords(Moments epochs) {
    this.epochs = epochs;
  }

  /** Adds a record that new readers do not reach. */
  void add(long record) {
    int number = full;
    if (number - sorted == MAX_WAITING) {
      return;
    }
    Batch batch = batches[number % MAX_WAITING];
    if (batch == null) {
      batch = new Batch();
      batches[number % MAX_WAITING] = batch;
    }
    batch.records[batch.count++] = record;
    batch.bytes += MemoryRecord.sizeBytes(record);
    if (batch.count == fullCount(number) || batch.bytes >= FULL_BATCH_BYTES) {
      batch.moment = epochs.moment();
      full = number + 1;
    }
  }

  private static int fullCount(int number) {
    return number < 4 ? FIRST_BATCH << number : FULL_BATCH;
  }

  /**
   * Takes a record with room for a key and a value. Its header is that of what it was: so it says
   * whether the value lies in pieces, and these have the right lengths.
   *
   * @return 0 if there is none
   */
  long take(int keyLength, int valueLength) {
    if (full == 0 || !isTaking.compareAndSet(false, true)) {
      return 0;
    }
    try {
      long found = find(keyLength, valueLength);
      if (found == 0 && sort()) {
        found = find(keyLength, valueLength);
      }
      if (found != 0) {
        takenBytes.addAndGet(MemoryRecord.sizeBytes(found));
      }
      return found;
    } finally {
      isTaking.set(false);
    }
  }

  /** Bytes of all records that were taken. */
  long takenBytes() {
    return takenBytes.get();
  }

  private long find(int keyLength, int valueLength) {
    int wholeBytes = MemoryRecord.wholeBytes(keyLength, valueLength);
    int list = list(wholeBytes);
    long before = 0;
    long record = lists[list];
    for (int i = 0; i < LOOKS && record != 0; i++) {
      long next = MemoryRecord.link(record);
      if (fits(record, keyLength, valueLength, wholeBytes)) {
        if (before == 0) {
          lists[list] = next;
        } else {
          MemoryRecord.relink(before, next);
        }
        return record;
      }
      before = record;
      record = next;
    }
    return 0;
  }

  private static boolean fits(long record, int keyLength, int valueLength, int wholeBytes) {
    return MemoryRecord.isInPieces(record)
        ? MemoryRecord.keyLength(record) == keyLength
            && MemoryRecord.valueLength(record) == valueLength
        : MemoryRecord.wholeBytes(record) == wholeBytes;
  }

  /** Puts the oldest batch into the lists; false if there is none, or if it still has to wait. */
  private boolean sort() {
    int last = full;
    int number = sorted;
    boolean mayHavePassed = lookedAt != last || last - number == MAX_WAITING;
    Batch oldest = number == last || !mayHavePassed ? null : batches[number % MAX_WAITING];
    if (oldest == null) {
      return false;
    }
    if (!epochs.hasPassed(oldest.moment)) {
      lookedAt = last;
      return false;
    }
    for (int i = 0; i < oldest.count; i++) {
      long record = oldest.records[i];
      int list = list(MemoryRecord.wholeBytes(record));
      MemoryRecord.relink(record, lists[list]);
      lists[list] = record;
    }
    oldest.count = 0;
    oldest.bytes = 0;
    sorted = number + 1;
    return true;
  }

  /** The list for records of a size, which is a multiple of eight. */
  private static int list(int wholeBytes) {
    return (wholeBytes >>> 3) & (LISTS - 1);
  }
}
