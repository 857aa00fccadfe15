package org.loam.workbench.bench.latency;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.loam.workbench.bench.latency.Latencies.Kind;
import org.loam.workbench.peer.Store;
import org.loam.workbench.workload.Workload;

/**
 * The running phase: operations arrive when they are due, whatever became of those before them.
 * Clients take them in order; one that finds none due sleeps, and the system wakes it some 50 µs
 * late, which counts into the latency from the intended arrival.
 *
 * <p>When the phase is over, clients do what is left, for as long again at most. What is still left
 * then counts with the time that it had waited, as reads and writes in the workload's proportion.
 */
final class OpenLoop {
  private static final long LEAST_GRACE_NANOS = Duration.ofSeconds(10).toNanos();

  /** Until the first arrival, so that all clients are there. */
  private static final long START_NANOS = Duration.ofMillis(100).toNanos();

  private final LatencySpec spec;
  private final Store store;
  private final BiFunction<Workload, Integer, TreesClient> clients;
  private final Arrivals arrivals;
  private final double perSecond;
  private final long total;
  private final long phaseNanos;
  private final long graceNanos;
  private final AtomicLong nextArrival = new AtomicLong();
  private final Latencies latencies;

  /**
   * @param clients makes that of a workload with a number
   * @param perSecond mean rate of arrivals
   */
  OpenLoop(
      LatencySpec spec,
      Store store,
      BiFunction<Workload, Integer, TreesClient> clients,
      double perSecond) {
    this(spec, store, clients, perSecond, LEAST_GRACE_NANOS);
  }

  /**
   * @param leastGraceNanos that clients have at least for what is left after the phase
   */
  OpenLoop(
      LatencySpec spec,
      Store store,
      BiFunction<Workload, Integer, TreesClient> clients,
      double perSecond,
      long leastGraceNanos) {
    this.spec = spec;
    this.store = store;
    this.clients = clients;
    this.perSecond = perSecond;
    this.arrivals = new Arrivals(spec.traffic().arrivals(), perSecond, spec.periodSeconds());
    this.total = arrivals.countBefore(spec.phaseMillis() / 1e3);
    this.phaseNanos = Duration.ofMillis(spec.phaseMillis()).toNanos();
    this.graceNanos = Math.max(leastGraceNanos, phaseNanos);
    this.latencies = new Latencies(spec.traffic().threads());
  }

  RunningResult run() throws InterruptedException {
    Sampler sampler = new Sampler(store, Path.of(spec.subject().directory()), latencies);
    long from = sampler.first().nanoTime() + START_NANOS;
    Workers workers =
        new Workers(spec.traffic().threads(), number -> all -> client(number, from, all));
    long stepNanos = Duration.ofMillis(spec.intervalMillis()).toNanos();
    long leastNanos = stepNanos / 2;
    long offered = 0;
    for (long next = from + stepNanos; !workers.haveEnded(); next += stepNanos) {
      workers.sleepUntil(next);
      if (workers.haveEnded()) {
        break;
      }
      if (!sampler.isDue(leastNanos)) {
        continue;
      }
      double seconds = Math.min(phaseNanos, System.nanoTime() - from) / 1e9;
      long due = arrivals.countBefore(seconds);
      long began = Math.max(0, sampler.last().nanoTime() - from);
      sampler.sample(spec.traffic().workloadAt(began), due - offered);
      offered = due;
    }
    workers.join();
    sampler.end(
        spec.traffic().workloadAt(phaseNanos - 1), Math.max(0, total - offered), leastNanos);
    long end = System.nanoTime() - from;
    long done = sampler.done();
    addUnfinished(done, end);
    return new RunningResult(
        perSecond,
        new RunningResult.Counts(total, done, total - done, end / 1e9),
        KindPercentiles.of(latencies::total),
        sampler.moves(),
        sampler.last().growthSince(sampler.first()),
        sampler.series());
  }

  /** What no client took up is neither a read nor a write yet: it counts as the workload's mix. */
  private void addUnfinished(long done, long end) {
    int writePercents = 0;
    for (long index = done; index < total; index++) {
      long due = arrivals.nanos(index);
      writePercents += spec.traffic().workloadAt(due).writePercent();
      boolean isWrite = writePercents >= 100;
      writePercents -= isWrite ? 100 : 0;
      latencies.addUnfinished(isWrite ? Kind.WRITE : Kind.READ, end - due);
    }
  }

  private void client(int number, long from, Workers all) {
    Latencies.Recorder recorder = latencies.recorder(number);
    long giveUp = from + phaseNanos + graceNanos;
    try (ShiftingClient client =
        new ShiftingClient(spec.traffic(), workload -> clients.apply(workload, number))) {
      for (long index = nextArrival.getAndIncrement();
          index < total && !all.hasFailed();
          index = nextArrival.getAndIncrement()) {
        long due = from + arrivals.nanos(index);
        long start = System.nanoTime();
        while (start - due < 0) {
          LockSupport.parkNanos(due - start);
          start = System.nanoTime();
        }
        if (start - giveUp > 0) {
          return;
        }
        boolean wrote = client.step(due - from);
        long end = System.nanoTime();
        recorder.record(wrote, end - due, end - start);
      }
    }
  }
}
