package org.loam.scheduler.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.loam.scheduler.merge.ModelTree;

/** Write memory of a model tree: the keys that were written since they were frozen, in ranges. */
final class ModelMemory {
  /** By the first key of the range; the keys before the first bound are a range, too. */
  private final TreeMap<Integer, TreeSet<Integer>> ranges = new TreeMap<>();

  private final List<Integer> bounds;
  private int size;

  /**
   * @param bounds first keys of all ranges but the first one
   */
  ModelMemory(List<Integer> bounds) {
    this.bounds = bounds;
    ranges.put(Integer.MIN_VALUE, new TreeSet<>());
    bounds.forEach(bound -> ranges.put(bound, new TreeSet<>()));
  }

  /** The bounds as a tree has them. */
  List<byte[]> lows() {
    return bounds.stream().map(ModelTree::bytes).toList();
  }

  int size() {
    return size;
  }

  /** Writes a key; one that is there already takes no more memory. */
  void add(int key) {
    size += ranges.floorEntry(key).getValue().add(key) ? 1 : 0;
  }

  /** The keys of the largest range, which is empty from now on. */
  List<Integer> freeze() {
    Map.Entry<Integer, TreeSet<Integer>> largest = ranges.firstEntry();
    for (Map.Entry<Integer, TreeSet<Integer>> range : ranges.entrySet()) {
      largest = range.getValue().size() > largest.getValue().size() ? range : largest;
    }
    List<Integer> keys = new ArrayList<>(largest.getValue());
    largest.getValue().clear();
    size -= keys.size();
    return keys;
  }
}
