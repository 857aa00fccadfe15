package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.cache.CacheCounters;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;

/** Memory moves between the cache and another share of the pool, as the memory tuner has it. */
class ResizeTest {
  private final PagesFile file = new PagesFile(1, PAGE_BYTES, 64);

  @Test
  void growsAsPagesAreMissed() {
    try (CacheFixture f = new CacheFixture(4, 64)) {
      PagePool.Quota writes = f.pool.quota("writes", 60);
      readAll(f);
      assertThat(f.quota.usedPages()).isEqualTo(4);
      f.pool.transfer(writes, f.quota, 60);
      assertThat(f.cache.resize()).isZero();
      readAll(f);
      assertThat(f.held(file)).hasSize(64);
      assertThat(f.quota.usedPages()).isEqualTo(64);
    }
  }

  @Test
  void shrinksToTheTarget() {
    try (CacheFixture f = new CacheFixture(64)) {
      PagePool.Quota writes = f.pool.quota("writes", 0);
      readAll(f);
      for (int i = 0; i < 8; i++) {
        f.touch(file, i);
      }
      f.pool.transfer(f.quota, writes, 40);
      assertThat(writes.targetPages()).isZero();
      assertThat(f.cache.resize()).isZero();
      assertThat(f.quota.usedPages()).isLessThanOrEqualTo(24);
      assertThat(writes.targetPages()).isEqualTo(40);
      for (int i = 0; i < 8; i++) {
        assertThat(f.holds(file, i)).as("hot page %d", i).isTrue();
      }
      readAll(f);
      assertThat(f.quota.usedPages()).isLessThanOrEqualTo(24);
    }
  }

  @Test
  void shrinksFurtherAsPinsEnd() {
    try (CacheFixture f = new CacheFixture(16)) {
      PagePool.Quota writes = f.pool.quota("writes", 0);
      List<Long> pins = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        pins.add(f.pin(file, i));
      }
      f.pool.transfer(f.quota, writes, 10);
      assertThat(f.cache.resize()).isEqualTo(10);
      for (int i = 0; i < 4; i++) {
        f.cache.unpin(pins.remove(0));
      }
      assertThat(f.cache.resize()).isEqualTo(6);
      assertThat(writes.targetPages()).isEqualTo(4);
      pins.forEach(f.cache::unpin);
      assertThat(f.cache.resize()).isZero();
      assertThat(f.quota.usedPages()).isEqualTo(6);
    }
  }

  @Test
  void aPurgedOrPassingFramePaysTheDebt() {
    try (CacheFixture f = new CacheFixture(16)) {
      PagePool.Quota writes = f.pool.quota("writes", 0);
      long doomed = f.pin(file, 0);
      long passing = f.pin(file, 1, ReadIntent.QUERY_ONCE);
      f.pool.transfer(f.quota, writes, 16);
      f.cache.purge(1, 1);
      f.cache.unpin(doomed);
      f.cache.unpin(passing);
      assertThat(f.quota.usedPages()).isZero();
      assertThat(writes.targetPages()).isEqualTo(16);
    }
  }

  /** A step gives back 64 MiB at most; here a page more is to go. */
  @Test
  void aStepIsBounded() {
    int pageBytes = 1 << 20;
    try (PagePool pool = new PagePool(70, pageBytes);
        FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(70, pageBytes))) {
      PagePool.Quota quota = pool.quota("cache", 70);
      PagePool.Quota writes = pool.quota("writes", 0);
      CacheMemory memory = new CacheMemory(pool, quota, fixed);
      PagesFile large = new PagesFile(1, pageBytes, 70);
      try (FrameCache cache = new FrameCache(memory, new TestWaiter(), new CacheCounters())) {
        for (int pageNo = 0; pageNo < 70; pageNo++) {
          cache.unpin(cache.pin(large, pageNo, ReadIntent.QUERY));
        }
        pool.transfer(quota, writes, 70);
        assertThat(cache.resize()).isEqualTo(6);
        assertThat(cache.resize()).isZero();
      }
    }
  }

  private void readAll(CacheFixture f) {
    for (int pageNo = 0; pageNo < file.pageCount(); pageNo++) {
      f.touch(file, pageNo);
    }
  }
}
