package org.loam.engine.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.WriteMemory;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.log.CommitLog;
import org.loam.lsm.FlushCause;

/**
 * Moves memory between write memory and buffer cache until the target is reached, on a thread that
 * is begun with the first target. Thread-safe.
 *
 * <p>Nothing waits for a move, and a move waits for flushes and for readers without a lock.
 */
public final class MemoryMoves implements AutoCloseable {
  /** How long a move waits for memory that comes back before it looks again by itself. */
  private static final long LOOK_AGAIN_NANOS = 10_000_000;

  private final StorageEnv env;
  private final MemoryArbiter arbiter;
  private final WriteMemory writeMemory;
  private final CommitLatch latch;
  private final CommitLog log;
  private final Runnable onMoved;
  private final Monitor monitor;

  @GuardedBy("monitor")
  private boolean wanted;

  @GuardedBy("monitor")
  private TaskRunner.@Nullable Task thread;

  private volatile boolean closing;

  /**
   * What a move works with.
   *
   * @param onMoved runs when a target is reached
   */
  public record Parts(
      MemoryArbiter arbiter,
      WriteMemory writeMemory,
      CommitLatch latch,
      CommitLog log,
      Runnable onMoved) {}

  public MemoryMoves(StorageEnv env, Parts parts) {
    this.env = env;
    this.arbiter = parts.arbiter();
    this.writeMemory = parts.writeMemory();
    this.latch = parts.latch();
    this.log = parts.log();
    this.onMoved = parts.onMoved();
    this.monitor = env.waiter().newMonitor("moves of memory");
  }

  /**
   * Sets what write memory is to be, and does not wait until it is.
   *
   * @throws IllegalArgumentException if one of the sides could not do with what it would have
   */
  public void setTarget(long writeBytes) {
    arbiter.setTarget(writeBytes);
    monitor.lock();
    try {
      wanted = true;
      if (thread == null && !closing) {
        thread = env.tasks().start("loam-memory", this::run);
      }
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  private void run() {
    while (awaitWanted()) {
      if (move()) {
        onMoved.run();
      }
    }
  }

  /** False if there is no more to do. */
  private boolean awaitWanted() {
    monitor.lock();
    try {
      while (!wanted && !closing) {
        monitor.await();
      }
      wanted = false;
      return !closing;
    } finally {
      monitor.unlock();
    }
  }

  /** False if the target is out of reach: no flush makes room after a fence. */
  private boolean move() {
    while (!closing && !latch.isFenced()) {
      switch (arbiter.advance()) {
        case DONE -> {
          return true;
        }
        case MOVED -> {}
        case NEEDS_CACHE -> writeMemory.awaitFreed(LOOK_AGAIN_NANOS);
        case NEEDS_FLUSH -> {
          latch.underLatch(() -> writeMemory.flushForMemory(log.endLsn(), FlushCause.TUNER));
          writeMemory.awaitFreed(LOOK_AGAIN_NANOS);
          // What a reader was reading when it was flushed is freed by the next look.
          writeMemory.collect();
        }
      }
    }
    return false;
  }

  /** Ends the thread; a move stays where it is. */
  @Override
  public void close() {
    TaskRunner.Task ending;
    monitor.lock();
    try {
      closing = true;
      ending = thread;
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
    if (ending != null) {
      ending.join();
    }
  }
}
