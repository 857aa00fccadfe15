package org.loam.cache.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.PagesFile;
import org.loam.common.env.real.RealEnv;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.PagePool;

/**
 * Nanoseconds for a pin that hits and its unpin, pages at random. A main, not a test.
 *
 * <p>Rounds are short, and only those count in which the threads ran side by side: on a busy
 * machine they often do not.
 *
 * <pre>
 * java -cp ... org.loam.cache.frame.PinBenchmark [frames]
 * </pre>
 */
public final class PinBenchmark {
  private static final int PAGE_BYTES = 4096;
  private static final int PINS = 20_000;
  private static final int ROUNDS = 2_000;

  private PinBenchmark() {}

  /** Prints a line for each number of threads and pages. */
  public static void main(String[] arguments) throws InterruptedException {
    int frames = arguments.length == 0 ? 65_536 : Integer.parseInt(arguments[0]);
    try (PagePool pool = new PagePool(frames, PAGE_BYTES);
        FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(frames, PAGE_BYTES))) {
      CacheMemory memory = new CacheMemory(pool, pool.quota("cache", frames), fixed);
      try (FrameCache cache =
          new FrameCache(memory, RealEnv.create().waiter(), new CacheCounters())) {
        PagesFile file = new PagesFile(1, PAGE_BYTES, frames);
        for (int pageNo = 0; pageNo < frames; pageNo++) {
          cache.unpin(cache.pin(file, pageNo, AccessClass.QUERY, true));
        }
        for (int pages : new int[] {1, 16, 1024, frames}) {
          for (int threads = 1; threads <= 2; threads++) {
            System.out.printf(
                Locale.ROOT,
                "%d threads, %6d of %d pages: %5.1f ns a pin and unpin%n",
                threads,
                pages,
                frames,
                measure(cache, file, pages, threads));
          }
        }
      }
    }
  }

  /**
   * The median of what the threads took, over the rounds in which they overlapped by 9 parts in 10
   * and were not interrupted for long: the fastest half of these.
   */
  private static double measure(FrameCache cache, PagesFile file, int pages, int threads)
      throws InterruptedException {
    long[][] starts = new long[threads][ROUNDS];
    long[][] ends = new long[threads][ROUNDS];
    AtomicInteger arrivals = new AtomicInteger();
    Thread[] started = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int index = i;
      int[] order = new SplittableRandom(i).ints(PINS, 0, pages).toArray();
      started[i] =
          new Thread(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  meet(arrivals, threads * (round + 1));
                  starts[index][round] = System.nanoTime();
                  run(cache, file, order);
                  ends[index][round] = System.nanoTime();
                }
              });
      started[i].start();
    }
    for (Thread thread : started) {
      thread.join();
    }
    List<Long> nanos = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      int r = round;
      long together = min(threads, i -> ends[i][r]) - -min(threads, i -> -starts[i][r]);
      long longest = -min(threads, i -> starts[i][r] - ends[i][r]);
      if (together * 10 > longest * 9) {
        nanos.add(longest);
      }
    }
    nanos.sort(null);
    return nanos.isEmpty() ? Double.NaN : (double) nanos.get(nanos.size() / 4) / PINS;
  }

  private static long min(int threads, IntToLongFunction value) {
    return IntStream.range(0, threads).mapToLong(value).min().orElseThrow();
  }

  private static void meet(AtomicInteger arrivals, int all) {
    arrivals.incrementAndGet();
    while (arrivals.get() < all) {
      Thread.onSpinWait();
    }
  }

  private static void run(FrameCache cache, PagesFile file, int[] order) {
    for (int pageNo : order) {
      cache.unpin(cache.pin(file, pageNo, AccessClass.QUERY, true));
    }
  }
}
