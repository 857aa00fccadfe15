package org.loam.engine.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;

/**
 * Threads that read for operations beside their own threads: each read from disk waits for the
 * device, which answers several at once in little more time than one. Begun when first needed. A
 * thread that the process cannot have is done without, and tried again when it is needed again.
 * Thread-safe.
 */
public final class ReadHelpers implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(ReadHelpers.class);

  /** Four readers get three times as many pages from one device as one (docs/RESULTS.md). */
  public static final int THREADS = 3;

  /** Of {@link #begin}: a piece beyond these is refused, and its reader reads when it has to. */
  private static final int MAX_WAITING = 4;

  private final StorageEnv env;
  private final String name;
  private final int threadCount;
  private final Monitor monitor;

  @GuardedBy("monitor")
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

  @GuardedBy("monitor")
  private final List<TaskRunner.Task> threads;

  /** Whether the log says that a thread could not be started. */
  @GuardedBy("monitor")
  private boolean told;

  @GuardedBy("monitor")
  private boolean closing;

  /**
   * @param name of the threads, before their number
   */
  public ReadHelpers(StorageEnv env, String name, int threadCount) {
    this.env = env;
    this.name = name;
    this.threadCount = threadCount;
    this.threads = new ArrayList<>(threadCount);
    this.monitor = env.waiter().newMonitor("read helpers " + name);
  }

  /**
   * Runs a piece on one of the threads, soon, and does not wait for it.
   *
   * @param piece may fail: it is given up then, and the next one is run
   * @return false if it is never run: too many wait, there is no thread, or this is closed
   */
  public boolean begin(Runnable piece) {
    monitor.lock();
    try {
      if (closing || waiting.size() >= MAX_WAITING) {
        return false;
      }
      startThreads();
      if (threads.isEmpty()) {
        return false;
      }
      waiting.add(piece);
      monitor.signalAll();
      return true;
    } finally {
      monitor.unlock();
    }
  }

  @GuardedBy("monitor")
  private void startThreads() {
    try {
      while (threads.size() < threadCount) {
        threads.add(env.tasks().start(name + threads.size(), this::help));
      }
    } catch (OutOfMemoryError e) {
      if (!told) {
        told = true;
        LOGGER.warn("reads go on with fewer threads to help them: {}", e.getMessage());
      }
    }
  }

  /** Pieces of one operation, and what became of them. */
  private final class Joint {
    @GuardedBy("monitor")
    private int left;

    @GuardedBy("monitor")
    private @Nullable Throwable failure;

    Joint(int pieces) {
      this.left = pieces;
    }

    void run(Runnable piece) {
      Throwable thrown = null;
      try {
        piece.run();
      } catch (Throwable t) {
        thrown = t;
      }
      monitor.lock();
      try {
        left--;
        failure = failure == null ? thrown : failure;
        monitor.signalAll();
      } finally {
        monitor.unlock();
      }
    }

    /** What the first piece that failed threw; null if none did. */
    @Nullable Throwable awaitEnd() {
      monitor.lock();
      try {
        while (left > 0) {
          monitor.await();
        }
        return failure;
      } finally {
        monitor.unlock();
      }
    }
  }

  /**
   * Runs all pieces and returns when all have ended. This thread runs the first one, and those that
   * no other thread has taken by then.
   *
   * @throws RuntimeException the first that a piece threw, like an {@link Error}
   */
  void runAll(List<Runnable> pieces) {
    Joint joint = new Joint(pieces.size());
    List<Runnable> offered = new ArrayList<>();
    for (Runnable piece : pieces.subList(1, pieces.size())) {
      offered.add(() -> joint.run(piece));
    }
    offer(offered);
    joint.run(pieces.get(0));
    for (Runnable mine = takeBack(offered); mine != null; mine = takeBack(offered)) {
      mine.run();
    }
    Throwable failure = joint.awaitEnd();
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }

  private void offer(List<Runnable> pieces) {
    monitor.lock();
    try {
      if (!closing) {
        startThreads();
      }
      waiting.addAll(pieces);
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** A piece of these that no thread has taken; null if there is none. */
  private @Nullable Runnable takeBack(List<Runnable> offered) {
    monitor.lock();
    try {
      for (Runnable piece : offered) {
        if (waiting.remove(piece)) {
          return piece;
        }
      }
      return null;
    } finally {
      monitor.unlock();
    }
  }

  private void help() {
    for (Runnable piece = next(); piece != null; piece = next()) {
      run(piece);
    }
  }

  /** The next piece; null if there is none to come. */
  private @Nullable Runnable next() {
    monitor.lock();
    try {
      while (waiting.isEmpty() && !closing) {
        monitor.await();
      }
      return waiting.poll();
    } finally {
      monitor.unlock();
    }
  }

  private static void run(Runnable piece) {
    try {
      piece.run();
    } catch (Throwable t) {
      LOGGER.warn("reading ahead failed; what it would have read is read when it is needed", t);
    }
  }

  /** Ends the threads, when they have done what was offered. */
  @Override
  public void close() {
    List<TaskRunner.Task> ending;
    monitor.lock();
    try {
      closing = true;
      ending = List.copyOf(threads);
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
    ending.forEach(TaskRunner.Task::join);
    // Left by threads that broke; no other comes now. A piece gives back what it holds when it
    // runs.
    for (Runnable piece = next(); piece != null; piece = next()) {
      run(piece);
    }
  }
}
