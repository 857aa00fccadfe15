package org.loam.common.mem;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;

/**
 * One off-heap reservation of equal pages, shared through quotas, so that write memory and buffer
 * cache together stay inside one budget (MemoryWalls §3). Pages are handed out last in, first out,
 * and are not zeroed; in the checked mode free pages are poisoned. Thread-safe; one plain lock
 * around a few instructions.
 *
 * <p>Memory moves between quotas by {@link #transfer}: the donor's target shrinks at once, and the
 * receiver's grows page by page as the donor releases what it holds above its target. Invariant:
 * targets, pages owed and unassigned pages add up to the pool, so the pages in use never exceed it.
 */
public final class PagePool implements AutoCloseable {
  private final int pageBytes;
  private final int pageCount;
  private final long base;

  /** The free pages, a stack. */
  @GuardedBy("this")
  private final int[] free;

  @GuardedBy("this")
  private int freeCount;

  @GuardedBy("this")
  private int peakPages;

  /** The share that holds a page; null if the page is free. */
  @GuardedBy("this")
  private final @Nullable PageShare[] holders;

  /** Open quotas in order of their opening. */
  @GuardedBy("this")
  private final List<PageShare> shares = new ArrayList<>();

  /** The pages that belong to no quota: its target; it uses none. */
  private final PageShare unassigned;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param pageCount pages to reserve
   * @param pageBytes a power of two, at least 4096
   */
  public PagePool(int pageCount, int pageBytes) {
    if (pageBytes < 4096 || Integer.bitCount(pageBytes) != 1) {
      throw new IllegalArgumentException(
          "pageBytes " + pageBytes + ": a power of two, at least 4096");
    }
    if (pageCount < 1) {
      throw new IllegalArgumentException("pageCount " + pageCount + ": at least 1");
    }
    this.pageBytes = pageBytes;
    this.pageCount = pageCount;
    this.base = Mem.allocate((long) pageCount * pageBytes, pageBytes, "page pool");
    Mem.poison(base, (long) pageCount * pageBytes);
    this.free = new int[pageCount];
    for (int i = 0; i < pageCount; i++) {
      free[i] = pageCount - 1 - i;
    }
    this.freeCount = pageCount;
    this.holders = new PageShare[pageCount];
    this.unassigned = new PageShare("unassigned", pageCount);
  }

  public int pageBytes() {
    return pageBytes;
  }

  public int pageCount() {
    return pageCount;
  }

  /** Address of page 0; page {@code i} is at {@code base + i * pageBytes}. */
  public long base() {
    return base;
  }

  /** The index of the page that holds an address of the pool. */
  public int indexOf(long address) {
    return (int) ((address - base) / pageBytes);
  }

  /** The pages that all quotas use; never more than {@link #pageCount}. */
  public synchronized int usedPages() {
    return pageCount - freeCount;
  }

  /** What a quota uses and may use. */
  public record Use(int usedPages, int targetPages) {}

  /** What quotas use and may use, all as of one moment: no page counts twice. */
  public synchronized List<Use> uses(Quota... quotas) {
    return Stream.of(quotas).map(q -> new Use(q.usedPages(), q.targetPages())).toList();
  }

  /** The most pages that were in use at once; those from this index on never were. */
  public synchronized int peakPages() {
    return peakPages;
  }

  /** The pages that no quota may use and that are owed to none. */
  public synchronized int unassignedPages() {
    return unassigned.target();
  }

  /**
   * Opens a share of the pool.
   *
   * @throws IllegalArgumentException if fewer pages are unassigned
   */
  public synchronized Quota quota(String name, int targetPages) {
    requireOpen();
    if (targetPages < 0 || targetPages > unassigned.target()) {
      throw new IllegalArgumentException(
          name + ": target " + targetPages + " pages, must be in 0.." + unassigned.target());
    }
    Quota quota = new Quota(new PageShare(name, 0));
    shares.add(quota.share);
    unassigned.owe(quota.share, targetPages);
    return quota;
  }

  /**
   * Moves pages of target from one quota to another. The donor's target shrinks before this
   * returns; the receiver's grows at once by what the donor does not use and by the rest as the
   * donor frees pages. The donor learns from {@link Quota#excessPages} what is asked of it.
   *
   * @return the pages that moved at once
   * @throws IllegalArgumentException if the donor's target is smaller
   */
  public synchronized int transfer(Quota from, Quota to, int pages) {
    requireOpen();
    PageShare donor = openShare(from);
    PageShare receiver = openShare(to);
    if (donor == receiver) {
      throw new IllegalArgumentException("transfer from " + donor.name + " to itself");
    }
    if (pages < 1 || pages > donor.target()) {
      throw new IllegalArgumentException(
          "transfer of "
              + pages
              + " pages from "
              + donor.name
              + ": must be in 1.."
              + donor.target());
    }
    int owedBefore = donor.excess();
    donor.owe(receiver, pages);
    return pages - (donor.excess() - owedBefore);
  }

  /**
   * Frees the reservation. Closing twice is harmless.
   *
   * @throws AssertionError if pages are in use; then nothing is freed
   */
  @Override
  public synchronized void close() {
    if (!closed && freeCount < pageCount) {
      throw new AssertionError("page pool closed with pages in use: " + shares);
    }
    discard();
  }

  /**
   * Frees the reservation whatever is in use: for the remains of an engine that crashed or was
   * fenced, when no thread can touch a page any more.
   */
  public synchronized void discard() {
    if (!closed) {
      closed = true;
      Mem.free(base);
    }
  }

  @GuardedBy("this")
  private void requireOpen() {
    if (closed) {
      throw new ClosedException("the page pool is closed");
    }
  }

  @GuardedBy("this")
  private PageShare openShare(Quota quota) {
    if (quota.pool() != this) {
      throw new IllegalArgumentException("quota " + quota.name() + " belongs to another pool");
    }
    requireOpen();
    if (quota.share.isClosed()) {
      throw new ClosedException("quota " + quota.name() + " is closed");
    }
    return quota.share;
  }

  @GuardedBy("this")
  private int heldPage(PageShare share, long address) {
    long offset = address - base;
    if (offset < 0 || offset >= (long) pageCount * pageBytes || offset % pageBytes != 0) {
      throw new AssertionError(
          share.name
              + ": free of 0x"
              + Long.toHexString(address)
              + ", which is no page of the pool");
    }
    int page = (int) (offset / pageBytes);
    PageShare holder = holders[page];
    if (holder != share) {
      throw new AssertionError(
          share.name
              + ": free of page "
              + page
              + (holder == null ? ", which is free" : ", which belongs to " + holder.name));
    }
    return page;
  }

  /** A share of the pool. Thread-safe. */
  public final class Quota implements AutoCloseable {
    /** The pool's lock guards it; used and target pages may be read without the lock. */
    private final PageShare share;

    private Quota(PageShare share) {
      this.share = share;
    }

    /** Takes a page of undefined content; 0 if the quota is used up. */
    public long allocate() {
      int page;
      synchronized (PagePool.this) {
        openShare(this);
        if (!share.take()) {
          return 0;
        }
        if (freeCount == 0) {
          throw new AssertionError("no free page, though the targets allow it: " + shares);
        }
        page = free[--freeCount];
        peakPages = Math.max(peakPages, pageCount - freeCount);
        holders[page] = share;
      }
      long address = base + (long) page * pageBytes;
      Mem.unpoison(address, pageBytes);
      return address;
    }

    /**
     * Gives a page back.
     *
     * @throws AssertionError in both modes, if this quota does not hold such a page
     */
    public void free(long address) {
      synchronized (PagePool.this) {
        requireOpen();
        int page = heldPage(share, address);
        // Before another caller can get the page.
        Mem.poison(address, pageBytes);
        holders[page] = null;
        free[freeCount++] = page;
        share.giveBack();
      }
    }

    public String name() {
      return share.name;
    }

    /** The pages in use; takes no lock, so that it may be asked at every write. */
    public int usedPages() {
      return share.used();
    }

    /** The pages that may be used; takes no lock either. */
    public int targetPages() {
      return share.target();
    }

    /** The pages used above the target, to be freed soon: they are owed to other quotas. */
    public int excessPages() {
      synchronized (PagePool.this) {
        return share.excess();
      }
    }

    /**
     * Returns the target to the pool, also what other quotas still owe. Closing twice is harmless.
     *
     * @throws AssertionError if pages are in use
     */
    @Override
    public void close() {
      synchronized (PagePool.this) {
        if (share.isClosed()) {
          return;
        }
        if (share.used() > 0) {
          throw new AssertionError("quota closed with pages in use: " + share);
        }
        share.close(unassigned);
        shares.remove(share);
      }
    }

    @Override
    public String toString() {
      synchronized (PagePool.this) {
        return share.toString();
      }
    }

    private PagePool pool() {
      return PagePool.this;
    }
  }
}
