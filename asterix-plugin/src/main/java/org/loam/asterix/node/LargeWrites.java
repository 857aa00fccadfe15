package org.loam.asterix.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.AtomicInteger;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.engine.host.HostEngine;

/**
 * Lets operations with large records begin as far as memory has room for all of them together.
 * Inside of a dataset they would wait for its flush, which waits for them. While one waits here, no
 * other operation begins, so that memory is flushed. Thread-safe.
 */
final class LargeWrites {
  /** What smaller operations need is there, or the buffer cache lends it. */
  static final int LARGE_BYTES = 1 << 20;

  /** An operation that has waited so long begins, and is refused if it finds no memory. */
  private static final long LIMIT_NANOS = 30_000_000_000L;

  private static final long LOOK_AGAIN_NANOS = 2_000_000;

  private final StorageEnv env;
  private final HostEngine engine;

  private final Monitor monitor;

  /** Bytes that operations which have begun may still write. */
  @GuardedBy("monitor")
  private long promised;

  private final AtomicInteger waiting = new AtomicInteger();

  /** What the thread was promised; null outside of an operation with large records. */
  private final ThreadLocal<Long> own = new ThreadLocal<>();

  LargeWrites(StorageEnv env, HostEngine engine) {
    this.env = env;
    this.engine = engine;
    this.monitor = env.waiter().newMonitor("large writes");
  }

  /** Whether an operation of the thread has begun here. */
  boolean isInside() {
    return own.get() != null;
  }

  /** Whether others must not begin, since one waits for the memory that they would take. */
  boolean isAnyWaiting() {
    return waiting.get() > 0;
  }

  /**
   * Waits until an operation of the thread may begin; {@link #end} must follow.
   *
   * @param bytes that it may write
   * @param waits is told if it has to wait
   * @throws InterruptedException if the thread was interrupted, as when its job has failed
   */
  void begin(long bytes, Runnable waits) throws InterruptedException {
    // One that needs nearly all of it comes alone.
    long needed = Math.min(bytes, engine.largestRecordBytes() / 10 * 9L);
    if (!isPromised(needed)) {
      waits.run();
      waiting.incrementAndGet();
      try {
        await(needed);
      } finally {
        waiting.decrementAndGet();
      }
    }
    own.set(needed);
  }

  private void await(long bytes) throws InterruptedException {
    long startNanos = env.clock().nanoTime();
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException("while waiting for memory for a large record");
      }
      engine.relieveWriteMemory();
      env.waiter().pause(LOOK_AGAIN_NANOS);
      if (isPromised(bytes)) {
        return;
      }
    } while (env.clock().nanoTime() - startNanos < LIMIT_NANOS);
    promise(bytes);
  }

  /** What is written is in use before its promise ends, so it counts once or twice here. */
  private boolean isPromised(long bytes) {
    monitor.lock();
    try {
      boolean fits =
          engine.usedWriteMemoryBytes() + promised + bytes <= engine.largestRecordBytes();
      promised += fits ? bytes : 0;
      return fits;
    } finally {
      monitor.unlock();
    }
  }

  /** Promises more, or less. */
  private void promise(long bytes) {
    monitor.lock();
    try {
      promised += bytes;
    } finally {
      monitor.unlock();
    }
  }

  /** The operation of the thread has written what it writes. */
  void end() {
    promise(-own.get());
    own.remove();
  }
}
