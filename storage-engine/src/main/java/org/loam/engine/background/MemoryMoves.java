package org.loam.engine.background;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.WokenThread;
import org.loam.engine.memory.MemoryArbiter;

/**
 * Moves memory between write memory and buffer cache until the target is reached, on a thread that
 * is begun with the first target. Thread-safe.
 *
 * <p>Nothing waits for a move, and a move waits for flushes and for readers without a lock.
 *
 * <p>A setting may state the target. It is read and followed under one plain lock: of two changes
 * of it the later one counts, and a decision of the tuner that comes after them does not. Nor does
 * one that comes after the tuner was told to keep the split, which also ends a move that is under
 * way.
 */
public final class MemoryMoves implements AutoCloseable {
  /** How long a move waits for memory that comes back before it looks again by itself. */
  private static final long LOOK_AGAIN_NANOS = 10_000_000;

  private final MemoryArbiter arbiter;
  private final LongSupplier stated;
  private final BooleanSupplier decides;
  private final WriteSide writes;
  private final WokenThread thread;

  /** What a move asks of writes. Thread-safe. */
  public interface WriteSide {
    /** Whether flushes can still make room. */
    boolean canFlush();

    /** Has components flushed, if what is on its way out does not suffice. */
    void relieve();

    /** Waits until memory has come back, or for so long. */
    void awaitFreed(long nanos);

    /** The target is reached. */
    void moved();
  }

  /**
   * @param stated the write memory that a setting states now; 0 if it states none
   * @param decides whether the settings leave it to the tuner now
   */
  public MemoryMoves(
      StorageEnv env,
      MemoryArbiter arbiter,
      LongSupplier stated,
      BooleanSupplier decides,
      WriteSide writes) {
    this.arbiter = arbiter;
    this.stated = stated;
    this.decides = decides;
    this.writes = writes;
    this.thread = new WokenThread(env, "loam-memory", "moves of memory", this::run);
  }

  /**
   * Sets what write memory is to be, and does not wait until it is.
   *
   * @param counts whether the settings of the moment leave that to the caller
   * @return false if they do not; then nothing changes
   * @throws IllegalArgumentException if one of the sides could not do with what it would have
   */
  public boolean setTarget(long writeBytes, BooleanSupplier counts) {
    synchronized (this) {
      if (!counts.getAsBoolean()) {
        return false;
      }
      arbiter.setTarget(writeBytes);
    }
    thread.wake();
    return true;
  }

  /**
   * Sets what a setting states, after each change of the settings. If it states none, and the tuner
   * does not decide either, a move ends where it is. No decision of before the change sets a target
   * afterwards.
   */
  public void followSetting() {
    synchronized (this) {
      long bytes = stated.getAsLong();
      if (bytes == 0) {
        if (!decides.getAsBoolean()) {
          arbiter.stay();
        }
        return;
      }
      arbiter.setTarget(bytes);
    }
    thread.wake();
  }

  private void run() {
    while (thread.await(Long.MAX_VALUE)) {
      if (move()) {
        writes.moved();
      }
    }
  }

  /** False if the target is out of reach: no flush makes room after a fence. */
  private boolean move() {
    while (!thread.isClosing() && writes.canFlush()) {
      switch (arbiter.advance()) {
        case DONE -> {
          return true;
        }
        case MOVED -> {}
        case NEEDS_CACHE -> writes.awaitFreed(LOOK_AGAIN_NANOS);
        case NEEDS_FLUSH -> {
          writes.relieve();
          writes.awaitFreed(LOOK_AGAIN_NANOS);
        }
      }
    }
    return false;
  }

  /** Ends the thread; a move stays where it is. */
  @Override
  public void close() {
    thread.close();
  }
}
