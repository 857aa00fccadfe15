package org.loam.it;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Runs seeds on two threads, as many as the builds have processors. */
public final class Seeds {
  private static final int THREADS = 2;

  private Seeds() {}

  /**
   * Runs seeds; the first failure ends it.
   *
   * @param newTrial makes what runs seeds, one for each thread
   */
  public static void run(long first, long count, Supplier<? extends LongConsumer> newTrial)
      throws InterruptedException {
    AtomicLong next = new AtomicLong(first);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        LongConsumer trial = newTrial.get();
        running.add(threads.submit(() -> work(next, first + count, trial)));
      }
      for (Future<?> future : running) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    } finally {
      next.set(Long.MAX_VALUE);
      threads.shutdownNow();
    }
  }

  private static void work(AtomicLong next, long end, LongConsumer trial) {
    while (true) {
      long seed = next.getAndIncrement();
      if (seed >= end || seed < 0) {
        return;
      }
      trial.accept(seed);
    }
  }
}
