package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;

/**
 * Real threads on tiny caches; pages say which page they are, so a wrong one shows at once. {@code
 * -Dloam.stress.steps=N} makes threads go so many steps, as a soak does.
 */
class FrameCacheStressTest {
  private static final int THREADS = 4;
  private static final int STEPS =
      Integer.getInteger("loam.stress.steps", Mem.CHECKED ? 2_000 : 12_000);

  /** Runs a body on some threads; fails with the first failure of any. */
  private static void onThreads(int threads, IntConsumer body) {
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int index = i;
      Thread thread = new Thread(() -> body.accept(index), "stress-" + i);
      thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
      thread.start();
      started.add(thread);
    }
    for (Thread thread : started) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.size() + " threads failed", failures.peek());
    }
  }

  @Test
  void readersOfATinyCacheAlwaysSeeTheirPage() {
    for (int frames : new int[] {2 * THREADS, 13, 40}) {
      stress(frames, 0);
    }
  }

  @Test
  void filesComeAndGoUnderReaders() {
    for (int frames : new int[] {2 * THREADS, 24}) {
      stress(frames, 200);
    }
  }

  /** Memory goes back and forth between the cache and another share while readers go on. */
  @Test
  void resizesUnderReaders() {
    PagesFile file = new PagesFile(1, PAGE_BYTES, 64);
    int least = 2 * THREADS;
    try (CacheFixture f = new CacheFixture(64)) {
      PagePool.Quota writes = f.pool.quota("writes", 0);
      AtomicInteger readers = new AtomicInteger(THREADS - 1);
      onThreads(
          THREADS,
          thread -> {
            Random random = new Random(thread);
            if (thread == 0) {
              while (readers.get() > 0) {
                moveMemory(f, writes, random, least);
              }
              return;
            }
            try {
              for (int step = 0; step < STEPS; step++) {
                int one = random.nextInt(64);
                int two = random.nextInt(8);
                long first = f.pin(file, one, ReadIntent.query(random.nextBoolean()));
                long second = f.pin(file, two, ReadIntent.QUERY);
                PagesFile.check(first, PAGE_BYTES, 1, one);
                f.cache.unpin(second);
                f.cache.unpin(first);
              }
            } finally {
              readers.decrementAndGet();
            }
          });
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
    }
  }

  private static void moveMemory(
      CacheFixture f, PagePool.Quota writes, Random random, int leastFrames) {
    f.pool.transfer(f.quota, writes, 1 + random.nextInt(64 - leastFrames));
    while (f.cache.resize() > 0) {
      f.waiter.spin();
    }
    List<Long> pages = new ArrayList<>();
    for (long page = writes.allocate(); page != 0; page = writes.allocate()) {
      Mem.fill(page, PAGE_BYTES, (byte) 0x5a);
      pages.add(page);
    }
    assertThat(pages).hasSize(writes.targetPages());
    pages.forEach(writes::free);
    f.pool.transfer(writes, f.quota, writes.targetPages());
  }

  /** Each thread holds up to two pages; now and then one replaces a file and purges the old one. */
  private static void stress(int frames, int stepsPerPurge) {
    int pages = 12;
    long seed = 7L * frames + stepsPerPurge;
    AtomicInteger nextFileId = new AtomicInteger(1);
    AtomicReferenceArray<PagesFile> files = new AtomicReferenceArray<>(3);
    for (int i = 0; i < 3; i++) {
      files.set(i, new PagesFile(nextFileId.getAndIncrement(), PAGE_BYTES, pages));
    }
    try (CacheFixture f = new CacheFixture(frames, CacheFixture.READ_AHEAD_POOL_PAGES)) {
      onThreads(
          THREADS,
          thread -> {
            Random random = new Random(seed + thread);
            for (int step = 0; step < STEPS; step++) {
              PagesFile one = files.get(random.nextInt(3));
              PagesFile two = files.get(random.nextInt(3));
              int pageOne = random.nextInt(pages);
              int pageTwo = random.nextInt(pages);
              long first =
                  random.nextBoolean()
                      ? f.pin(one, pageOne, ReadIntent.query(random.nextInt(4) > 0))
                      : f.pinStretch(
                          one,
                          pageOne,
                          random.nextInt(pages),
                          ReadIntent.query(random.nextInt(4) > 0));
              if (random.nextInt(64) == 0) {
                f.cache.readAhead(two, pageTwo, random.nextInt(pages), ReadIntent.QUERY);
              }
              long second = f.pin(two, pageTwo, ReadIntent.query(random.nextInt(4) > 0));
              PagesFile.check(first, PAGE_BYTES, one.fileId(), pageOne);
              f.cache.unpin(first);
              PagesFile.check(second, PAGE_BYTES, two.fileId(), pageTwo);
              f.cache.unpin(second);
              if (stepsPerPurge > 0 && random.nextInt(stepsPerPurge) == 0) {
                int which = random.nextInt(3);
                PagesFile old = files.get(which);
                int fileId = nextFileId.getAndIncrement();
                if (files.compareAndSet(which, old, new PagesFile(fileId, PAGE_BYTES, pages))) {
                  f.cache.purge(old.fileId(), pages);
                }
              }
            }
          });
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
      assertThat(f.counters.hits(AccessClass.QUERY) + f.counters.misses(AccessClass.QUERY))
          .as("pages read ahead count too")
          .isGreaterThan(2L * THREADS * STEPS);
    }
  }

  @Test
  void aPageMissedByManyIsReadOnce() {
    PagesFile file = new PagesFile(1, PAGE_BYTES, 1);
    try (CacheFixture f = new CacheFixture(8)) {
      AtomicInteger readers = new AtomicInteger();
      file.onRead = page -> spinUntilWaiting(f, readers, 7);
      onThreads(8, thread -> f.touch(file, 0));
      assertThat(file.reads(0)).isEqualTo(1);
      assertThat(f.counters.misses(AccessClass.QUERY)).isEqualTo(1);
      assertThat(f.counters.hits(AccessClass.QUERY)).isEqualTo(7);
    }
  }

  @Test
  void aReaderThatWaitedForAFailedReadTriesItself() {
    PagesFile file = new PagesFile(1, PAGE_BYTES, 1);
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger readers = new AtomicInteger();
    try (CacheFixture f = new CacheFixture(8)) {
      file.onRead =
          page -> {
            spinUntilWaiting(f, readers, 7);
            if (file.reads(0) <= 3) {
              throw new StorageIoException("planned failure " + file.reads(0));
            }
          };
      onThreads(
          8,
          thread -> {
            try {
              f.touch(file, 0);
            } catch (StorageIoException e) {
              failed.incrementAndGet();
            }
          });
      assertThat(failed).hasValue(3);
      assertThat(file.reads(0)).isEqualTo(4);
      assertThat(f.cache.statistics().pinnedFrames()).isZero();
    }
  }

  /** Until so many waits have begun; a second reader instead would be the fault looked for. */
  @SuppressWarnings("ThreadPriorityCheck") // lets the threads that shall wait run
  private static void spinUntilWaiting(CacheFixture f, AtomicInteger readers, int waits) {
    if (readers.incrementAndGet() > 1) {
      throw new AssertionError("the page is being read twice at a time");
    }
    while (f.waiter.awaits.get() < waits && readers.get() == 1) {
      Thread.yield();
    }
    readers.decrementAndGet();
  }
}
