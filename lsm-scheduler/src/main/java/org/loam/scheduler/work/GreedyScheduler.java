package org.loam.scheduler.work;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The merges with the fewest bytes left go first, as many as there are threads to advance them:
 * this keeps the number of components least (Stability §5.1.4, Theorem 2; the smallest k of
 * StabilityExt §5.1.5). Before them come the merges that relieve a tree whose writers wait, or
 * nearly do. Thread-safe: it has no state.
 *
 * <p>The other merges keep a small share together, so that no level starves under a steady load.
 * They pause only while writers wait for a merge that is open.
 */
public final class GreedyScheduler implements MergeScheduler {
  /** Three quarters of the way to the stop: depth 9 of 12. */
  static final double NEARLY_STOPPED = 0.75;

  /** What the merges that were not chosen have together. */
  private static final double REST_SHARE = 1.0 / 8;

  private static final Comparator<OpenMerge> ORDER =
      Comparator.comparing((OpenMerge merge) -> merge.pressure() < NEARLY_STOPPED)
          .thenComparingLong(OpenMerge::remainingInputBytes);

  private final int chosen;

  /**
   * @param chosen how many merges go first, at least 1: the number of threads that merge
   */
  public GreedyScheduler(int chosen) {
    if (chosen < 1) {
      throw new IllegalArgumentException("chosen is " + chosen + ", must be at least 1");
    }
    this.chosen = chosen;
  }

  @Override
  public void allocate(List<OpenMerge> merges, double[] shares) {
    List<Integer> order = new ArrayList<>(merges.size());
    boolean stopped = false;
    for (int i = 0; i < merges.size(); i++) {
      order.add(i);
      stopped |= merges.get(i).pressure() >= 1;
    }
    order.sort(Comparator.comparing(merges::get, ORDER));
    int first = Math.min(chosen, merges.size());
    int rest = merges.size() - first;
    double restShare = rest == 0 || stopped ? 0 : REST_SHARE;
    for (int i = 0; i < merges.size(); i++) {
      shares[order.get(i)] = i < first ? (1 - restShare) / first : restShare / rest;
    }
  }
}
