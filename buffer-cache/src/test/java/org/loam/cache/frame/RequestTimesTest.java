package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import java.util.List;
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

/**
 * How long requests take: each is timed once, however many pages it brings, and no hit is. Those
 * beside requests of background work are known.
 */
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

  /** Requests that ran beside background work, and their time. */
  private List<Long> beside() {
    return List.of(counters.besideRequests(), counters.besideNanos());
  }

  private void endBackground(long began) {
    counters.wrote(0, began);
    counters.backgroundEnds();
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

  /** Reads pages as a merge does. */
  private void merge(int from, int to) {
    int bytes = 32 * PAGE_BYTES;
    long buffer = Mem.allocate(bytes, 4096);
    try {
      ChunkReader reader = new ChunkReader(file, PAGE_BYTES, buffer, bytes, counters);
      reader.open(file, from, to);
      while (reader.next() != 0) {
        // Reads on.
      }
    } finally {
      Mem.free(buffer);
    }
  }

  @Test
  void aChunkOfAMergeIsOneRequest() {
    merge(0, 64);
    assertThat(counters.requests(AccessClass.MERGE)).isEqualTo(2);
    assertThat(counters.requestNanos(AccessClass.MERGE)).isEqualTo(2L * READ_NANOS);
  }

  // ---- Beside requests of background work.

  @Test
  void aReadDuringAWriteIsBesideIt() {
    long first = counters.backgroundBegins();
    long second = counters.backgroundBegins();
    touch(3, 3, ReadIntent.QUERY);
    touch(4, 4, ReadIntent.META);
    touch(5, 12, ReadIntent.QUERY);
    assertThat(beside()).containsExactly(3L, 3L * READ_NANOS);
    touch(3, 3, ReadIntent.QUERY);
    assertThat(beside()).as("after a hit").containsExactly(3L, 3L * READ_NANOS);
    endBackground(first);
    touch(20, 20, ReadIntent.FILTER);
    assertThat(beside()).as("beside the second write").containsExactly(4L, 4L * READ_NANOS);
    endBackground(second);
    nanos += 1_000_000;
    touch(21, 21, ReadIntent.QUERY);
    assertThat(beside()).as("after both").containsExactly(4L, 4L * READ_NANOS);
  }

  @Test
  void aReadDuringWhichAWriteEndsIsBesideIt() {
    long began = counters.backgroundBegins();
    file.onRead =
        page -> {
          endBackground(began);
          nanos += READ_NANOS;
        };
    touch(3, 3, ReadIntent.QUERY);
    assertThat(beside()).containsExactly(1L, (long) READ_NANOS);
  }

  /** Else long reads would be beside more of it than short ones are, and not be long for it. */
  @Test
  void aReadIsNotBesideWhatBeginsLater() {
    file.onRead =
        page -> {
          nanos += READ_NANOS;
          if (page == 3) {
            merge(32, 64);
          }
        };
    touch(3, 3, ReadIntent.QUERY);
    assertThat(counters.requests(AccessClass.MERGE)).isEqualTo(1);
    assertThat(beside()).containsExactly(0L, 0L);
  }

  @Test
  void aReadWhileAChunkIsReadIsBesideIt() {
    nanos += 5_000_000;
    file.onRead =
        page -> {
          if (page == 32) {
            touch(3, 3, ReadIntent.QUERY);
          }
          nanos += READ_NANOS;
        };
    merge(32, 64);
    assertThat(beside()).containsExactly(1L, (long) READ_NANOS);
  }

  @Test
  void aReadLongAfterAMergeIsNotBesideIt() {
    merge(32, 64);
    nanos += 1_000_000;
    touch(3, 3, ReadIntent.QUERY);
    assertThat(beside()).containsExactly(0L, 0L);
  }

  /** A merge goes on from one request to the next. */
  @Test
  void aReadBetweenTwoRequestsOfAMergeIsBesideIt() {
    nanos += 5_000_000;
    merge(32, 64);
    nanos += 900_000;
    touch(3, 3, ReadIntent.QUERY);
    assertThat(beside()).containsExactly(1L, (long) READ_NANOS);
    nanos += 100_000;
    touch(4, 4, ReadIntent.QUERY);
    assertThat(beside()).as("a millisecond later").containsExactly(1L, (long) READ_NANOS);
  }

  @Test
  void aReadBeforeAllBackgroundWorkIsNotBesideIt() {
    touch(3, 3, ReadIntent.QUERY);
    assertThat(beside()).containsExactly(0L, 0L);
    endBackground(counters.backgroundBegins());
    assertThat(beside()).containsExactly(0L, 0L);
  }

  @Test
  void aFailedReadOfAMergeDoesNotGoOn() {
    file.failReads(1);
    assertThatThrownBy(() -> merge(0, 32)).isInstanceOf(StorageIoException.class);
    file.onRead = page -> nanos += READ_NANOS;
    nanos += 1_000_000;
    touch(40, 40, ReadIntent.QUERY);
    assertThat(counters.requests(AccessClass.QUERY)).isEqualTo(1);
    assertThat(beside()).containsExactly(0L, 0L);
  }

  /** The times of misses have neither. */
  @Test
  void mergesAndLargeValuesAreNotCountedAsBeside() {
    long began = counters.backgroundBegins();
    merge(0, 32);
    long buffer = Mem.allocate(4 * PAGE_BYTES, 4096);
    cache.readPast(file, 40, 4, buffer);
    Mem.free(buffer);
    assertThat(counters.requests(AccessClass.LARGE_VALUE)).isEqualTo(1);
    assertThat(beside()).containsExactly(0L, 0L);
    endBackground(began);
  }

  @Test
  void aWriteByTheCacheIsBackgroundWork() {
    nanos = 500;
    long began = cache.writeBegins();
    assertThat(began).isEqualTo(500);
    touch(3, 3, ReadIntent.QUERY);
    cache.wrote(4096, began);
    cache.writeEnds();
    nanos += 1_000_000;
    touch(4, 4, ReadIntent.QUERY);
    assertThat(beside()).containsExactly(1L, (long) READ_NANOS);
    assertThat(counters.writtenBytes()).isEqualTo(4096);
    assertThat(counters.writeNanos()).isEqualTo(READ_NANOS);
  }
}
