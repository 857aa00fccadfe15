package org.loam.scheduler.work;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;

/**
 * The threads that flush and merge. Thread-safe.
 *
 * <p>A flush worker carries one flush through. The merge workers share the open merges: each turn
 * one of them either looks for another merge to open or advances one by a quantum, so there are no
 * threads to pause. All wait on one monitor and are woken by {@link #signal}; no call into the
 * engine is made while it is held, so the engine may signal under any of its own locks.
 *
 * <p>Faults: after an I/O fault or a full disk the operation is aborted and its kind rests, longer
 * each time. After an I/O fault in the flush of one tree only the flushes of that tree rest; merges
 * go on one at a time, those of trees that failed after all others. After corruption the components
 * concerned rest, the others go on. Anything else means a broken invariant: the workers stop and
 * the engine is told to fence itself.
 */
public final class BackgroundWorkers implements AutoCloseable {
  /**
   * The numbers of the workers.
   *
   * @param flushWorkers threads for flushes, at least 1
   * @param mergeWorkers threads for merges, at least 1
   * @param openMerges merges that may be open at a time, at least {@code mergeWorkers}; up to
   *     {@link #MORE_URGENT} more may be that are urgent, each beside one that is not
   * @param quantumBytes bytes read and written per turn, less if the rate limiter asks for it
   * @param minRetryNanos rest after a first fault
   * @param maxRetryNanos rest after many
   * @param quietNanos time without a write after which merges run that are not due but make reads
   *     cheaper, {@link #NEVER} for none
   */
  public record Settings(
      int flushWorkers,
      int mergeWorkers,
      int openMerges,
      long quantumBytes,
      long minRetryNanos,
      long maxRetryNanos,
      long quietNanos) {
    /** Urgent merges that may be open although others fill every slot. */
    public static final int MORE_URGENT = 2;

    /** A time that does not come. */
    public static final long NEVER = Long.MAX_VALUE;

    /**
     * One flush worker, one merge worker, four open merges, 1 MB; rests of 100 ms to 30 s; quiet
     * after half a second.
     */
    public static final Settings DEFAULT =
        new Settings(1, 1, 4, 1 << 20, 100_000_000L, 30_000_000_000L, 500_000_000L);

    /** Checks the numbers. */
    public Settings {
      require(flushWorkers >= 1, "flushWorkers", flushWorkers, "at least 1");
      require(mergeWorkers >= 1, "mergeWorkers", mergeWorkers, "at least 1");
      require(openMerges >= mergeWorkers, "openMerges", openMerges, "at least mergeWorkers");
      require(quantumBytes >= 1, "quantumBytes", quantumBytes, "at least 1");
      require(minRetryNanos >= 1, "minRetryNanos", minRetryNanos, "at least 1");
      require(
          maxRetryNanos >= minRetryNanos, "maxRetryNanos", maxRetryNanos, "at least minRetryNanos");
      require(quietNanos >= 1, "quietNanos", quietNanos, "at least 1");
    }

    private static void require(boolean holds, String name, long value, String rule) {
      if (!holds) {
        throw new IllegalArgumentException(name + " is " + value + ", must be " + rule);
      }
    }
  }

  /**
   * The merges that are open.
   *
   * @param merges their number
   * @param remainingInputBytes what they have still to consume of their inputs
   */
  public record OpenWork(int merges, long remainingInputBytes) {}

  private final StorageEnv env;
  private final RateLimiter limiter;
  private final Settings settings;
  private final WorkSignal signal;
  private final WorkReports reports;
  private final Quanta quanta;
  private final FlushWork flushWork;
  private final MergeWork mergeWork;

  @GuardedBy("signal.monitor")
  private final List<TaskRunner.Task> tasks = new ArrayList<>();

  /** Workers at rest until started. */
  public BackgroundWorkers(
      StorageEnv env,
      WorkSource source,
      MergeScheduler scheduler,
      RateLimiter limiter,
      WorkListener listener,
      Settings settings) {
    this.env = env;
    this.limiter = limiter;
    this.settings = settings;
    this.signal = new WorkSignal(env);
    this.reports = new WorkReports(signal, listener);
    this.quanta = new Quanta(limiter, settings.quantumBytes(), env.clock());
    this.flushWork =
        new FlushWork(
            signal,
            source,
            quanta,
            reports,
            () -> new Backoff(settings.minRetryNanos(), settings.maxRetryNanos()));
    this.mergeWork = new MergeWork(signal, source, quanta, reports, scheduler, settings);
  }

  /**
   * Starts the threads. To be called once. If one cannot be started, {@link #close} ends the
   * others.
   */
  public void start() {
    for (int i = 0; i < settings.flushWorkers(); i++) {
      start("loam-flush-" + i, flushWork);
    }
    for (int i = 0; i < settings.mergeWorkers(); i++) {
      start("loam-merge-" + i, mergeWork);
    }
  }

  private void start(String name, Runnable work) {
    TaskRunner.Task task = env.tasks().start(name, reports.guard(work));
    signal.monitor.lock();
    try {
      tasks.add(task);
    } finally {
      signal.monitor.unlock();
    }
  }

  /** There may be something new to do: a flush, a changed shape, policy or constraint. */
  public void signal() {
    signal.monitor.lock();
    try {
      signal.changed();
    } finally {
      signal.monitor.unlock();
    }
  }

  /** The merges that are open now, for statistics. */
  public OpenWork openWork() {
    return mergeWork.openWork();
  }

  /** Processor time that flushes and merges have taken; 0 if it is not known. */
  public long processorNanos() {
    return quanta.processorNanos();
  }

  /** How far flushes are. */
  public FlushProgress flushProgress() {
    return flushWork.progress();
  }

  /**
   * Says whether a flush is late. While it is, merges pause that relieve no tree which nearly stops
   * its writers: a flush has more of the disk then.
   */
  public void setFlushLate(boolean late) {
    mergeWork.setFlushLate(late);
  }

  /** Ends all rests after faults: there may be room on the disk again, or a file was repaired. */
  public void retryNow() {
    flushWork.endRest();
    mergeWork.endRest();
  }

  /** Changes how turns are divided, from the next quantum on. */
  public void setMergeScheduler(MergeScheduler scheduler) {
    mergeWork.setScheduler(scheduler);
  }

  /**
   * Waits until nothing runs and nothing could be started now; work that rests after a fault is not
   * waited for. Also returns when the workers stop.
   */
  public void awaitIdle() {
    signal.monitor.lock();
    try {
      while (!signal.stopping() && !isIdle(signal.nowNanos())) {
        signal.await();
      }
    } finally {
      signal.monitor.unlock();
    }
  }

  private boolean isIdle(long nowNanos) {
    return flushWork.isIdle(nowNanos) && mergeWork.isIdle(nowNanos);
  }

  /**
   * Stops at the next quantum boundary, joins the threads, then aborts what was running. Lifts the
   * rate limit, so that no operation waits for it. Must not be called by a worker, a listener's
   * callback included; calling it again changes nothing.
   */
  @Override
  public void close() {
    signal.stop();
    limiter.setBytesPerSecond(0);
    for (TaskRunner.Task task : tasks()) {
      task.join();
    }
    List<BackgroundOperation> left = new ArrayList<>(flushWork.takeLeft());
    left.addAll(mergeWork.takeLeft());
    for (BackgroundOperation operation : left) {
      try {
        operation.abort();
      } catch (Throwable t) {
        reports.broken(t);
      }
    }
  }

  private List<TaskRunner.Task> tasks() {
    signal.monitor.lock();
    try {
      return List.copyOf(tasks);
    } finally {
      signal.monitor.unlock();
    }
  }
}
