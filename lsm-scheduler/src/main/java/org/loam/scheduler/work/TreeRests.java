package org.loam.scheduler.work;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The rests of trees whose flushes failed. Guarded by its owner. */
final class TreeRests {
  private final Supplier<Backoff> newRest;

  /** By tree. What stays of a dropped tree does no harm, since ids are not used again. */
  private final Map<Integer, Backoff> rests = new HashMap<>();

  TreeRests(Supplier<Backoff> newRest) {
    this.newRest = newRest;
  }

  /** A flush of the tree failed; returns how long it rests: longer after each further fault. */
  long begin(int treeId, long nowNanos) {
    return rests.computeIfAbsent(treeId, id -> newRest.get()).begin(nowNanos);
  }

  /** Trees were flushed. */
  void end(IntPredicate isFlushed) {
    rests.keySet().removeIf(isFlushed::test);
  }

  void clear() {
    rests.clear();
  }

  /** The trees that rest now. */
  Set<Integer> resting(long nowNanos) {
    return rests.keySet().stream()
        .filter(treeId -> leftNanos(treeId, nowNanos) > 0)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * For how long all of some trees still rest; zero or less if one rests no longer, {@code
   * Long.MAX_VALUE} if there are none.
   */
  long leastNanos(Set<Integer> treeIds, long nowNanos) {
    return treeIds.stream()
        .mapToLong(treeId -> leftNanos(treeId, nowNanos))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private long leftNanos(int treeId, long nowNanos) {
    Backoff rest = rests.get(treeId);
    return rest == null ? 0 : rest.leftNanos(nowNanos);
  }
}
