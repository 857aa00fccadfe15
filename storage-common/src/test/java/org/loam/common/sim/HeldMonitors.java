package org.loam.common.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The monitors that a thread holds, in the order in which it took them; one that it awaits stays in
 * its place. Some threads hold a hundred of one kind, so monitors are counted by kind. Guarded by
 * the baton.
 */
final class HeldMonitors {
  private final List<SimMonitor> monitors = new ArrayList<>();

  /** How many monitors of each kind are held. */
  private int[] counts = new int[16];

  /** The kinds with a count. */
  private final BitSet kinds = new BitSet();

  boolean isEmpty() {
    return monitors.isEmpty();
  }

  void add(SimMonitor taken) {
    monitors.add(taken);
    int kind = taken.kind();
    if (kind >= counts.length) {
      counts = Arrays.copyOf(counts, 2 * kind);
    }
    counts[kind]++;
    kinds.set(kind);
  }

  void remove(SimMonitor given) {
    // Most are given back in the opposite order.
    int last = monitors.lastIndexOf(given);
    if (last >= 0) {
      monitors.remove(last);
      int left = --counts[given.kind()];
      kinds.set(given.kind(), left > 0);
    }
  }

  /** The one that was taken last. */
  SimMonitor last() {
    return monitors.get(monitors.size() - 1);
  }

  /** The kinds of all of them. */
  BitSet kinds() {
    return kinds;
  }

  /** Whether there is one of a kind beside one that is held. */
  boolean hasAnother(int kind, SimMonitor held) {
    return counts[kind] > (held.kind() == kind ? 1 : 0);
  }
}
