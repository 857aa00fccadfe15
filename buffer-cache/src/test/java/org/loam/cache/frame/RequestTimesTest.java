package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.ChunkReader;
import org.loam.cache.PageObserver;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;

/** How long requests take: each is timed once, however many pages it brings, and no hit is. */
class RequestTimesTest {
  private static final int POOL_PAGES = CacheFixture.READ_AHEAD_POOL_PAGES;
  private static final int READ_NANOS = 100;

  private final PagesFile file = new PagesFile(1, PAGE_BYTES, 64);
  private long nanos;
  private int looks;
  private final CacheCounters counters = new CacheCounters(PageObserver.NONE, this::look);
  private final PagePool pool = new PagePool(POOL_PAGES, PAGE_BYTES);
  private final FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(POOL_PAGES, PAGE_BYTES));
  private final FrameCache cache =
      new FrameCache(
          new CacheMemory(pool, pool.quota("cache", 16), fixed), new TestWaiter(), counters);

  RequestTimesTest() {
    file.onRead = page -> nanos += READ_NANOS;
  }

  private long look() {
    looks++;
    return nanos;
  }

  private void touch(int pageNo, int lastPageNo, ReadIntent intent) {
    cache.unpin(cache.pinStretch(file, pageNo, lastPageNo, intent));
  }

  @AfterEach
  void close() {
    cache.close();
    pool.close();
  }

  @Test
  void aMissIsTimedAndAHitIsNot() {
    touch(3, 3, ReadIntent.QUERY);
    touch(4, 4, ReadIntent.META);
    assertThat(counters.requestNanos(AccessClass.QUERY)).isEqualTo(READ_NANOS);
    assertThat(counters.requestNanos(AccessClass.META)).isEqualTo(READ_NANOS);
    int before = looks;
    touch(3, 3, ReadIntent.QUERY);
    assertThat(looks).as("looks at the clock").isEqualTo(before);
  }

  @Test
  void aStretchIsOneRequest() {
    touch(3, 10, ReadIntent.QUERY);
    assertThat(counters.misses(AccessClass.QUERY)).isEqualTo(8);
    assertThat(counters.requests(AccessClass.QUERY)).isEqualTo(1);
    assertThat(counters.requestNanos(AccessClass.QUERY)).isEqualTo(READ_NANOS);
  }

  @Test
  void aRequestThatFailsTookItsTime() {
    file.onRead =
        page -> {
          nanos += READ_NANOS;
          if (nanos == READ_NANOS) {
            throw new StorageIoException("planned failure at page " + page);
          }
        };
    assertThatThrownBy(() -> touch(3, 3, ReadIntent.QUERY)).isInstanceOf(StorageIoException.class);
    touch(3, 3, ReadIntent.QUERY);
    assertThat(counters.requests(AccessClass.QUERY)).isEqualTo(2);
    assertThat(counters.requestNanos(AccessClass.QUERY)).isEqualTo(2L * READ_NANOS);
  }

  @Test
  void aChunkOfAMergeIsOneRequest() {
    int bytes = 32 * PAGE_BYTES;
    long buffer = Mem.allocate(bytes, 4096);
    ChunkReader reader = new ChunkReader(file, PAGE_BYTES, buffer, bytes, counters);
    reader.open(file, 0, 64);
    while (reader.next() != 0) {
      // Reads on.
    }
    Mem.free(buffer);
    assertThat(counters.requests(AccessClass.MERGE)).isEqualTo(2);
    assertThat(counters.requestNanos(AccessClass.MERGE)).isEqualTo(2L * READ_NANOS);
  }
}
