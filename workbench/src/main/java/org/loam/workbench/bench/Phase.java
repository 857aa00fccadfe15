package org.loam.workbench.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.peer.Store;
import org.loam.workbench.workload.Workload;

/**
 * One workload with one number of clients, measured. Clients run without pause; an operation's
 * latency is the time from the end of the one before, so it includes choosing the key and checking
 * the answer, about a fifth of a microsecond.
 */
final class Phase {
  private static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final Store store;
  private final Workload workload;
  private final Population population;
  private final InsertLog inserts;
  private final int threads;
  private final long seed;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Phase(
      Store store,
      Workload workload,
      Population population,
      InsertLog inserts,
      int threads,
      long seed) {
    this.store = store;
    this.workload = workload;
    this.population = population;
    this.inserts = inserts;
    this.threads = threads;
    this.seed = seed;
  }

  /**
   * What a phase found.
   *
   * @param operations in the measured window
   * @param seconds of the measured window
   * @param chargedOperations those that {@code charged} was used for
   * @param chargedWrites those of them that put a record
   * @param charged processor time and bytes
   * @param latencies of the operations in the measured window, in nanoseconds
   * @param longestWait what the engine says of it, in the measured window and since
   * @param rested whether the engine came to rest afterwards; true if nothing was written
   */
  record Outcome(
      long operations,
      double seconds,
      long chargedOperations,
      long chargedWrites,
      ProcessUsage charged,
      Histogram latencies,
      Optional<String> longestWait,
      boolean rested) {}

  /** Runs for a time, after a warm-up. */
  Outcome runFor(long warmupMillis, long measureMillis) throws InterruptedException {
    long from = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(warmupMillis);
    long until = from + TimeUnit.MILLISECONDS.toNanos(measureMillis);
    List<Worker> workers = workers(from, until, Long.MAX_VALUE);
    ProcessUsage atStart = ProcessUsage.now(store);
    workers.forEach(Worker::start);
    sleepUntil(from);
    ProcessUsage atFrom = ProcessUsage.now(store);
    sleepUntil(until);
    ProcessUsage atEnd = ProcessUsage.now(store);
    join(workers);
    Histogram latencies = latencies(workers);
    long operations = latencies.getTotalCount();
    double seconds = measureMillis / 1e3;
    if (!workload.writes()) {
      return new Outcome(
          operations,
          seconds,
          operations,
          0,
          atEnd.since(atFrom),
          latencies,
          Optional.empty(),
          true);
    }
    boolean rested = Rest.await(store);
    return new Outcome(
        operations,
        seconds,
        workers.stream().mapToLong(w -> w.operations).sum(),
        workers.stream().mapToLong(w -> w.client.writes()).sum(),
        ProcessUsage.now(store).since(atStart),
        latencies,
        store.longestWaitSince(from),
        rested);
  }

  /** Runs a number of operations in all, then flushes, so that all of it is charged. */
  Outcome runCount(long operations) throws InterruptedException {
    ProcessUsage atStart = ProcessUsage.now(store);
    long from = System.nanoTime();
    List<Worker> workers = workers(from, Long.MAX_VALUE, operations);
    workers.forEach(Worker::start);
    join(workers);
    double seconds = (System.nanoTime() - from) / 1e9;
    store.flush();
    boolean rested = Rest.await(store);
    return new Outcome(
        operations,
        seconds,
        operations,
        operations,
        ProcessUsage.now(store).since(atStart),
        latencies(workers),
        store.longestWaitSince(from),
        rested);
  }

  private List<Worker> workers(long from, long until, long operations) {
    List<Worker> workers = new ArrayList<>();
    CountDownLatch ready = new CountDownLatch(threads);
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int t = 0; t < threads; t++) {
      long share = operations / threads + (t < operations % threads ? 1 : 0);
      workers.add(new Worker(t, new Span(from, until, share), ready, seeds.split()));
    }
    return workers;
  }

  private void join(List<Worker> workers) throws InterruptedException {
    for (Worker worker : workers) {
      worker.join();
    }
    Throwable thrown = failure.get();
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
  }

  private static Histogram latencies(List<Worker> workers) {
    Histogram sum = newHistogram();
    workers.forEach(w -> sum.add(w.latencies));
    return sum;
  }

  private static Histogram newHistogram() {
    return new Histogram(MAX_LATENCY_NANOS, 3);
  }

  private void sleepUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime();
        left > 0 && failure.get() == null;
        left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, 100_000_000));
    }
  }

  /** When a client measures and when it ends. */
  private record Span(long fromNanoTime, long untilNanoTime, long maxOperations) {}

  private final class Worker extends Thread {
    private final Span span;
    private final CountDownLatch ready;
    private final Store.Session session;
    private final Client client;
    private final Histogram latencies = newHistogram();
    private long operations;

    Worker(int number, Span span, CountDownLatch ready, SplittableRandom random) {
      super("client " + number);
      this.span = span;
      this.ready = ready;
      this.session = store.session();
      this.client = new Client(workload, population, inserts, number, session, random);
    }

    @Override
    public void run() {
      try (session) {
        ready.countDown();
        ready.await();
        operate();
      } catch (InterruptedException | RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }

    private void operate() {
      long done = 0;
      long start = System.nanoTime();
      do {
        client.step();
        done++;
        long end = System.nanoTime();
        // One that was begun in time counts, however long it takes: stalls must not drop out.
        if (start - span.fromNanoTime >= 0) {
          latencies.recordValue(Math.min(end - start, MAX_LATENCY_NANOS));
        }
        start = end;
        if ((done & 1023) == 0 && failure.get() != null) {
          break;
        }
      } while (done < span.maxOperations && start - span.untilNanoTime < 0);
      operations = done;
    }
  }
}
