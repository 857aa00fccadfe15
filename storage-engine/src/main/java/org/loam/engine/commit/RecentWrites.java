package org.loam.engine.commit;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What was written to each tree lately: while the log grew by a window, exact to a sixteenth of it
 * (MemoryWalls §4.2). A tree counts all that was ever written to it; from time to time these counts
 * are marked, and what came after the oldest mark is recent. So a write costs one addition, and
 * before there are enough marks all writes are recent. Not thread-safe.
 *
 * @param <T> a tree
 */
final class RecentWrites<T> {
  private static final int MARKS = 16;

  private final ToLongFunction<T> writtenBytes;

  /** The counts of each tree at the last marks, the oldest at {@link #oldest}. */
  private final Map<T, long[]> marks = new HashMap<>();

  private int oldest;

  /** End of the log at the last mark, and where the next one comes unless the window shrinks. */
  private long markedLsn;

  private long nextMarkLsn;

  /**
   * @param writtenBytes what was ever written to a tree
   */
  RecentWrites(ToLongFunction<T> writtenBytes) {
    this.writtenBytes = writtenBytes;
  }

  /**
   * Marks the counts of trees, if the log has grown enough. To be called several times in a
   * sixteenth of the window.
   *
   * @param endLsn end of the log; never smaller than before
   * @param windowBytes growth of the log in which writes are recent
   * @param trees all there are
   */
  void mark(long endLsn, long windowBytes, Collection<T> trees) {
    long stepBytes = Math.max(1, windowBytes / MARKS);
    long dueLsn = Math.min(nextMarkLsn, markedLsn + stepBytes);
    if (endLsn < dueLsn) {
      return;
    }
    // One large batch may have taken the log over several steps, all of which were before it.
    long steps = Math.min(MARKS, 1 + (endLsn - dueLsn) / stepBytes);
    for (long step = 1; step < steps; step++) {
      int before = (oldest + MARKS - 1) % MARKS;
      marks.values().forEach(counts -> counts[oldest] = counts[before]);
      oldest = (oldest + 1) % MARKS;
    }
    for (T tree : trees) {
      long[] counts = marks.computeIfAbsent(tree, made -> new long[MARKS]);
      counts[oldest] = writtenBytes.applyAsLong(tree);
    }
    oldest = (oldest + 1) % MARKS;
    markedLsn = endLsn;
    nextMarkLsn = endLsn + stepBytes;
    if (marks.size() > trees.size()) {
      marks.keySet().retainAll(new HashSet<>(trees));
    }
  }

  /** What was written to a tree in the window. */
  long of(T tree) {
    long[] counts = marks.get(tree);
    return writtenBytes.applyAsLong(tree) - (counts == null ? 0 : counts[oldest]);
  }
}
