package org.loam.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import org.loam.common.mem.PagePool;
import org.loam.engine.memory.MemoryArbiter.Progress;

/** A pool of a few pages, an arbiter, and users of both sides that can be told what to do. */
final class ArbiterWorld implements AutoCloseable {
  static final int PAGE_BYTES = 4096;
  static final int CACHE_PAGES = MemoryArbiter.MIN_CACHE_PAGES + 100;
  static final int LEAST_PAGES = 16;

  final PagePool pool;
  final PagePool.Quota write;
  final PagePool.Quota cache;
  final MemoryArbiter arbiter;

  /** Pages of write memory; one thread uses them. */
  final ArrayDeque<Long> written = new ArrayDeque<>();

  private final ArrayDeque<Long> cached = new ArrayDeque<>();

  /** Pages that the cache cannot evict. */
  private int pinned;

  ArbiterWorld(int writePages) {
    pool = new PagePool(writePages + CACHE_PAGES, PAGE_BYTES);
    write = pool.quota("write memory", writePages);
    cache = pool.quota("buffer cache", CACHE_PAGES);
    arbiter = new MemoryArbiter(pool, write, cache, this::evict, LEAST_PAGES);
  }

  void target(int pages) {
    arbiter.setTarget((long) pages * PAGE_BYTES);
  }

  /** False if there is none. */
  boolean write() {
    long page = write.allocate();
    if (page != 0) {
      written.add(page);
    }
    return page != 0;
  }

  void write(int pages) {
    for (int i = 0; i < pages; i++) {
      assertThat(write()).as("page %d of %d", i, pages).isTrue();
    }
  }

  void flush(int pages) {
    for (int i = 0; i < pages; i++) {
      write.free(written.remove());
    }
    arbiter.settle();
  }

  synchronized void fillCache() {
    for (long page = cache.allocate(); page != 0; page = cache.allocate()) {
      cached.add(page);
    }
  }

  synchronized void pin(int pages) {
    pinned = pages;
  }

  private synchronized void evict() {
    assertThat(Thread.holdsLock(arbiter)).as("whether others wait for the eviction").isFalse();
    while (cache.excessPages() > 0 && cached.size() > pinned) {
      cache.free(cached.remove());
    }
  }

  /** Moves until that takes a wait, or the target is reached. */
  Progress move() {
    Progress progress = arbiter.advance();
    while (progress == Progress.MOVED) {
      check();
      progress = arbiter.advance();
    }
    check();
    return progress;
  }

  void check() {
    assertThat(pool.usedPages()).isLessThanOrEqualTo(pool.pageCount());
    assertThat(write.usedPages()).isLessThanOrEqualTo(write.targetPages());
    int counted = arbiter.own() + arbiter.lent();
    // In this order: an eviction beside this makes one of what is owed a page of the target.
    assertThat(counted)
        .as("pages that write memory counts on")
        .isLessThanOrEqualTo(cache.excessPages() + write.targetPages());
  }

  @Override
  public void close() {
    while (!written.isEmpty()) {
      write.free(written.remove());
    }
    while (!cached.isEmpty()) {
      cache.free(cached.remove());
    }
    pool.close();
  }
}
