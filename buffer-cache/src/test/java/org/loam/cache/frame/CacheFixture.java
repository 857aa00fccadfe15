package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.loam.cache.CacheCounters;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;

/** A small cache with everything around it; closing it checks that nothing leaked. */
final class CacheFixture implements AutoCloseable {
  static final int PAGE_BYTES = 4096;

  /** A pool large enough for a few buffers to read ahead, of which the cache may use a little. */
  static final int READ_AHEAD_POOL_PAGES = (64 << 20) / PAGE_BYTES;

  final PagePool pool;
  final PagePool.Quota quota;
  final FixedMemory fixed;
  final TestWaiter waiter = new TestWaiter();
  final CacheCounters counters = new CacheCounters();
  final FrameCache cache;

  CacheFixture(int frames) {
    this(frames, frames);
  }

  CacheFixture(int frames, int poolPages) {
    pool = new PagePool(poolPages, PAGE_BYTES);
    quota = pool.quota("cache", frames);
    fixed = new FixedMemory(CacheMemory.fixedBytes(poolPages, PAGE_BYTES));
    cache = new FrameCache(new CacheMemory(pool, quota, fixed), waiter, counters);
  }

  /** Pins a page for a query and checks its bytes. */
  long pin(PagesFile file, int pageNo) {
    return pin(file, pageNo, ReadIntent.QUERY);
  }

  long pin(PagesFile file, int pageNo, ReadIntent intent) {
    long address = cache.pin(file, pageNo, intent);
    PagesFile.check(address, PAGE_BYTES, file.fileId(), pageNo);
    return address;
  }

  /** Pins a page from which a query will go on, up or down to another, and checks its bytes. */
  long pinStretch(PagesFile file, int pageNo, int lastPageNo, ReadIntent intent) {
    long address = cache.pinStretch(file, pageNo, lastPageNo, intent);
    PagesFile.check(address, PAGE_BYTES, file.fileId(), pageNo);
    return address;
  }

  /** Pins and unpins. */
  void touch(PagesFile file, int pageNo) {
    cache.unpin(pin(file, pageNo));
  }

  /** Gives the cache a page as if it had just been written. */
  void admit(PagesFile file, int pageNo) {
    long page = Mem.allocate(PAGE_BYTES, PAGE_BYTES);
    file.read((long) pageNo * PAGE_BYTES, page, PAGE_BYTES);
    cache.admit(file.fileId(), pageNo, page);
    Mem.free(page);
  }

  /** Whether a page is cached; if it is not and no frame is free, finding out evicts another. */
  boolean holds(PagesFile file, int pageNo) {
    int reads = file.reads(pageNo);
    cache.unpin(pin(file, pageNo, ReadIntent.QUERY_ONCE));
    return file.reads(pageNo) == reads;
  }

  /** The cached pages of a file. */
  List<Integer> held(PagesFile file) {
    List<Integer> held = new ArrayList<>();
    for (int pageNo = 0; pageNo < file.pageCount(); pageNo++) {
      if (holds(file, pageNo)) {
        held.add(pageNo);
      }
    }
    return held;
  }

  @Override
  public void close() {
    cache.close();
    assertThat(quota.usedPages()).isZero();
    assertThat(fixed.usedBytes()).isZero();
    pool.close();
  }
}
