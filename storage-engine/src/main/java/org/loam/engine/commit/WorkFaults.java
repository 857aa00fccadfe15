package org.loam.engine.commit;

import java.util.Map;
import java.util.Set;
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
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.StallCause;

/**
 * Why flushes and merges fail, for writers that wait for them in vain. The failure of a flush is
 * forgotten when the next one to the same data directory succeeds, that of a merge when the next
 * merge does, and that of a merge which met damage when the next one of the same tree does.
 * Thread-safe.
 */
public final class WorkFaults implements Admission.LateWrites {
  private static final Logger LOGGER = LogManager.getLogger(WorkFaults.class);

  /**
   * Of flushes, by the numbers of the data directories in which they failed: flushes to another one
   * say nothing of it.
   */
  private final ConcurrentMap<Integer, Failure> flush = new ConcurrentHashMap<>();

  private final AtomicReference<@Nullable Failure> merge = new AtomicReference<>();

  private final IntPredicate isThere;
  private final IntPredicate isFlushDue;

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
   * @param isFlushDue whether a tree in a data directory waits for its flush, so that a failure
   *     goes with the trees that it keeps back
   */
  public WorkFaults(IntPredicate isThere, IntPredicate isFlushDue) {
    this.isThere = isThere;
    this.isFlushDue = isFlushDue;
  }

  /**
   * A flush failed, and is going to be tried again.
   *
   * @param directory number of the data directory in which it failed, or {@link
   *     BackgroundOperation#NO_DIRECTORY}
   * @return whether this kind of failure was not known there; of threads that fail beside each
   *     other, one is told so
   */
  public boolean flushFailed(int directory, StorageException cause) {
    // In one step: of threads that look first and write later, all would find it new, or none.
    return isNew(flush.put(directory, new Failure("flush", cause)), cause);
  }

  /** The same of a merge. */
  public boolean mergeFailed(StorageException cause) {
    return isNew(merge.getAndSet(new Failure("merge", cause)), cause);
  }

  private static boolean isNew(@Nullable Failure before, StorageException cause) {
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
   * A flush succeeded.
   *
   * @param directories numbers of the data directories that its tables are in
   * @return whether a failure was known there, or in no directory; of threads that succeed beside
   *     each other, one is told so
   */
  public boolean flushSucceeded(Set<Integer> directories) {
    boolean wasKnown = flush.remove(BackgroundOperation.NO_DIRECTORY) != null;
    for (int directory : directories) {
      wasKnown |= flush.remove(directory) != null;
    }
    return told(wasKnown, "flush");
  }

  /** The same of a merge. */
  public boolean mergeSucceeded() {
    // Nearly always there is none, and then nothing is written.
    return told(merge.get() != null && merge.getAndSet(null) != null, "merge");
  }

  private static boolean told(boolean wasKnown, String kind) {
    if (wasKnown) {
      LOGGER.warn("a {} has succeeded again", kind);
    }
    return wasKnown;
  }

  /** The failures of flushes that are known now, by the numbers of their data directories. */
  public Map<Integer, Failure> ofFlushes() {
    return Map.copyOf(flush);
  }

  /**
   * What kept flushes from being done, or the log from being truncated, is over.
   *
   * @param known {@link #ofFlushes}, before the look that showed that nothing is left to be done; a
   *     later failure stays known
   */
  public void endedForFlushes(Map<Integer, Failure> known) {
    boolean wasKnown = false;
    for (Map.Entry<Integer, Failure> one : known.entrySet()) {
      wasKnown |= flush.remove(one.getKey(), one.getValue());
    }
    told(wasKnown, "flush");
  }

  /** Why flushes fail that are still to be done; null if none does. */
  public @Nullable String lastOfFlushes() {
    return message(lastFlush());
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

  private @Nullable Failure lastFlush() {
    flush.forEach(
        (directory, failure) -> {
          if (directory != BackgroundOperation.NO_DIRECTORY && !isFlushDue.test(directory)) {
            // Only this one: the next flush may be due already, and have failed.
            flush.remove(directory, failure);
          }
        });
    return flush.values().stream().findAny().orElse(null);
  }

  private static @Nullable String message(@Nullable Failure failure) {
    return failure == null ? null : failure.cause().getMessage();
  }

  /** What keeps the work from being done that would end a stall; null if nothing is known to. */
  public @Nullable Failure behind(StallCause cause) {
    return switch (cause) {
      case WRITE_MEMORY_FULL, LOG_FULL, HOST_FLUSH -> lastFlush();
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
