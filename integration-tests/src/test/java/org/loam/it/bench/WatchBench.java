package org.loam.it.bench;

import java.util.SplittableRandom;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.common.codec.Hash64;
import org.loam.engine.tuning.PageWatch;
import org.loam.engine.tuning.WriteWatch;
import org.loam.workbench.workload.Keys;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/** What a page that is read and a key that is written cost for the sake of a tuner that decides. */
public class WatchBench extends HotPath {
  private static final int PAGE_BYTES = 16 << 10;

  /** A pool of 512 MiB, of whose pages one in 64 is sampled. */
  private static final int POOL_PAGES = 1 << 15;

  private static final int SAMPLED_PART = 64;
  private static final int ORDER = 1 << 12;

  private final PageWatch pages = new PageWatch(POOL_PAGES, PAGE_BYTES, 128 << 20);
  private final WriteWatch writes = new WriteWatch((long) POOL_PAGES * PAGE_BYTES, pages);
  private final CacheCounters counters = new CacheCounters(pages);
  private final long[] sampledPages = new long[2];

  /** What a thread uses, chosen before: choosing must not cost. */
  @State(Scope.Thread)
  public static class User {
    private final long[] pages = new long[ORDER];
    private final long[] hashes = new long[ORDER];
    private final byte[][] keys = new byte[ORDER][];
    private int at;

    /** Chooses. */
    @Setup
    public void choose() {
      SplittableRandom random = new SplittableRandom(Thread.currentThread().getId());
      for (int i = 0; i < ORDER; i++) {
        pages[i] = random.nextInt(POOL_PAGES);
        hashes[i] = Hash64.of(pages[i]);
        keys[i] = Keys.newBuffer();
        Keys.write(random.nextLong(), keys[i]);
      }
    }

    private int next() {
      return at++ & (ORDER - 1);
    }
  }

  /** Finds two pages of the sample, and begins to watch. */
  @Setup
  public void begin() {
    int found = 0;
    for (long page = 0; found < sampledPages.length; page++) {
      if (Hash64.of(page) >>> Integer.SIZE < (1L << Integer.SIZE) / SAMPLED_PART) {
        sampledPages[found++] = page;
      }
    }
    pages.begin();
    writes.begin();
  }

  /** A use of any page. */
  @Benchmark
  public void page(User user) {
    int i = user.next();
    counters.used(user.pages[i], user.hashes[i]);
  }

  /** A use of a page that is in the sample and that all readers use, as the root of a tree is. */
  @Benchmark
  @Threads(2)
  public void sampledRoot() {
    use(sampledPages[0]);
  }

  /** A use of two such pages in turn. */
  @Benchmark
  @Threads(2)
  public void sampledPages(User user) {
    use(sampledPages[user.next() & 1]);
  }

  private void use(long page) {
    counters.used(page, Hash64.of(page));
  }

  /** A key that is written. */
  @Benchmark
  public void key(User user) {
    writes.written(user.keys[user.next()], 1);
  }

  /** What statistics count of a page that was in the cache, also with a tuner that is frozen. */
  @Benchmark
  public void countedHit() {
    counters.hit(AccessClass.QUERY);
  }
}
