package org.loam.lsm.visibility;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.loam.lsm.memory.VersionRetention;

/**
 * The read LSNs in use, so that no version is thrown away that a reader may still ask for.
 *
 * <p>A reader with read LSN R sees, of each key, the newest version with LSN ≤ R. Point reads need
 * no registration: they take the current read LSN and try again if a version vanished meanwhile.
 * Scans and snapshots register.
 *
 * <p>Thread-safe. Registering reads the published LSN under the lock. A pruner reads the published
 * LSN first and the registrations second. So a reader that registers later has a read LSN at or
 * above what the pruner took as published.
 */
public final class ReadRegistry implements VersionRetention {
  private final LongSupplier published;

  /** Ascending, since what is published never goes back. */
  @GuardedBy("this")
  private long[] readLsns = new long[16];

  /** Written under the lock; read without it. */
  private volatile int count;

  /**
   * @param published exclusive end of what readers may see; never goes back
   */
  public ReadRegistry(LongSupplier published) {
    this.published = published;
  }

  /** The read LSN of a reader that starts now. */
  public long currentReadLsn() {
    return published.getAsLong() - 1;
  }

  /** Registers a reader and returns its read LSN, to be released exactly once. */
  public synchronized long register() {
    int slot = count;
    if (slot == readLsns.length) {
      readLsns = Arrays.copyOf(readLsns, 2 * slot);
    }
    // Before the LSN is taken, see needs(); and after all that may fail.
    count = slot + 1;
    long readLsn = currentReadLsn();
    readLsns[slot] = readLsn;
    return readLsn;
  }

  /** Registers a read LSN once more, for a second reader; the caller has it registered already. */
  public synchronized void registerAgain(long readLsn) {
    register();
    int at = firstAtOrAbove(readLsns, count - 1, readLsn);
    System.arraycopy(readLsns, at, readLsns, at + 1, count - 1 - at);
    readLsns[at] = readLsn;
  }

  /** Ends one registration. */
  public synchronized void release(long readLsn) {
    int at = firstAtOrAbove(readLsns, count, readLsn);
    if (at == count || readLsns[at] != readLsn) {
      throw new AssertionError("read LSN " + readLsn + " is not registered");
    }
    System.arraycopy(readLsns, at + 1, readLsns, at, count - 1 - at);
    count--;
  }

  /** How many readers are registered. */
  public int size() {
    return count;
  }

  @Override
  public boolean needs(long olderLsn, long newerLsn) {
    if (newerLsn >= published.getAsLong()) {
      return true;
    }
    return count > 0 && anyBetween(olderLsn, newerLsn);
  }

  private synchronized boolean anyBetween(long olderLsn, long newerLsn) {
    return anyWithin(readLsns, count, olderLsn, newerLsn);
  }

  private static boolean anyWithin(long[] sorted, int count, long fromLsn, long toLsn) {
    int at = firstAtOrAbove(sorted, count, fromLsn);
    return at < count && sorted[at] < toLsn;
  }

  private static int firstAtOrAbove(long[] sorted, int count, long lsn) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < lsn) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** What is needed as of now; for a flush or merge, which decides once for all its entries. */
  public Moment capture() {
    long publishedEnd = published.getAsLong();
    long[] sorted;
    synchronized (this) {
      sorted = Arrays.copyOf(readLsns, count);
    }
    return new Moment(publishedEnd, sorted);
  }

  /** The read LSNs that were in use at one moment. Immutable. */
  public static final class Moment implements VersionRetention {
    private final long publishedEnd;
    private final long[] sorted;

    private Moment(long publishedEnd, long[] sorted) {
      this.publishedEnd = publishedEnd;
      this.sorted = sorted;
    }

    @Override
    public boolean needs(long olderLsn, long newerLsn) {
      return newerLsn >= publishedEnd || anyWithin(olderLsn, newerLsn);
    }

    /** Exclusive end of what was published. */
    public long publishedEnd() {
      return publishedEnd;
    }

    /**
     * Whether a read LSN lies in [fromLsn, toLsn). If one does, entries between these two must keep
     * their LSNs; otherwise no reader can tell the LSNs apart.
     */
    public boolean anyWithin(long fromLsn, long toLsn) {
      return ReadRegistry.anyWithin(sorted, sorted.length, fromLsn, toLsn);
    }
  }
}
