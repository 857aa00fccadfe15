package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.CacheCounters;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.common.env.ReadOnlyFile;
import org.loam.common.env.StorageFile;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;

/**
 * What the replacement policy makes of patterns that users have: requests of the disk per
 * operation, with a cache of an eighth of the pages.
 */
@Tag("once")
class HitRatioTest {
  private static final int PAGE_BYTES = 4096;
  private static final int FRAMES = 4096;

  /** Leaves of the lowest level. */
  private static final int LEAVES = 8 * FRAMES;

  /** Leaves of a level above, a tenth of them. */
  private static final int UPPER_LEAVES = LEAVES / 10;

  /** Leaves that a scan of 100 records of 1 KB takes. */
  private static final int SCANNED = 13;

  private static final int RECORDS_PER_LEAF = 8;
  private static final int OPERATIONS = 20 * FRAMES;

  /** A file that is made up as it is read. */
  private static final class Pages implements PageSource, ReadOnlyFile {
    private final int fileId;
    private long requests;

    Pages(int fileId) {
      this.fileId = fileId;
    }

    @Override
    public int fileId() {
      return fileId;
    }

    @Override
    public long salt() {
      return 0;
    }

    @Override
    public StorageFile file() {
      return this;
    }

    @Override
    public Path path() {
      return Path.of("pages-" + fileId);
    }

    @Override
    public long sizeBytes() {
      return Long.MAX_VALUE;
    }

    @Override
    public void read(long offset, long address, int length) {
      requests++;
      for (int at = 0; at < length; at += PAGE_BYTES) {
        PageHeader.start(address + at, 1);
        PageHeader.seal(
            address + at, PAGE_BYTES, fileId, (int) ((offset + at) / PAGE_BYTES), salt());
      }
    }
  }

  /** A cache and a tree of two levels of leaves. */
  private static final class Reader implements AutoCloseable {
    private final int poolPages = 2 * FRAMES;
    private final PagePool pool = new PagePool(poolPages, PAGE_BYTES);
    private final FixedMemory fixed =
        new FixedMemory(CacheMemory.fixedBytes(poolPages, PAGE_BYTES));
    private final FrameCache cache =
        new FrameCache(
            new CacheMemory(pool, pool.quota("cache", FRAMES), fixed),
            new TestWaiter(),
            new CacheCounters());
    private final Pages lower = new Pages(1);
    private final Pages upper = new Pages(2);

    void get(long record) {
      cache.unpin(cache.pin(lower, (int) (record / RECORDS_PER_LEAF), ReadIntent.QUERY));
    }

    void scan(long record) {
      int first = (int) Math.min(record / RECORDS_PER_LEAF, LEAVES - SCANNED);
      int firstUpper = (int) ((long) first * UPPER_LEAVES / LEAVES);
      int lastUpper = (int) ((long) (first + SCANNED - 1) * UPPER_LEAVES / LEAVES);
      readRange(lower, first, first + SCANNED - 1);
      readRange(upper, firstUpper, lastUpper);
    }

    private void readRange(Pages pages, int first, int last) {
      for (int page = first; page <= last; page++) {
        cache.unpin(cache.pinStretch(pages, page, last, ReadIntent.QUERY));
      }
    }

    long requests() {
      return lower.requests + upper.requests;
    }

    @Override
    public void close() {
      cache.close();
      pool.close();
    }
  }

  /** Numbers of records, the popular ones scattered over all leaves. */
  private static LongSupplier zipfian(double theta, SplittableRandom random) {
    int records = LEAVES * RECORDS_PER_LEAF;
    double[] upTo = new double[records];
    double sum = 0;
    for (int i = 0; i < records; i++) {
      sum += Math.pow(i + 1, -theta);
      upTo[i] = sum;
    }
    double all = sum;
    return () -> {
      int place = Arrays.binarySearch(upTo, random.nextDouble() * all);
      long rank = Math.min(place < 0 ? -place - 1 : place, records - 1);
      return Math.floorMod(rank * 0x9E3779B1L + 12345, records);
    };
  }

  private interface Operation {
    void run(Reader reader, LongSupplier records, int number);
  }

  /** Requests of the disk per operation once the cache has seen as many as are counted. */
  private static double requests(double theta, Operation operation) {
    LongSupplier records = zipfian(theta, new SplittableRandom(7));
    try (Reader reader = new Reader()) {
      for (int i = 0; i < OPERATIONS; i++) {
        operation.run(reader, records, i);
      }
      long before = reader.requests();
      for (int i = 0; i < OPERATIONS; i++) {
        operation.run(reader, records, i);
      }
      return (reader.requests() - before) / (double) OPERATIONS;
    }
  }

  private static void get(Reader reader, LongSupplier records, int number) {
    reader.get(records.getAsLong());
  }

  private static void scan(Reader reader, LongSupplier records, int number) {
    reader.scan(records.getAsLong());
  }

  private static void getOrScan(Reader reader, LongSupplier records, int number) {
    if (number % 2 == 0) {
      reader.get(records.getAsLong());
    } else {
      reader.scan(records.getAsLong());
    }
  }

  /** By the clock alone .36 and .64. */
  @Test
  void popularRecordsStay() {
    assertThat(requests(.99, HitRatioTest::get)).isLessThan(.35);
    assertThat(requests(.8, HitRatioTest::get)).isLessThan(.61);
  }

  @Test
  void whatNoReaderPrefersIsCachedInPart() {
    assertThat(requests(0, HitRatioTest::get)).isLessThan(.88);
  }

  /** In one queue with what is missed one by one, the leaves of scans would push that out. */
  @Test
  void scansKeepTheUpperLevel() {
    assertThat(requests(0, HitRatioTest::scan)).isLessThan(1.66);
    assertThat(requests(.99, HitRatioTest::scan)).isLessThan(1.12);
  }

  @Test
  void scansLeaveTheRecordsThatAreRead() {
    assertThat(requests(0, HitRatioTest::getOrScan)).isLessThan(1.38);
    assertThat(requests(.99, HitRatioTest::getOrScan)).isLessThan(.84);
  }

  /**
   * Each page of it is missed until it is used twice in a short time, or missed twice in a longer.
   */
  @Test
  void anotherHotSetIsCachedAfterAFewTurns() {
    SplittableRandom random = new SplittableRandom(7);
    LongSupplier records = zipfian(.99, random);
    try (Reader reader = new Reader()) {
      for (int i = 0; i < OPERATIONS; i++) {
        reader.get(records.getAsLong());
      }
      long before = reader.requests();
      int pages = FRAMES * 3 / 4;
      for (int i = 0; i < OPERATIONS; i++) {
        reader.get((LEAVES + random.nextLong(pages)) * RECORDS_PER_LEAF);
      }
      assertThat((reader.requests() - before) / (double) pages).isLessThan(1.7);
    }
  }

  /** By the clock alone .37; if pages on trial took no free frames .39. */
  @Test
  void popularRecordsReplaceWhatHasNoUseAnyMore() {
    SplittableRandom random = new SplittableRandom(7);
    LongSupplier evenly = zipfian(0, random);
    LongSupplier records = zipfian(.99, random);
    try (Reader reader = new Reader()) {
      for (int i = 0; i < OPERATIONS; i++) {
        reader.get(evenly.getAsLong());
      }
      for (int i = 0; i < 5 * FRAMES; i++) {
        reader.get(records.getAsLong());
      }
      long before = reader.requests();
      for (int i = 0; i < 5 * FRAMES; i++) {
        reader.get(records.getAsLong());
      }
      assertThat((reader.requests() - before) / (5.0 * FRAMES)).isLessThan(.38);
    }
  }
}
