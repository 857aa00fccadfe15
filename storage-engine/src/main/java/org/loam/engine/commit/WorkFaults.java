package org.loam.engine.commit;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.StorageException;
import org.loam.scheduler.run.StallCause;

/**
 * Why flushes and merges fail, for writers that wait for them in vain. A failure is forgotten when
 * the next of its kind succeeds. Thread-safe.
 */
public final class WorkFaults {
  private static final Logger LOGGER = LogManager.getLogger(WorkFaults.class);

  private volatile @Nullable Failure flush;
  private volatile @Nullable Failure merge;

  /** The last failure of a kind of work. */
  record Failure(String kind, StorageException cause) {
    @Override
    public String toString() {
      return "last failure of a " + kind + ": " + cause.getMessage();
    }
  }

  /**
   * A flush or merge failed, and is going to be tried again.
   *
   * @return whether this kind of failure was not known of this kind of work
   */
  public boolean failed(boolean isFlush, StorageException cause) {
    Failure before = isFlush ? flush : merge;
    if (isFlush) {
      flush = new Failure("flush", cause);
    } else {
      merge = new Failure("merge", cause);
    }
    return before == null || before.cause().getClass() != cause.getClass();
  }

  /** A flush or merge succeeded. */
  public void succeeded(boolean isFlush) {
    Failure before = isFlush ? flush : merge;
    if (isFlush) {
      flush = null;
    } else {
      merge = null;
    }
    if (before != null) {
      LOGGER.warn("a {} has succeeded again", before.kind());
    }
  }

  /** Why the last flush failed; null if it succeeded. */
  public @Nullable String lastOfFlushes() {
    Failure failure = flush;
    return failure == null ? null : failure.cause().getMessage();
  }

  /** Why the last merge failed; null if it succeeded. */
  public @Nullable String lastOfMerges() {
    Failure failure = merge;
    return failure == null ? null : failure.cause().getMessage();
  }

  /** What keeps the work from being done that would end a stall; null if nothing is known to. */
  public @Nullable Failure behind(StallCause cause) {
    return switch (cause) {
      case WRITE_MEMORY_FULL, LOG_FULL, HOST_FLUSH -> flush;
      case L0_STOP, COMPONENT_CONSTRAINT, WRITE_CONTROL -> merge;
      case INDEX_BUILD -> null;
    };
  }

  /**
   * The error of a write that waited too long for work.
   *
   * @param target what it writes to
   * @param of which thing the cause is
   */
  DeadlineException tooLate(String target, WriteTerms terms, StallCause cause, String of) {
    // Once: the work may fail or succeed meanwhile.
    WorkFaults.Failure failure = behind(cause);
    String message =
        "the write to "
            + target
            + " was not admitted within "
            + terms.timeout()
            + ": "
            + cause
            + of
            + (failure == null ? "" : ", " + failure)
            + "; nothing was written, try again later or allow more time";
    return failure == null
        ? new DeadlineException(message)
        : new DeadlineException(message, failure.cause());
  }
}
