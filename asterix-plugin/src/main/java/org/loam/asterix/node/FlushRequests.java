package org.loam.asterix.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner.Task;

/**
 * The thread that asks for the flushes that the engine would like. A request that fails is made
 * again after a rest; one that fails again and again, or with an {@link Error}, is given up, and
 * with it the engine: writers would wait for ever for a flush that does not come. Thread-safe.
 */
final class FlushRequests implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(FlushRequests.class);

  /**
   * Failures in a row of one tree's requests until the engine is given up. With the rests between
   * them, 10 ms at first and twice as long each time, that takes 5 s: 10 + 20 + ... + 2560 ms.
   */
  static final int MAX_FAILURES = 10;

  private static final long FIRST_REST_NANOS = 10_000_000;

  /** Asks for one flush. */
  interface Request {
    /**
     * Asks.
     *
     * @param tree the name; there need be no such tree any more
     */
    void make(String tree) throws Exception;
  }

  private final StorageEnv env;
  private final Request request;
  private final Consumer<Throwable> givenUp;
  private final Monitor monitor;
  private final Task task;

  @GuardedBy("monitor")
  private final Set<String> wanted = new TreeSet<>();

  @GuardedBy("monitor")
  private boolean closing;

  /** Failures in a row, of trees whose last request failed; used by the thread alone. */
  private final Map<String, Integer> failures = new HashMap<>();

  /**
   * Starts the thread.
   *
   * @param givenUp told why no more flush is asked for, once
   */
  FlushRequests(StorageEnv env, Request request, Consumer<Throwable> givenUp) {
    this.env = env;
    this.request = request;
    this.givenUp = givenUp;
    this.monitor = env.waiter().newMonitor("flushes wanted");
    this.task = env.tasks().start("loam flush requests", this::run);
  }

  /** A tree should be flushed soon. */
  void want(String tree) {
    monitor.lock();
    try {
      if (wanted.add(tree)) {
        monitor.signalAll();
      }
    } finally {
      monitor.unlock();
    }
  }

  private void run() {
    try {
      for (Set<String> trees = next(); !trees.isEmpty(); trees = next()) {
        for (String tree : trees) {
          make(tree);
        }
      }
    } catch (Throwable t) {
      givenUp.accept(t);
      LOGGER.error("flushes are asked for no more", t);
    }
  }

  private void make(String tree) {
    try {
      request.make(tree);
      failures.remove(tree);
    } catch (Exception e) {
      if (failures.merge(tree, 1, Integer::sum) == MAX_FAILURES) {
        throw new IllegalStateException("cannot have " + tree + " flushed", e);
      }
      LOGGER.warn("cannot have {} flushed yet", tree, e);
      want(tree);
    }
  }

  /** Waits for the next trees; none if this is closed. After a failure it rests first. */
  private Set<String> next() {
    long restEndNanos = env.clock().nanoTime() + restNanos();
    monitor.lock();
    try {
      while (!closing) {
        long leftNanos = restEndNanos - env.clock().nanoTime();
        if (leftNanos > 0) {
          monitor.await(leftNanos);
        } else if (wanted.isEmpty()) {
          monitor.await();
        } else {
          Set<String> trees = new TreeSet<>(wanted);
          wanted.clear();
          return trees;
        }
      }
      return Set.of();
    } finally {
      monitor.unlock();
    }
  }

  private long restNanos() {
    return failures.isEmpty() ? 0 : FIRST_REST_NANOS << (Collections.max(failures.values()) - 1);
  }

  /** Asks for no more flushes; returns when the thread has ended. */
  @Override
  public void close() {
    monitor.lock();
    try {
      closing = true;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
    task.join();
  }
}
