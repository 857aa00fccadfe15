package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.PageObserver;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;

/** Pages read in one request with one that is missed. */
class ReadAheadTest {
  private static final int POOL_PAGES = CacheFixture.READ_AHEAD_POOL_PAGES;

  private final PagesFile file = new PagesFile(1, PAGE_BYTES, 64);
  private final List<Integer> requests = new ArrayList<>();

  private void noteRequests() {
    file.onRead = requests::add;
  }

  private void touchStretch(CacheFixture f, int pageNo, int pages) {
    f.cache.unpin(f.pinStretch(file, pageNo, pageNo + pages - 1, ReadIntent.QUERY));
  }

  @Test
  void aMissReadsTheStretchInOneRequest() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      noteRequests();
      touchStretch(f, 3, 4);
      for (int pageNo = 3; pageNo < 7; pageNo++) {
        f.touch(file, pageNo);
        assertThat(file.reads(pageNo)).isEqualTo(1);
      }
      touchStretch(f, 6, 4);
      assertThat(requests).containsExactly(3);
      assertThat(file.reads(7)).isZero();
      assertThat(f.counters.misses(AccessClass.QUERY)).isEqualTo(4);
      assertThat(f.counters.hits(AccessClass.QUERY)).isEqualTo(5);
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
    }
  }

  @Test
  void aStretchReadsThroughPagesThatAreThere() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      f.touch(file, 5);
      f.touch(file, 9);
      noteRequests();
      touchStretch(f, 3, 7);
      assertThat(requests).containsExactly(3);
      assertThat(file.reads(9)).as("not read again at the end").isEqualTo(1);
      assertThat(f.counters.misses(AccessClass.QUERY)).as("5 and 9 were there").isEqualTo(7);
      assertThat(f.held(file)).containsExactly(3, 4, 5, 6, 7, 8, 9);
    }
  }

  @Test
  void aStretchIsNoLongerThanABuffer() {
    int most = ReadAheadBuffers.BUFFER_BYTES / PAGE_BYTES;
    PagesFile large = new PagesFile(1, PAGE_BYTES, 2 * most);
    try (CacheFixture f = new CacheFixture(2 * most, POOL_PAGES)) {
      f.cache.unpin(f.pinStretch(large, 0, 2 * most - 1, ReadIntent.QUERY));
      assertThat(f.held(large)).hasSize(most).contains(0, most - 1);
    }
    try (CacheFixture f = new CacheFixture(2 * most, POOL_PAGES)) {
      f.cache.unpin(f.pinStretch(large, 2 * most - 1, 0, ReadIntent.QUERY));
      assertThat(f.held(large)).hasSize(most).contains(2 * most - 1, most);
    }
  }

  @Test
  void aStretchGoesDownToo() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      f.touch(file, 3);
      f.touch(file, 5);
      noteRequests();
      f.cache.unpin(f.pinStretch(file, 7, 3, ReadIntent.QUERY));
      assertThat(requests).as("3 is there").containsExactly(4);
      assertThat(f.counters.misses(AccessClass.QUERY)).isEqualTo(5);
      f.cache.unpin(f.pinStretch(file, 7, 0, ReadIntent.QUERY));
      assertThat(requests).as("a hit reads nothing").containsExactly(4);
      assertThat(f.held(file)).containsExactly(3, 4, 5, 6, 7);
    }
  }

  /** A scan of everything that shall leave the cache as it was makes few requests all the same. */
  @Test
  void aStretchThatDoesNotFillKeepsEachPageUntilItsUse() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      noteRequests();
      f.cache.unpin(f.pinStretch(file, 3, 6, ReadIntent.QUERY_ONCE));
      assertThat(f.quota.usedPages()).isEqualTo(4);
      for (int pageNo = 4; pageNo < 7; pageNo++) {
        f.cache.unpin(f.pin(file, pageNo, ReadIntent.QUERY_ONCE));
      }
      assertThat(requests).containsExactly(3);
      f.cache.unpin(f.pinStretch(file, 20, 23, ReadIntent.QUERY_ONCE));
      f.touch(file, 22);
      assertThat(f.held(file)).containsExactly(21, 22, 23);
      assertThat(f.held(file)).as("all were used, 22 was wanted").containsExactly(22);
    }
  }

  @Test
  void pagesReadAheadLeaveBeforeThoseThatWereAskedFor() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      for (int round = 0; round < 2; round++) {
        for (int pageNo = 0; pageNo < 8; pageNo++) {
          f.touch(file, pageNo);
        }
      }
      for (int pageNo = 8; pageNo < 32; pageNo += 4) {
        touchStretch(f, pageNo, 4);
      }
      assertThat(f.held(file)).contains(0, 1, 2, 3, 4, 5, 6, 7);
    }
  }

  /** Like a scan: a stretch, and then each of its pages once. */
  private void scan(CacheFixture f, int from, int to) {
    for (int pageNo = from; pageNo < to; pageNo += 8) {
      touchStretch(f, pageNo, 8);
      for (int i = 1; i < 8; i++) {
        f.touch(file, pageNo + i);
      }
    }
  }

  private static void fill(CacheFixture f, PagesFile others) {
    for (int pageNo = 0; pageNo < others.pageCount(); pageNo++) {
      f.touch(others, pageNo);
    }
  }

  @Test
  void aScanOfMuchTakesLittleFromPagesUsedOnce() {
    PagesFile others = new PagesFile(2, PAGE_BYTES, 128);
    PagesFile scanned = new PagesFile(3, PAGE_BYTES, 1024);
    try (CacheFixture f = new CacheFixture(128, POOL_PAGES)) {
      fill(f, others);
      for (int pageNo = 0; pageNo < 1024; pageNo += 8) {
        f.cache.unpin(f.pinStretch(scanned, pageNo, pageNo + 7, ReadIntent.QUERY));
      }
      assertThat(f.held(others)).hasSizeGreaterThan(96);
    }
  }

  @Test
  void aPageUsedAgainWhileOnTrialStays() {
    PagesFile others = new PagesFile(2, PAGE_BYTES, 128);
    PagesFile scanned = new PagesFile(3, PAGE_BYTES, 1024);
    try (CacheFixture f = new CacheFixture(128, POOL_PAGES)) {
      fill(f, others);
      scan(f, 0, 8);
      f.touch(file, 3);
      for (int pageNo = 0; pageNo < 1024; pageNo += 8) {
        f.cache.unpin(f.pinStretch(scanned, pageNo, pageNo + 7, ReadIntent.QUERY));
      }
      assertThat(f.held(file)).containsExactly(3);
    }
  }

  /** What is scanned again and again and has room is soon kept, whatever was there before. */
  @Test
  void pagesScannedAgainAndAgainAreKept() {
    PagesFile others = new PagesFile(2, PAGE_BYTES, 128);
    try (CacheFixture f = new CacheFixture(128, POOL_PAGES)) {
      fill(f, others);
      for (int pass = 0; pass < 8; pass++) {
        scan(f, 0, 64);
      }
      noteRequests();
      scan(f, 0, 64);
      assertThat(requests).isEmpty();
    }
  }

  @Test
  void aRequestThatFailsIsRepeatedForTheFirstPage() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      file.failReads(1);
      touchStretch(f, 3, 4);
      assertThat(f.held(file)).contains(3);
      assertThat(file.reads(4)).as("read in vain, and by held()").isEqualTo(2);
      file.failReads(2);
      assertThatThrownBy(() -> touchStretch(f, 40, 4)).isInstanceOf(StorageIoException.class);
      touchStretch(f, 40, 4);
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
    }
  }

  @Test
  void damageAheadIsToldToTheReaderThatPinsThePage() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      file.flip(5, 100, 3);
      touchStretch(f, 3, 4);
      assertThat(f.counters.checksumFailures()).isZero();
      assertThatThrownBy(() -> f.pin(file, 5))
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining("page 5");
      f.touch(file, 4);
      assertThat(file.reads(4)).isEqualTo(1);
    }
  }

  @Test
  void damageOfTheFirstPageIsToldAtOnce() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      file.flip(3, 100, 3);
      assertThatThrownBy(() -> touchStretch(f, 3, 4)).isInstanceOf(CorruptionException.class);
      f.touch(file, 4);
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
    }
  }

  @Test
  void damageOfOneLeavesTheOthers() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      file.flip(5, 100, 3);
      touchStretch(f, 3, 5);
      f.touch(file, 4);
      f.touch(file, 6);
      f.touch(file, 7);
      assertThat(file.reads(4) + file.reads(6) + file.reads(7)).isEqualTo(3);
    }
  }

  /** For lack of memory, say. The simulation finds a reader that waits for a page for ever. */
  @Test
  void anObserverThatThrowsKeepsNoPageFromItsReaders() {
    int poolPages = POOL_PAGES / 2; // with one buffer, which would be missed
    for (boolean up : new boolean[] {true, false}) {
      int first = up ? 3 : 7;
      int last = up ? 7 : 3;
      try (Simulation sim = Simulation.seeded(1);
          PagePool pool = new PagePool(poolPages, PAGE_BYTES);
          FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(poolPages, PAGE_BYTES))) {
        CacheMemory memory = new CacheMemory(pool, pool.quota("cache", 16), fixed);
        CacheCounters counters = new CacheCounters(new ThrowOnMiss(PageTable.pageId(1, 5)));
        try (FrameCache cache = new FrameCache(memory, sim.env().waiter(), counters)) {
          assertThatThrownBy(() -> cache.pinStretch(file, first, last, ReadIntent.QUERY))
              .isInstanceOf(OutOfMemoryError.class)
              .hasMessage("planned");
          assertThat(cache.isThere(1, 5)).isTrue();
          assertThat(cache.usedSince(1, 5)).as("what the observer says").isEqualTo(3);
          assertThat(cache.usedSince(1, 20)).as("not there").isInfinite();
          sim.run(
              () -> {
                for (int pageNo = 3; pageNo <= 7; pageNo++) {
                  cache.unpin(cache.pin(file, pageNo, ReadIntent.QUERY));
                }
              });
          requests.clear();
          noteRequests();
          cache.unpin(cache.pinStretch(file, 20, 24, ReadIntent.QUERY));
          assertThat(requests).containsExactly(20);
          assertThat(cache.isThere(1, 24)).isTrue();
        }
      }
    }
  }

  /** Throws once. */
  private static final class ThrowOnMiss implements PageObserver {
    private final long thrower;
    private boolean thrown;

    ThrowOnMiss(long pageId) {
      this.thrower = pageId;
    }

    @Override
    public void used(long pageId, long hash) {}

    @Override
    public double usedSince(long pageId, long hash) {
      return pageId == thrower && hash == PageTable.hash(pageId) ? 3 : -1;
    }

    @Override
    public void missed(long pageId, AccessClass access, boolean stays) {
      if (pageId == thrower && !thrown) {
        thrown = true;
        throw new OutOfMemoryError("planned");
      }
    }

    @Override
    public void left(long pageId) {}

    @Override
    public void deleted(long firstPageId, long lastPageId) {}
  }

  /** Scans go through a tree together: one reads, and each of the others is woken once. */
  @Test
  void aWaiterForAPageOfAStretchFindsTheOthers() throws InterruptedException {
    for (boolean up : new boolean[] {true, false}) {
      try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
        int first = up ? 8 : 15;
        int step = up ? 1 : -1;
        Thread other =
            new Thread(
                () -> {
                  for (int i = 0; i < 8; i++) {
                    f.cache.unpin(
                        f.pinStretch(file, first + i * step, first + 7 * step, ReadIntent.QUERY));
                  }
                });
        file.onRead =
            page -> {
              file.onRead = none -> {};
              other.start();
              while (f.waiter.awaits.get() == 0 && other.isAlive()) {
                Thread.onSpinWait();
              }
            };
        f.cache.unpin(f.pinStretch(file, first, first + 7 * step, ReadIntent.QUERY));
        other.join();
        assertThat(f.waiter.awaits).as("waits").hasValue(1);
        assertThat(f.counters.misses(AccessClass.QUERY)).isEqualTo(8);
        assertThat(f.counters.hits(AccessClass.QUERY)).isEqualTo(8);
      }
    }
  }

  private void readAhead(CacheFixture f, int pageNo, int lastPageNo) {
    f.cache.readAhead(file, pageNo, lastPageNo, ReadIntent.QUERY);
  }

  @Test
  void pagesAreReadForAReaderThatComesToThemLater() {
    try (CacheFixture f = new CacheFixture(32, POOL_PAGES)) {
      f.touch(file, 4);
      noteRequests();
      readAhead(f, 3, 8);
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
      assertThat(f.cache.isThere(1, 3)).isTrue();
      assertThat(f.cache.isThere(1, 9)).isFalse();
      readAhead(f, 3, 8);
      readAhead(f, 12, 7);
      assertThat(requests).containsExactly(3, 9);
      assertThat(f.counters.misses(AccessClass.QUERY)).isEqualTo(10);
      for (int pageNo = 3; pageNo <= 12; pageNo++) {
        f.touch(file, pageNo);
        assertThat(file.reads(pageNo)).isEqualTo(pageNo == 4 ? 2 : 1);
      }
    }
  }

  @Test
  void manyPagesAreReadForLaterInLongRequests() {
    PagesFile large = new PagesFile(1, PAGE_BYTES, 100);
    large.onRead = requests::add;
    try (CacheFixture f = new CacheFixture(128, POOL_PAGES)) {
      f.cache.readAhead(large, 0, 99, ReadIntent.QUERY);
      assertThat(requests).containsExactly(0, Long.SIZE);
      assertThat(f.held(large)).hasSize(100);
    }
    requests.clear();
    try (CacheFixture f = new CacheFixture(128, POOL_PAGES)) {
      f.cache.readAhead(large, 99, 0, ReadIntent.QUERY);
      assertThat(requests).containsExactly(100 - Long.SIZE, 0);
      assertThat(f.held(large)).hasSize(100);
    }
  }

  /** With pages so large that a buffer has fewer than there are bits in a word. */
  @Test
  void whatIsReadForLaterComesInLongerRequestsThanWhatIsWaitedFor() {
    int pageBytes = 16 << 10;
    int poolPages = (64 << 20) / pageBytes;
    PagesFile large = new PagesFile(1, pageBytes, 128);
    large.onRead = requests::add;
    try (PagePool pool = new PagePool(poolPages, pageBytes);
        FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(poolPages, pageBytes))) {
      CacheMemory memory = new CacheMemory(pool, pool.quota("cache", poolPages), fixed);
      try (FrameCache cache = new FrameCache(memory, new TestWaiter(), new CacheCounters())) {
        cache.readAhead(large, 0, 63, ReadIntent.QUERY);
        cache.unpin(cache.pinStretch(large, 64, 127, ReadIntent.QUERY));
        assertThat(requests).containsExactly(0, 32, 64);
        assertThat(cache.isThere(1, 63)).isTrue();
        assertThat(cache.isThere(1, 79)).isTrue();
        assertThat(cache.isThere(1, 80)).isFalse();
      }
    }
  }

  @Test
  void nothingIsReadForLaterWithTheOnlyBuffer() {
    try (CacheFixture f = new CacheFixture(32, POOL_PAGES / 2)) {
      readAhead(f, 3, 8);
      assertThat(f.cache.isThere(1, 3)).isFalse();
      touchStretch(f, 3, 4);
      assertThat(f.cache.isThere(1, 6)).isTrue();
    }
  }

  @Test
  void whatGoesWrongAheadIsLeftToTheReaderThatPinsThePage() {
    try (CacheFixture f = new CacheFixture(16, POOL_PAGES)) {
      file.failReads(1);
      readAhead(f, 3, 6);
      assertThat(f.cache.isThere(1, 3)).isFalse();
      f.touch(file, 3);
      file.flip(5, 100, 3);
      readAhead(f, 4, 6);
      assertThat(f.cache.isThere(1, 4)).isTrue();
      assertThat(f.cache.isThere(1, 5)).isFalse();
      assertThatThrownBy(() -> f.pin(file, 5)).isInstanceOf(CorruptionException.class);
    }
  }

  @Test
  void noMoreFramesAreTakenThanCanBeHad() {
    try (CacheFixture f = new CacheFixture(4, POOL_PAGES)) {
      long a = f.pin(file, 60);
      long b = f.pin(file, 61);
      long c = f.pin(file, 62);
      touchStretch(f, 3, 8);
      f.cache.unpin(a);
      f.cache.unpin(b);
      f.cache.unpin(c);
      assertThat(f.quota.usedPages()).isEqualTo(4);
    }
  }

  @Test
  void aTinyCacheReadsPageByPage() {
    try (CacheFixture f = new CacheFixture(16)) {
      touchStretch(f, 3, 4);
      assertThat(f.held(file)).containsExactly(3);
    }
  }
}
