package org.loam.engine.commit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The batches that wait for pages of write memory, in the order in which they came. A later batch
 * leaves to the earlier ones what they wait for, so that none waits while others are served again
 * and again. Only sums are kept: the pages of a batch that gives up count as if they had been the
 * first, until the earlier batches have left. Thread-safe, without a lock.
 */
final class PageQueue {
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
