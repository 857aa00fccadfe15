package org.loam.scheduler.work;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names the background work; the engine implements it. Thread-safe. The workers call it without any
 * lock of theirs, so it may take the engine's locks. Whenever an answer may have changed, the
 * engine calls {@link BackgroundWorkers#signal}.
 */
public interface WorkSource {
  /**
   * Takes the most urgent flush that can start now, or null. Flushes of a tree that must publish in
   * order are handed out one after the other; a flush that has to wait for publication is not
   * handed out before.
   *
   * @param resting ids of trees that are passed over: their last flushes failed
   */
  @Nullable BackgroundOperation takeFlush(Set<Integer> resting);

  /** Changes with every write to any of the trees, and with nothing else. */
  long latestWrite();

  /**
   * Deletes files that came out of use and that no reader is inside of any more.
   *
   * @return whether some are left, for their readers
   */
  boolean deleteUnused();

  /** The trees whose components may need merging, always in the same order. */
  List<? extends MergeTree> mergeTrees();
}
