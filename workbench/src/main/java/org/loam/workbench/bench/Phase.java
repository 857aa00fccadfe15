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
import org.loam.workbench.peer.Measured;

/**
 * One kind of work with one number of clients, measured. Clients run without pause; an operation's
 * latency is the time from the end of the one before, so it includes choosing the key and checking
 * the answer, about a fifth of a microsecond.
 */
public final class Phase {
  private static final long MAX_LATENCY_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Seconds that {@link Window#perSecond} tells apart; the last one has all that follow. */
  private static final int MAX_SECONDS = 3600;

  private final Measured engine;
  private final boolean writing;
  private final Client.Factory clients;
  private final int threads;
  private final long seed;
  private final long quietMillis;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * @param writing whether the clients write, so that the engine has work to do afterwards
   * @param seed of the clients' randomness
   * @param quietMillis of {@link Timing}
   */
  public Phase(
      Measured engine,
      boolean writing,
      Client.Factory clients,
      int threads,
      long seed,
      long quietMillis) {
    this.engine = engine;
    this.writing = writing;
    this.clients = clients;
    this.threads = threads;
    this.seed = seed;
    this.quietMillis = quietMillis;
  }

  /**
   * What a phase found.
   *
   * @param window what was measured
   * @param charge what the phase used up
   * @param longestWait what the engine says of it, in the measured window and since
   * @param rested whether the engine came to rest afterwards; true if nothing was written
   */
  public record Outcome(
      Window window, Charge charge, Optional<String> longestWait, boolean rested) {}

  /**
   * The measured window.
   *
   * @param operations in it
   * @param seconds that it took
   * @param latencies of its operations, in nanoseconds
   * @param byKind the same for each kind of operation
   * @param perSecond operations that began in each of its seconds
   */
  public record Window(
      long operations,
      double seconds,
      Histogram latencies,
      List<Histogram> byKind,
      List<Long> perSecond) {
    public double opsPerSecond() {
      return operations / seconds;
    }
  }

  /**
   * Processor time and bytes, and what they were used for.
   *
   * @param operations that used them
   * @param writes those of them that put a record
   * @param usage processor time and bytes
   */
  public record Charge(long operations, long writes, ProcessUsage usage) {}

  /** Runs for a time, after a warm-up. */
  public Outcome runFor(long warmupMillis, long measureMillis) throws InterruptedException {
    long from = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(warmupMillis);
    long until = from + TimeUnit.MILLISECONDS.toNanos(measureMillis);
    List<Worker> workers = workers(from, until, Long.MAX_VALUE);
    ProcessUsage atStart = ProcessUsage.now(engine);
    workers.forEach(Worker::start);
    sleepUntil(from);
    ProcessUsage atFrom = ProcessUsage.now(engine);
    sleepUntil(until);
    ProcessUsage atEnd = ProcessUsage.now(engine);
    join(workers);
    Window window = window(workers, measureMillis / 1e3);
    long operations = window.operations();
    if (!writing) {
      Charge charge = new Charge(operations, 0, atEnd.since(atFrom));
      return new Outcome(window, charge, Optional.empty(), true);
    }
    boolean rested = Rest.await(engine, quietMillis);
    Charge charge =
        new Charge(
            workers.stream().mapToLong(w -> w.operations).sum(),
            workers.stream().mapToLong(w -> w.client.writes()).sum(),
            ProcessUsage.now(engine).since(atStart));
    return new Outcome(window, charge, engine.longestWaitSince(from), rested);
  }

  /** Runs a number of operations in all, then flushes, so that all of it is charged. */
  public Outcome runCount(long operations) throws InterruptedException {
    ProcessUsage atStart = ProcessUsage.now(engine);
    long from = System.nanoTime();
    List<Worker> workers = workers(from, Long.MAX_VALUE, operations);
    workers.forEach(Worker::start);
    join(workers);
    double seconds = (System.nanoTime() - from) / 1e9;
    engine.flush();
    boolean rested = Rest.await(engine, quietMillis);
    Charge charge = new Charge(operations, operations, ProcessUsage.now(engine).since(atStart));
    Window window = window(workers, seconds);
    return new Outcome(window, charge, engine.longestWaitSince(from), rested);
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

  private static Window window(List<Worker> workers, double seconds) {
    Histogram sum = newHistogram();
    List<Histogram> byKind = new ArrayList<>();
    for (Worker worker : workers) {
      for (int kind = 0; kind < worker.latencies.size(); kind++) {
        if (kind == byKind.size()) {
          byKind.add(newHistogram());
        }
        byKind.get(kind).add(worker.latencies.get(kind));
        sum.add(worker.latencies.get(kind));
      }
    }
    return new Window(sum.getTotalCount(), seconds, sum, byKind, perSecond(workers));
  }

  private static List<Long> perSecond(List<Worker> workers) {
    int seconds = workers.stream().mapToInt(w -> w.seconds).max().orElse(0);
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      int second = i;
      sums.add(workers.stream().mapToLong(w -> w.perSecond[second]).sum());
    }
    return sums;
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
    private final Client client;
    private final List<Histogram> latencies = new ArrayList<>();
    private final long[] perSecond = new long[MAX_SECONDS];
    private int seconds;
    private long operations;

    Worker(int number, Span span, CountDownLatch ready, SplittableRandom random) {
      super("client " + number);
      this.span = span;
      this.ready = ready;
      this.client = clients.create(number, random);
      for (int kind = 0; kind < client.kinds(); kind++) {
        latencies.add(newHistogram());
      }
    }

    @Override
    public void run() {
      try (client) {
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
          latencies.get(client.kind()).recordValue(Math.min(end - start, MAX_LATENCY_NANOS));
          int second = (int) Math.min(MAX_SECONDS - 1, (start - span.fromNanoTime) / SECOND_NANOS);
          perSecond[second]++;
          seconds = second + 1;
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
