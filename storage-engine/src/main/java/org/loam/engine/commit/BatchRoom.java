package org.loam.engine.commit;

import java.util.concurrent.atomic.AtomicLong;
import org.loam.common.config.Units;
import org.loam.common.error.DeadlineException;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.lsm.memory.MostPages;

/**
 * The room that a batch needs in write memory, and how much there is for one batch at most: what is
 * promised at open, however small write memory has become since, or below a host all of it. What
 * write memory lacks the buffer cache lends. Thread-safe.
 */
public final class BatchRoom {
  private final MemoryArbiter pages;
  private final WriteMemory memory;
  private final int batchPages;
  private final int pageBytes;
  private final boolean isHosted;
  private final PageQueue queue = new PageQueue();

  /**
   * @param batchPages what one batch may take, if it is not a host's
   */
  public BatchRoom(MemoryArbiter pages, WriteMemory memory, int batchPages, boolean isHosted) {
    this.pages = pages;
    this.memory = memory;
    this.batchPages = batchPages;
    this.pageBytes = pages.pageBytes();
    this.isHosted = isHosted;
  }

  /**
   * Refuses a batch that may not find room however much is flushed: it would wait for ever.
   *
   * @throws IllegalArgumentException with its size and the limit
   */
  void requireFits(PreparedBatch batch) {
    if (isHosted && batch.size() == 1 && batch.dataBytes() > largestRecordBytes()) {
      throw new IllegalArgumentException(
          "the record takes "
              + batch.dataBytes()
              + " bytes, must be at most "
              + largestRecordBytes()
              + ": write memory, with all that the buffer cache lends, has room for no more;"
              + " raise memory.total");
    }
    int there = pagesForOne();
    if (mostPages(batch, batch.treeChanges()) <= there) {
      return;
    }
    long most = mostPages(batch);
    if (most <= there) {
      return;
    }
    throw new IllegalArgumentException(
        "the batch has "
            + batch.size()
            + " writes in "
            + batch.treeCount()
            + " trees, which may take "
            + most
            + " of "
            + there
            + " pages of write memory; split it, or raise "
            + (isHosted ? "memory.total" : "write.initialBytes"));
  }

  /** Pages that one batch may take. */
  private int pagesForOne() {
    return isHosted ? pages.mostPages() : batchPages;
  }

  /** Bytes of the largest key and value together for which there is room. */
  public int largestRecordBytes() {
    // One page is that which the tree begins.
    long most = MostPages.dataBytes(pagesForOne() - 1L, pageBytes);
    return (int) Math.min(most, MemoryRecord.MAX_VALUE_BYTES);
  }

  private long mostPages(PreparedBatch batch) {
    return mostPages(batch, batch.treeCount());
  }

  /** Pages that a batch for so many trees may take, empty as they may be. */
  private long mostPages(PreparedBatch batch, int trees) {
    int writes = batch.size();
    // Each tree begins a page for records. If it has too many ranges for the batch they are joined.
    return MostPages.ofNodes(writes, trees, pageBytes)
        + trees
        + MostPages.ofRecords(writes, batch.dataBytes(), pageBytes);
  }

  // ---- Whether a batch may take some now.

  /**
   * Whether what is left is kept for merges in memory, or for batches that came earlier. A flush
   * makes room then: it began at the threshold, which lies below. If no page is left a batch may
   * try: it takes none from another, and its trees may need none.
   */
  boolean isKeptForOthers(PreparedBatch batch) {
    int reserved = memory.reservedPages();
    long before = pagesBefore(batch);
    if (reserved == 0 && before <= 0) {
      return false;
    }
    int free = pages.free();
    return free < reserved || (before > 0 && free > 0 && !isEnough(free - before, batch));
  }

  private boolean isEnough(long free, PreparedBatch batch) {
    return free >= memory.reservedPages() && free >= wantedPages(batch);
  }

  /** Free pages without those that batches wait for which came earlier. */
  private long freePages(PreparedBatch batch) {
    return pages.free() - pagesBefore(batch);
  }

  private long pagesBefore(PreparedBatch batch) {
    return batch.place() == PreparedBatch.NO_PLACE
        ? queue.pages()
        : queue.pagesBefore(batch.place(), wantedPages(batch));
  }

  private int wantedPages(PreparedBatch batch) {
    return (int) Math.max(1, batch.dataBytes() / pageBytes);
  }

  /** A batch that found no page waits from now on; it keeps its place until {@link #leave}. */
  void queue(PreparedBatch batch) {
    if (batch.place() == PreparedBatch.NO_PLACE) {
      batch.place(queue.join(wantedPages(batch)));
    }
  }

  /** A batch is written, refused, or given up. */
  void leave(PreparedBatch batch) {
    if (batch.place() != PreparedBatch.NO_PLACE) {
      batch.place(PreparedBatch.NO_PLACE);
      queue.leave(wantedPages(batch));
    }
  }

  /** Whether no batch waits for pages that came earlier: it has them made free for all. */
  boolean isFirst(PreparedBatch batch) {
    return pagesBefore(batch) == 0;
  }

  /** Whether the scheme lets a batch take memory. */
  boolean isAdmitted(PreparedBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.changesTree(i) && !memory.scheme().admits(batch.tree(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a batch is admitted, and may find room beside what earlier ones wait for. It may still
   * find none, and then leaves what it took in vain to the next flush: one that takes many pages
   * should ask before it tries.
   */
  boolean mayBeThere(PreparedBatch batch) {
    return isAdmitted(batch) && isEnough(freePages(batch), batch);
  }

  /**
   * Borrows what a batch lacks from the buffer cache.
   *
   * @return false if the cache has not so much that it could lend
   */
  boolean borrow(PreparedBatch batch) {
    long lacking = mostPages(batch) - freePages(batch);
    return pages.borrow((int) Math.max(1, lacking));
  }

  /**
   * Borrows what a batch lacks if write memory has become smaller than the batch: no flush would
   * make room. Write memory may get smaller at any time, also while a batch waits, so this is asked
   * before each attempt. A host's batches borrow when the host begins no flush.
   *
   * @return whether write memory was too small, and there is room now
   */
  boolean borrowIfTooSmall(PreparedBatch batch) {
    long most = mostPages(batch);
    if (isHosted || most <= pages.own() || !isAdmitted(batch)) {
      return false;
    }
    return freePages(batch) >= most || (borrow(batch) && freePages(batch) >= most);
  }

  /** The error of a write that gets no memory, with the pages in use and their owners. */
  DeadlineException lacking(PreparedBatch batch, long waitedNanos) {
    return new DeadlineException(
        "no memory for a write to "
            + batch.tree(0)
            + " for "
            + waitedNanos / 1_000_000_000
            + " s: write memory is full with "
            + describe()
            + " and lends no more, and no flush begins while the writes under way wait;"
            + " nothing was written, write less at once or raise memory.total");
  }

  private String describe() {
    return Units.formatBytes((long) pages.used() * pageBytes)
        + ", of which the buffer cache has lent "
        + Units.formatBytes((long) pages.lent() * pageBytes);
  }

  /**
   * The batches that wait for pages of write memory, in the order in which they came. A later batch
   * leaves to the earlier ones what they wait for, so that none waits while others are served again
   * and again. Only sums are kept: the pages of a batch that gives up count as if they had been the
   * first, until the earlier batches have left. Thread-safe, without a lock.
   */
  static final class PageQueue {
    private final AtomicLong joinedPages = new AtomicLong();
    private final AtomicLong leftPages = new AtomicLong();

    /**
     * A batch begins to wait.
     *
     * @param pages that it waits for
     * @return its place
     */
    long join(int pages) {
      return joinedPages.addAndGet(pages);
    }

    /** A batch waits no more, for whatever reason. */
    void leave(int pages) {
      leftPages.addAndGet(pages);
    }

    /** Pages that batches wait for. */
    long pages() {
      return joinedPages.get() - leftPages.get();
    }

    /**
     * Pages that batches wait for which came before a batch.
     *
     * @param place of the batch
     * @param pages that it waits for
     */
    long pagesBefore(long place, int pages) {
      return Math.max(0, place - pages - leftPages.get());
    }
  }
}
