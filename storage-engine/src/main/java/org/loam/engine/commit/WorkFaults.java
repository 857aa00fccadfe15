package org.loam.engine.commit;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DeadlineException;
import org.loam.common.error.StorageException;
import org.loam.lsm.LsmTree;
import org.loam.scheduler.work.StallCause;

/**
 * Why flushes and merges fail, for writers that wait for them in vain. A failure is forgotten when
 * the next of its kind succeeds; that of a merge which met damage, when the next of the same tree
 * does. Thread-safe.
 */
public final class WorkFaults implements Admission.LateWrites {
  private static final Logger LOGGER = LogManager.getLogger(WorkFaults.class);

  private final AtomicReference<@Nullable Failure> flush = new AtomicReference<>();
  private final AtomicReference<@Nullable Failure> merge = new AtomicReference<>();

  private final IntPredicate isThere;

  /** Of trees with damaged tables, by id: merges of other trees say nothing of them. */
  private final ConcurrentMap<Integer, Failure> damaged = new ConcurrentHashMap<>();

  /** The last failure of a kind of work. */
  public record Failure(String kind, StorageException cause) {
    @Override
    public String toString() {
      return "last failure of a " + kind + ": " + cause.getMessage();
    }
  }

  /**
   * Nothing has failed yet.
   *
   * @param isThere whether there is a tree of an id, so that damage goes with its tree
   */
  public WorkFaults(IntPredicate isThere) {
    this.isThere = isThere;
  }

  /**
   * A flush or merge failed, and is going to be tried again.
   *
   * @return whether this kind of failure was not known of this kind of work; of threads that fail
   *     beside each other, one is told so
   */
  public boolean failed(boolean isFlush, StorageException cause) {
    Failure now = new Failure(isFlush ? "flush" : "merge", cause);
    // In one step: of threads that look first and write later, all would find it new, or none.
    Failure before = last(isFlush).getAndSet(now);
    return before == null || before.cause().getClass() != cause.getClass();
  }

  /**
   * A merge met damage in a table of a tree, and is going to be tried again.
   *
   * @return whether no damage of this tree was known
   */
  public boolean damaged(int treeId, StorageException cause) {
    return damaged.put(treeId, new Failure("merge", cause)) == null;
  }

  /** A merge of a tree succeeded: if there is still damage in it, the next one says so. */
  public void forgetDamage(int treeId) {
    damaged.remove(treeId);
  }

  /**
   * A flush or merge succeeded.
   *
   * @return whether a failure was known of this kind of work; of threads that succeed beside each
   *     other, one is told so
   */
  public boolean succeeded(boolean isFlush) {
    AtomicReference<@Nullable Failure> last = last(isFlush);
    // Nearly always there is none, and then nothing is written.
    Failure before = last.get() == null ? null : last.getAndSet(null);
    if (before != null) {
      LOGGER.warn("a {} has succeeded again", before.kind());
    }
    return before != null;
  }

  /**
   * What kept flushes from being done, or the log from being truncated, is over.
   *
   * @param known of {@link #behind}, before the look that showed that nothing is left to be done; a
   *     later failure stays known
   */
  public void endedForFlushes(@Nullable Failure known) {
    if (known != null && flush.compareAndSet(known, null)) {
      LOGGER.warn("a {} has succeeded again", known.kind());
    }
  }

  /** Why the last flush failed; null if it succeeded. */
  public @Nullable String lastOfFlushes() {
    return message(flush.get());
  }

  /** Why the last merge failed, of all or of a damaged tree; null if it succeeded. */
  public @Nullable String lastOfMerges() {
    return message(lastMerge());
  }

  private @Nullable Failure lastMerge() {
    Failure last = merge.get();
    damaged.keySet().removeIf(treeId -> !isThere.test(treeId));
    return last != null ? last : damaged.values().stream().findAny().orElse(null);
  }

  private AtomicReference<@Nullable Failure> last(boolean isFlush) {
    return isFlush ? flush : merge;
  }

  private static @Nullable String message(@Nullable Failure failure) {
    return failure == null ? null : failure.cause().getMessage();
  }

  /** What keeps the work from being done that would end a stall; null if nothing is known to. */
  public @Nullable Failure behind(StallCause cause) {
    return switch (cause) {
      case WRITE_MEMORY_FULL, LOG_FULL, HOST_FLUSH -> flush.get();
      case L0_STOP, COMPONENT_CONSTRAINT, WRITE_CONTROL -> lastMerge();
      case INDEX_BUILD, KEY_LOCK -> null;
    };
  }

  @Override
  public void requireSound(LsmTree tree, StallCause cause) {
    Failure damage = damaged.get(tree.treeId());
    if (damage != null) {
      throw new CorruptionException(
          "the write to "
              + tree
              + " would wait in vain: "
              + cause
              + ", "
              + damage
              + "; nothing was written",
          damage.cause());
    }
  }

  @Override
  public DeadlineException tooLate(String target, WriteTerms terms, StallCause cause, String of) {
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
