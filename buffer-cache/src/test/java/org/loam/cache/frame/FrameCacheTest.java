package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheStatistics;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.StorageIoException;

class FrameCacheTest {
  private final PagesFile file = new PagesFile(1, PAGE_BYTES, 64);

  @Test
  void readsAPageOnce() {
    try (CacheFixture f = new CacheFixture(8)) {
      long first = f.pin(file, 3);
      long second = f.pin(file, 3);
      assertThat(second).isEqualTo(first);
      f.cache.unpin(first);
      f.cache.unpin(second);
      f.touch(file, 3);
      assertThat(file.reads(3)).isEqualTo(1);
    }
  }

  @Test
  void countsByAccessClass() {
    try (CacheFixture f = new CacheFixture(8)) {
      int pageNo = 0;
      for (ReadIntent intent : ReadIntent.values()) {
        for (int i = 0; i <= pageNo + 1; i++) {
          f.cache.unpin(f.cache.pin(file, pageNo, intent));
        }
        pageNo++;
      }
      long held = f.pin(file, 0);
      CacheStatistics statistics = f.cache.statistics();
      assertThat(statistics.hits())
          .containsEntry(AccessClass.QUERY, 2L)
          .containsEntry(AccessClass.MERGE, 0L)
          .containsEntry(AccessClass.FILTER, 3L)
          .containsEntry(AccessClass.META, 4L);
      assertThat(statistics.misses())
          .as("one query keeps nothing, and misses its page three times")
          .containsEntry(AccessClass.QUERY, 4L)
          .containsEntry(AccessClass.MERGE, 0L)
          .containsEntry(AccessClass.FILTER, 1L)
          .containsEntry(AccessClass.META, 1L);
      assertThat(statistics.evictions()).isZero();
      assertThat(statistics.frames()).isEqualTo(3);
      assertThat(statistics.pinnedFrames()).isEqualTo(1);
      f.cache.unpin(held);
    }
  }

  @Test
  void evictsWhatIsNotPinned() {
    try (CacheFixture f = new CacheFixture(4)) {
      long held = f.pin(file, 0);
      for (int pageNo = 1; pageNo < 64; pageNo++) {
        f.touch(file, pageNo);
      }
      PagesFile.check(held, PAGE_BYTES, 1, 0);
      assertThat(f.holds(file, 0)).isTrue();
      assertThat(f.quota.usedPages()).isEqualTo(4);
      assertThat(f.counters.evictions()).isGreaterThanOrEqualTo(60);
      f.cache.unpin(held);
    }
  }

  @Test
  void keepsHotPagesThroughAScan() {
    try (CacheFixture f = new CacheFixture(16)) {
      for (int round = 0; round < 20; round++) {
        for (int pageNo = 0; pageNo < 8; pageNo++) {
          f.touch(file, pageNo);
        }
        f.touch(file, 8 + round);
        f.touch(file, 36 + round);
      }
      assertThat(f.held(file)).contains(0, 1, 2, 3, 4, 5, 6, 7);
      for (int pageNo = 0; pageNo < 8; pageNo++) {
        assertThat(file.reads(pageNo)).as("reads of page %d", pageNo).isEqualTo(1);
      }
    }
  }

  @Test
  void aReaderThatDoesNotFillLeavesTheCacheAsItWas() {
    try (CacheFixture f = new CacheFixture(16)) {
      for (int pageNo = 0; pageNo < 12; pageNo++) {
        f.touch(file, pageNo);
      }
      for (int pageNo = 12; pageNo < 64; pageNo++) {
        long address = f.pin(file, pageNo, ReadIntent.QUERY_ONCE);
        assertThat(f.cache.statistics().pinnedFrames()).isEqualTo(1);
        f.cache.unpin(address);
      }
      assertThat(f.held(file)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
      assertThat(f.counters.evictions()).isZero();
    }
  }

  @Test
  void aPassingPageStaysIfAReaderWantsItMeanwhile() {
    try (CacheFixture f = new CacheFixture(8)) {
      long passing = f.pin(file, 1, ReadIntent.QUERY_ONCE);
      f.touch(file, 1);
      long second = f.pin(file, 1, ReadIntent.QUERY_ONCE);
      f.cache.unpin(passing);
      f.cache.unpin(second);
      assertThat(f.holds(file, 1)).isTrue();
      assertThat(file.reads(1)).isEqualTo(1);
    }
  }

  @Test
  void passingReadersShareAPage() {
    try (CacheFixture f = new CacheFixture(8)) {
      long one = f.pin(file, 1, ReadIntent.QUERY_ONCE);
      long two = f.pin(file, 1, ReadIntent.QUERY_ONCE);
      f.cache.unpin(one);
      PagesFile.check(two, PAGE_BYTES, 1, 1);
      assertThat(file.reads(1)).isEqualTo(1);
      f.cache.unpin(two);
      assertThat(f.holds(file, 1)).isFalse();
    }
  }

  @Test
  void aCorruptPageIsReportedAndNotCached() {
    file.flip(7, 999, 2);
    try (CacheFixture f = new CacheFixture(8)) {
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThatThrownBy(() -> f.pin(file, 7))
            .isInstanceOf(CorruptionException.class)
            .hasMessageContaining("pages-1: page 7 of file id 1");
        assertThat(f.counters.checksumFailures()).isEqualTo(attempt);
      }
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
      file.flip(7, 999, 2);
      f.touch(file, 7);
      assertThat(f.counters.misses(AccessClass.QUERY)).isEqualTo(3);
    }
  }

  @Test
  void aFailedReadLeavesNothingBehind() {
    try (CacheFixture f = new CacheFixture(2)) {
      for (int i = 0; i < 10; i++) {
        file.failReads(1);
        assertThatThrownBy(() -> f.pin(file, 7)).isInstanceOf(StorageIoException.class);
      }
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
      long seven = f.pin(file, 7);
      long eight = f.pin(file, 8);
      f.cache.unpin(seven);
      f.cache.unpin(eight);
    }
  }

  @Test
  void saysSoWhenAllFramesArePinned() {
    try (CacheFixture f = new CacheFixture(4, 32)) {
      List<Long> pins = new ArrayList<>();
      for (int pageNo = 0; pageNo < 4; pageNo++) {
        pins.add(f.pin(file, pageNo));
      }
      for (ReadIntent intent : ReadIntent.values()) {
        assertThatThrownBy(() -> f.pin(file, 4, intent))
            .isInstanceOf(DeadlineException.class)
            .hasMessageContaining("of 4 frames of the buffer cache (target 4) 4 are pinned");
      }
      assertThat(file.reads(4)).isZero();
      f.cache.unpin(pins.remove(2));
      f.touch(file, 4);
      pins.forEach(f.cache::unpin);
    }
  }

  @Test
  void waitsAWhileForAFrame() {
    try (CacheFixture f = new CacheFixture(1)) {
      long held = f.pin(file, 0);
      int[] pauses = {0};
      f.waiter.onPause =
          () -> {
            if (++pauses[0] == 3) {
              f.cache.unpin(held);
            }
          };
      f.touch(file, 1);
      assertThat(pauses[0]).isEqualTo(3);
    }
  }

  @Test
  void purgeForgetsAFileAndNoOther() {
    PagesFile other = new PagesFile(2, PAGE_BYTES, 8);
    try (CacheFixture f = new CacheFixture(16)) {
      for (int pageNo = 0; pageNo < 8; pageNo++) {
        f.touch(file, pageNo);
        f.touch(other, pageNo);
      }
      int used = f.quota.usedPages();
      f.cache.purge(1, 64);
      assertThat(f.quota.usedPages()).isLessThan(used);
      assertThat(f.counters.evictions()).isZero();
      assertThat(f.held(file)).isEmpty();
      assertThat(f.held(other)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }
  }

  @Test
  void purgeLeavesAPinnedPageToItsReader() {
    try (CacheFixture f = new CacheFixture(4)) {
      long one = f.pin(file, 0);
      long two = f.pin(file, 0);
      f.cache.purge(1, 64);
      f.cache.unpin(two);
      for (int pageNo = 1; pageNo < 30; pageNo++) {
        f.touch(file, pageNo);
      }
      PagesFile.check(one, PAGE_BYTES, 1, 0);
      assertThat(f.holds(file, 0)).isFalse();
      f.cache.unpin(one);
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
    }
  }

  @Test
  void purgeReachesAPageThatIsBeingRead() {
    try (CacheFixture f = new CacheFixture(4)) {
      file.onRead = page -> f.cache.purge(1, 64);
      long address = f.pin(file, 5);
      file.onRead = page -> {};
      assertThat(f.holds(file, 5)).isFalse();
      PagesFile.check(address, PAGE_BYTES, 1, 5);
      f.cache.unpin(address);
      assertThat(f.holds(file, 5)).isFalse();
    }
  }

  @Test
  void holdsNoLockDuringARead() {
    PagesFile inner = new PagesFile(2, PAGE_BYTES, 64);
    try (CacheFixture f = new CacheFixture(100)) {
      Thread reader = Thread.currentThread();
      file.onRead =
          page -> {
            Thread other =
                new Thread(
                    () -> {
                      for (int pageNo = 0; pageNo < 64; pageNo++) {
                        f.touch(inner, pageNo);
                      }
                    });
            other.start();
            try {
              other.join();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            assertThat(Thread.currentThread()).isSameAs(reader);
          };
      f.touch(file, 0);
      assertThat(f.held(inner)).hasSize(64);
    }
  }

  @Test
  void aFullShardOfTheTableCostsOnlyCaching() {
    try (CacheFixture f = new CacheFixture(64)) {
      PagesFile large = new PagesFile(5, PAGE_BYTES, 1200);
      List<Integer> crowd = new ArrayList<>();
      for (int pageNo = 0; crowd.size() < 60; pageNo++) {
        if (PageTable.hash(5L << 32 | pageNo) >>> 60 == 0) {
          crowd.add(pageNo);
        }
      }
      List<Long> pins = new ArrayList<>();
      crowd.forEach(pageNo -> pins.add(f.pin(large, pageNo)));
      for (int i = 0; i < pins.size(); i++) {
        PagesFile.check(pins.get(i), PAGE_BYTES, 5, crowd.get(i));
        f.cache.unpin(pins.get(i));
      }
      assertThat(f.held(large)).hasSize(36);
    }
  }

  @Test
  void aPageAdmittedIsNotRead() {
    try (CacheFixture f = new CacheFixture(8)) {
      f.admit(file, 3);
      f.admit(file, 3);
      int reads = file.reads(3);
      f.touch(file, 3);
      assertThat(file.reads(3)).isEqualTo(reads);
      assertThat(f.counters.hits(AccessClass.QUERY)).isEqualTo(1);
      assertThat(f.counters.misses(AccessClass.QUERY)).isZero();
      f.cache.purge(file.fileId(), file.pageCount());
      assertThat(f.holds(file, 3)).isFalse();
    }
  }

  @Test
  void aPageThatIsThereIsNotReplaced() {
    try (CacheFixture f = new CacheFixture(8)) {
      long held = f.pin(file, 3);
      f.admit(file, 3);
      long again = f.pin(file, 3);
      assertThat(again).isEqualTo(held);
      f.cache.unpin(held);
      f.cache.unpin(again);
    }
  }

  @Test
  void aPageThatIsBeingReadIsLeftToItsReader() {
    try (CacheFixture f = new CacheFixture(8)) {
      PagesFile read = new PagesFile(2, PAGE_BYTES, 64);
      read.onRead =
          page -> {
            read.onRead = inner -> {};
            f.admit(read, 3);
          };
      f.touch(read, 3);
      assertThat(f.holds(read, 3)).isTrue();
      assertThat(f.quota.usedPages()).isEqualTo(1);
    }
  }

  @Test
  void nothingIsAdmittedWhileAllFramesArePinned() {
    try (CacheFixture f = new CacheFixture(4)) {
      List<Long> pins = new ArrayList<>();
      for (int pageNo = 0; pageNo < 4; pageNo++) {
        pins.add(f.pin(file, pageNo));
      }
      f.admit(file, 9);
      pins.forEach(f.cache::unpin);
      // A reader that comes afterwards reads the page; it does not wait for the one that gave up.
      assertThat(f.holds(file, 9)).isFalse();
    }
  }

  @Test
  void aPageIsWarmWhileItIsUsedAgainAndAgain() {
    try (CacheFixture f = new CacheFixture(8)) {
      assertThat(f.cache.isWarm(1, 3)).as("absent").isFalse();
      f.touch(file, 3);
      assertThat(f.cache.isWarm(1, 3)).as("used once").isFalse();
      f.touch(file, 3);
      assertThat(f.cache.isWarm(1, 3)).as("used again").isTrue();
      assertThat(f.cache.isWarm(2, 3)).as("another file").isFalse();
      f.admit(file, 4);
      assertThat(f.cache.isWarm(1, 4)).as("not used since it was written").isFalse();
      for (int pageNo = 5; pageNo < 64; pageNo++) {
        f.touch(file, pageNo);
        f.touch(file, pageNo);
      }
      assertThat(f.cache.isWarm(1, 3)).as("long ago").isFalse();
    }
  }

  @Test
  void whatReadersWantedBeforeStandsNoTrial() {
    try (CacheFixture f = new CacheFixture(32)) {
      for (int pageNo = 8; pageNo < 40; pageNo++) {
        f.touch(file, pageNo);
      }
      f.admit(file, 3);
      f.touch(file, 4);
      for (int pageNo = 40; pageNo < 48; pageNo++) {
        f.touch(file, pageNo);
      }
      assertThat(f.holds(file, 3)).isTrue();
      assertThat(f.holds(file, 4)).as("used once").isFalse();
    }
  }

  @Test
  void refusesImpossiblePages() {
    try (CacheFixture f = new CacheFixture(4)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> f.pin(file, -1))
          .withMessage("pageNo is -1, must not be negative");
      PagesFile none = new PagesFile(0, PAGE_BYTES, 1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> f.pin(none, 0))
          .withMessage("fileId is 0, must be positive");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> f.cache.admit(1, -1, f.pool.base()))
          .withMessage("pageNo is -1, must not be negative");
    }
  }

  @Test
  void refusesAnUnpinWithoutAPin() {
    try (CacheFixture f = new CacheFixture(4)) {
      long address = f.pin(file, 0);
      f.cache.unpin(address);
      assertThatThrownBy(() -> f.cache.unpin(address))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("unpinned more often than pinned: frame 0, page 0 of file id 1");
      assertThatThrownBy(() -> f.cache.unpin(address + 8))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("not the address of a frame");
      assertThatThrownBy(() -> f.cache.unpin(f.pool.base() + 4L * PAGE_BYTES))
          .isInstanceOf(AssertionError.class);
      f.touch(file, 0);
    }
  }

  @Test
  void doesNotCloseUnderAReader() {
    CacheFixture f = new CacheFixture(4);
    long address = f.pin(file, 9);
    assertThatThrownBy(f.cache::close)
        .isInstanceOf(AssertionError.class)
        .hasMessage("closed with pages pinned: frame 0, page 9 of file id 1, 1 pins, listed");
    f.cache.unpin(address);
    f.close();
    f.cache.close();
    assertThatThrownBy(() -> f.pin(file, 9)).isInstanceOf(ClosedException.class);
  }

  @Test
  void saysWhatItNeedsBesideThePool() {
    try (CacheFixture f = new CacheFixture(4)) {
      assertThat(f.fixed.usedBytes()).isEqualTo(CacheMemory.tableBytes(4));
      assertThat(CacheMemory.tableBytes(1 << 20) >> 20).isBetween(36L, 38L);
    }
  }
}
