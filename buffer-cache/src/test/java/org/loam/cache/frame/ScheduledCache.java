package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.loam.cache.CacheCounters;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.env.Waiter;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;

/**
 * A cache of a few frames in a simulation; closing it proves that no pin and no frame got lost, and
 * that no page had two.
 */
final class ScheduledCache implements AutoCloseable {
  static final int PAGE_BYTES = CacheFixture.PAGE_BYTES;

  /** Pages of each of the first two files. */
  static final int FILE_PAGES = 4;

  /** The size of a pool from which on there are buffers to read ahead. */
  private static final long READ_AHEAD = 64L << 20;

  final PagePool pool;
  final PagePool.Quota quota;
  final MissesAndLeaves leaves = new MissesAndLeaves();
  final CacheCounters counters = new CacheCounters(leaves);
  final FrameCache cache;
  private final FixedMemory fixed;
  private final Waiter waiter;

  ScheduledCache(Simulation sim, int frames, int poolPages) {
    waiter = sim.env().waiter();
    pool = new PagePool(poolPages, PAGE_BYTES);
    quota = pool.quota("cache", frames);
    fixed = new FixedMemory(CacheMemory.tableBytes(poolPages) + ReadAheadBuffers.bytes(READ_AHEAD));
    CacheMemory memory = new CacheMemory(pool, quota, fixed);
    cache = new FrameCache(memory, waiter, counters, READ_AHEAD);
  }

  /** Pins a page, which has its bytes all the time until it is unpinned. */
  void read(PagesFile file, int pageNo, ReadIntent intent) {
    check(cache.pin(file, pageNo, intent), file, pageNo);
  }

  /** As {@link #read}, with those up to another page read in the same request. */
  void readStretch(PagesFile file, int pageNo, int lastPageNo, ReadIntent intent) {
    check(cache.pinStretch(file, pageNo, lastPageNo, intent), file, pageNo);
  }

  /** As {@link #read}, or false if the read failed. */
  boolean tryRead(PagesFile file, int pageNo) {
    try {
      read(file, pageNo, ReadIntent.QUERY);
      return true;
    } catch (StorageIoException e) {
      return false;
    }
  }

  private void check(long address, PagesFile file, int pageNo) {
    PagesFile.checkEnds(address, PAGE_BYTES, file.fileId(), pageNo);
    PagesFile.checkEnds(address, PAGE_BYTES, file.fileId(), pageNo);
    cache.unpin(address);
  }

  /** Takes frames from the cache, uses them for something else, and gives them back. */
  void lend(PagePool.Quota borrower, int pages) {
    pool.transfer(quota, borrower, pages);
    while (cache.resize() > 0) {
      waiter.pause(1000);
    }
    List<Long> borrowed = new ArrayList<>();
    for (long page = borrower.allocate(); page != 0; page = borrower.allocate()) {
      Mem.fill(page, PAGE_BYTES, (byte) 0x5a);
      borrowed.add(page);
    }
    assertThat(borrowed).hasSize(pages);
    borrowed.forEach(borrower::free);
    pool.transfer(borrower, quota, pages);
  }

  @Override
  public void close() {
    assertThat(cache.statistics().pinnedFrames()).isZero();
    for (int fileId = 1; fileId <= 2; fileId++) {
      cache.purge(fileId, FILE_PAGES);
      for (int pageNo = 0; pageNo < FILE_PAGES; pageNo++) {
        assertThat(cache.isThere(fileId, pageNo)).as("page %d, once more", pageNo).isFalse();
      }
    }
    cache.close();
    assertThat(quota.usedPages()).as("frames that neither a page nor the reserve has").isZero();
    assertThat(fixed.usedBytes()).isZero();
    fixed.close();
    pool.close();
  }
}
