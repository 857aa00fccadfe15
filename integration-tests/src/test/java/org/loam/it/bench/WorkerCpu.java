package org.loam.it.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds the processor time of the measuring threads per operation, {@code cpu}: unlike the time per
 * operation it does not count waiting, nor what other processes take. Loaded by JMH by its name.
 */
public final class WorkerCpu implements InternalProfiler {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final String WORKER = "-jmh-worker-";

  private long before;

  /** Called by JMH. */
  public WorkerCpu() {}

  @Override
  public String getDescription() {
    return "processor time of the measuring threads per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = workerNanos();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = workerNanos() - before;
    return List.of(
        new ScalarResult(
            "cpu", nanos / result.getMetadata().getAllOps(), "ns/op", AggregationPolicy.AVG));
  }

  /** The workers live as long as the process, so the sum only grows. */
  private static long workerNanos() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains(WORKER)) {
        sum += THREADS.getThreadCpuTime(thread.getThreadId());
      }
    }
    return sum;
  }
}
