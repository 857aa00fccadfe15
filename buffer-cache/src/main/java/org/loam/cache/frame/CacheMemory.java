package org.loam.cache.frame;

import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;

/**
 * The memory of a cache.
 *
 * @param pool where frames come from
 * @param quota the cache's share of the pool, taken as needed; its target is the size to keep to
 * @param fixed where the tables beside the frames come from, {@link #fixedBytes} of it
 */
public record CacheMemory(PagePool pool, PagePool.Quota quota, FixedMemory fixed) {
  /**
   * Bytes of frame words, page table and trial queues for a pool of so many pages: about 38 a page.
   * They are sized for the whole pool, so that the cache can grow to all of it.
   */
  static long tableBytes(int poolPages) {
    return FrameWords.bytes(poolPages) + PageTable.bytes(poolPages) + Trials.bytes(poolPages);
  }

  /** Bytes of everything beside the frames: the tables, and buffers to read ahead. */
  public static long fixedBytes(int poolPages, int pageBytes) {
    return tableBytes(poolPages) + ReadAheadBuffers.bytes((long) poolPages * pageBytes);
  }
}
