package org.loam.tuner.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import org.loam.tuner.cost.CycleSample;

/** The last few cycles at one split and with one mix of reads and writes, taken together. */
final class RecentCycles {
  /** Cycles that are taken together at most. */
  static final int MOST = 4;

  /** Parts of writes among operations that differ by more are other mixes. */
  private static final double SAME_MIX = 0.2;

  private final Deque<CycleSample> cycles = new ArrayDeque<>();

  int count() {
    return cycles.size();
  }

  void clear() {
    cycles.clear();
  }

  /** Adds a cycle; it and those before it as one. */
  CycleSample with(CycleSample latest) {
    if (!cycles.isEmpty() && !belongsTo(cycles.getLast(), latest)) {
      cycles.clear();
    }
    cycles.addLast(latest);
    if (cycles.size() > MOST) {
      cycles.removeFirst();
    }
    return cycles.stream().reduce(CycleSample::plus).orElseThrow();
  }

  private static boolean belongsTo(CycleSample before, CycleSample latest) {
    return before.hasSplitOf(latest)
        && Math.abs(entries(before) - entries(latest))
            <= SAME_MIX * Math.max(entries(before), entries(latest));
  }

  /** Entries written in an operation. */
  private static double entries(CycleSample sample) {
    double entries = sample.trees().stream().mapToLong(tree -> tree.written().entries()).sum();
    return entries / Math.max(1, sample.operations());
  }
}
