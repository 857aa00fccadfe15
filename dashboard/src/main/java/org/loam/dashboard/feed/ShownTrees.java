package org.loam.dashboard.feed;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The trees that have a line of their own, where there are too many for each to have one. A tree
 * keeps its line until it is dropped, or another one has more than twice as much: lines that come
 * and go each second cannot be read.
 */
final class ShownTrees {
  private final int most;
  private final Set<String> shown = new LinkedHashSet<>();

  ShownTrees(int most) {
    this.most = most;
  }

  /** The trees to show now, by what each has. */
  Set<String> of(Map<String, Long> all) {
    shown.retainAll(all.keySet());
    all.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .map(Map.Entry::getKey)
        .filter(tree -> !shown.contains(tree))
        .limit(most)
        .forEach(tree -> offer(tree, all));
    return shown;
  }

  private void offer(String tree, Map<String, Long> all) {
    if (shown.size() < most) {
      shown.add(tree);
      return;
    }
    String least = shown.iterator().next();
    for (String other : shown) {
      if (all.getOrDefault(other, 0L) < all.getOrDefault(least, 0L)) {
        least = other;
      }
    }
    if (all.getOrDefault(tree, 0L) > 2 * all.getOrDefault(least, 0L)) {
      shown.remove(least);
      shown.add(tree);
    }
  }
}
