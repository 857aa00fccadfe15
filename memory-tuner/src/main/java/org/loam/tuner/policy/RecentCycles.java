package org.loam.tuner.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.Rates;

/** The last few cycles at one split and with one mix of reads and writes, taken together. */
final class RecentCycles {
  /** Cycles that are taken together at most. */
  static final int MOST = 4;

  private final Deque<CycleSample> cycles = new ArrayDeque<>();

  int count() {
    return cycles.size();
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

  /** Whether a cycle goes on with the split and the mix of the one before. */
  static boolean belongsTo(CycleSample before, CycleSample latest) {
    return before.hasSplitOf(latest) && Rates.of(before).haveMixOf(Rates.of(latest));
  }
}
