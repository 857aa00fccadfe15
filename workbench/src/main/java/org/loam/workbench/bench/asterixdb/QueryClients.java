package org.loam.workbench.bench.asterixdb;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.loam.workbench.asterixdb.cluster.StatementClient;
import org.loam.workbench.console.CommandException;

/**
 * Clients that ask one query after the other, all at once.
 *
 * @param count of clients
 * @param warmupMillis before measuring
 * @param measureMillis measured; a query that has begun is ended
 * @param seed of the choice of queries
 */
record QueryClients(int count, long warmupMillis, long measureMillis, long seed) {
  /**
   * What came of it.
   *
   * @param all queries, those before measuring included
   * @param opsPerSecond measured
   * @param latencyNanos of the measured queries, ascending
   */
  record Result(long all, double opsPerSecond, List<Long> latencyNanos) {
    /** A quantile of the latencies in milliseconds; 0.5 is the median. */
    double millis(double quantile) {
      int rank = (int) Math.ceil(quantile * latencyNanos.size()) - 1;
      return latencyNanos.get(Math.max(0, rank)) / 1e6;
    }
  }

  /** Asks, and checks each answer. */
  Result run(QueryKind kind, BenchSchema schema, BenchRecords records, StatementClient client)
      throws InterruptedException {
    long beginNanos = System.nanoTime() + warmupMillis * 1_000_000;
    SplittableRandom random = new SplittableRandom(seed);
    List<Callable<Tally>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SplittableRandom own = random.split();
      tasks.add(
          () -> {
            Tally tally = new Tally();
            do {
              String statement = kind.statement(schema, records, own);
              long startNanos = System.nanoTime();
              kind.check(statement, client.rows(statement), records);
              tally.add(startNanos, System.nanoTime(), beginNanos);
            } while (System.nanoTime() - beginNanos < measureMillis * 1_000_000
                || tally.latencyNanos.isEmpty());
            return tally;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      return result(threads.invokeAll(tasks));
    } finally {
      threads.shutdownNow();
    }
  }

  private static Result result(List<Future<Tally>> tallies) throws InterruptedException {
    long all = 0;
    double opsPerSecond = 0;
    List<Long> latencies = new ArrayList<>();
    for (Future<Tally> future : tallies) {
      Tally tally = of(future);
      all += tally.all;
      opsPerSecond += tally.latencyNanos.size() * 1e9 / (tally.endNanos - tally.startNanos);
      latencies.addAll(tally.latencyNanos);
    }
    latencies.sort(null);
    return new Result(all, opsPerSecond, latencies);
  }

  private static Tally of(Future<Tally> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw CommandException.failed("a client of queries failed: " + e.getCause());
    }
  }

  /** What one client has done. */
  private static final class Tally {
    final List<Long> latencyNanos = new ArrayList<>();
    long all;
    long startNanos;
    long endNanos;

    void add(long fromNanos, long toNanos, long beginNanos) {
      all++;
      if (fromNanos - beginNanos >= 0) {
        startNanos = latencyNanos.isEmpty() ? fromNanos : startNanos;
        endNanos = toNanos;
        latencyNanos.add(toNanos - fromNanos);
      }
    }
  }
}
