package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.StorageException;
import org.loam.scheduler.run.StallCause;

/**
 * Why flushes and merges fail, for writers that wait for them in vain. A failure is forgotten when
 * the next of its kind succeeds. Thread-safe.
 */
final class WorkFaults {
  private volatile @Nullable StorageException flush;
  private volatile @Nullable StorageException merge;

  /** A flush or merge failed, and is going to be tried again. */
  void failed(boolean isFlush, StorageException cause) {
    if (isFlush) {
      flush = cause;
    } else {
      merge = cause;
    }
  }

  /** A flush or merge succeeded. */
  void succeeded(boolean isFlush) {
    if (isFlush) {
      flush = null;
    } else {
      merge = null;
    }
  }

  /** What keeps the work from being done that would end a stall; null if nothing is known to. */
  @Nullable StorageException behind(StallCause cause) {
    return switch (cause) {
      case WRITE_MEMORY_FULL, LOG_FULL, HOST_FLUSH -> flush;
      case L0_STOP, COMPONENT_CONSTRAINT, WRITE_CONTROL -> merge;
      case INDEX_BUILD -> null;
    };
  }

  /** What {@link #behind} knows, as the end of a sentence; empty if that is nothing. */
  String describe(StallCause cause) {
    StorageException fault = behind(cause);
    if (fault == null) {
      return "";
    }
    String kind = fault == flush ? "flush" : "merge";
    return ", last failure of a " + kind + ": " + fault.getMessage();
  }
}
