package org.loam.log;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;

/**
 * The attempts to prepare a segment: how the last one ended, and whether another may begin. After a
 * fault a writer that waits for room asks for it. While none waits it begins by itself, but rarely,
 * so that the fault is forgotten once its reason is gone. For one thread at a time.
 */
final class SegmentAttempts {
  /** From a fault to the attempt that begins by itself: on a full disk it only asks for room. */
  static final long IDLE_NANOS = 10_000_000_000L;

  private final long retryNanos;

  /** The fault of the last attempt; null after one that succeeded. */
  private @Nullable StorageException failure;

  private long endedNanos;
  private boolean retryWanted;
  private boolean isUnderWay;
  private long ended;

  /**
   * @param retryNanos time after a failed attempt in which none is asked for
   */
  SegmentAttempts(long retryNanos) {
    this.retryNanos = retryNanos;
  }

  /** Whether the last attempt succeeded, a writer asks for another one, or it is time for it. */
  boolean mayBegin(long nowNanos) {
    return failure == null || retryWanted || nowNanos - endedNanos >= IDLE_NANOS;
  }

  void begin() {
    isUnderWay = true;
    retryWanted = false;
  }

  /**
   * @param fault null if the attempt succeeded
   */
  void end(@Nullable StorageException fault, long nowNanos) {
    isUnderWay = false;
    ended++;
    failure = fault;
    endedNanos = nowNanos;
  }

  /** The fault of the last attempt; null after one that succeeded. */
  @Nullable StorageException fault() {
    return failure;
  }

  /**
   * The number of attempts that tell a writer nothing which begins to wait now. An attempt under
   * way is one of them: it may have begun before there was space.
   */
  long seen() {
    return ended + (isUnderWay ? 1 : 0);
  }

  /**
   * Asks for another attempt after one that failed.
   *
   * @param seen {@link #seen} when the writer began to wait
   * @throws StorageException the fault, if an attempt failed since then, or only just before
   */
  void retry(long seen, long nowNanos) {
    StorageException fault = failure;
    if (fault == null) {
      return;
    }
    if (ended > seen || nowNanos - endedNanos < retryNanos) {
      throw again(fault);
    }
    retryWanted = true;
  }

  /** A fault of its own for each writer, with the stack of the writer. */
  private static StorageException again(StorageException fault) {
    String message = "no new log segment: " + fault.getMessage();
    StorageException copy =
        fault instanceof DiskFullException full
            ? new DiskFullException(message, full.neededBytes(), full.freeBytes())
            : new StorageIoException(message);
    copy.initCause(fault);
    return copy;
  }
}
