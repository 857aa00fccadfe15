package org.loam.scheduler.merge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How the components of L0 lie above each other. The <em>depth</em> of a key is the number of
 * components whose range holds it: so many tables may have to be looked at for the key, and so many
 * have to be merged until none is left. Pure; computed when a version changes, never for a write.
 */
public final class Depths {
  /**
   * A range that is deeper than what is beside it.
   *
   * @param range every key of it is held by the same components
   * @param depth their number
   */
  public record Peak(KeyRange range, int depth) {}

  private Depths() {}

  /** The largest depth of all keys. */
  public static int greatest(List<List<Component>> groups) {
    int greatest = 0;
    for (Peak peak : peaks(groups)) {
      greatest = Math.max(greatest, peak.depth());
    }
    return greatest;
  }

  /**
   * Where the depth has its local maxima, in key order. One pass over all ends of ranges in order:
   * a peak lies between the last range that begins and the first one that ends after it.
   */
  public static List<Peak> peaks(List<List<Component>> groups) {
    List<byte[]> mins = new ArrayList<>();
    List<byte[]> maxs = new ArrayList<>();
    for (List<Component> group : groups) {
      for (Component component : group) {
        mins.add(component.range().min());
        maxs.add(component.range().max());
      }
    }
    mins.sort(Arrays::compareUnsigned);
    maxs.sort(Arrays::compareUnsigned);
    List<Peak> peaks = new ArrayList<>();
    int begun = 0;
    for (int ended = 0; ended < maxs.size(); ended++) {
      int before = begun;
      while (begun < mins.size() && Arrays.compareUnsigned(mins.get(begun), maxs.get(ended)) <= 0) {
        begun++;
      }
      if (begun > before) {
        peaks.add(new Peak(new KeyRange(mins.get(begun - 1), maxs.get(ended)), begun - ended));
      }
    }
    return peaks;
  }

  /**
   * The fewest groups that keep the order of components that overlap: each component goes right
   * above the newest group with an older one that it meets. A component that lost what was below it
   * so comes down, and the newest group is as old as the longest chain of overlaps says.
   *
   * @param oldestFirst components of L0; of two that overlap, the older one comes first
   * @return groups, newest first, each in key order
   */
  public static List<List<Component>> groups(Iterable<Component> oldestFirst) {
    List<TreeMap<byte[], Component>> groups = new ArrayList<>();
    for (Component component : oldestFirst) {
      int above = groups.size();
      while (above > 0 && !meets(groups.get(above - 1), component.range())) {
        above--;
      }
      if (above == groups.size()) {
        groups.add(new TreeMap<>(Arrays::compareUnsigned));
      }
      groups.get(above).put(component.range().min(), component);
    }
    Collections.reverse(groups);
    return groups.stream().map(group -> List.copyOf(group.values())).toList();
  }

  private static boolean meets(NavigableMap<byte[], Component> disjoint, KeyRange range) {
    Map.Entry<byte[], Component> last = disjoint.floorEntry(range.max());
    return last != null && last.getValue().range().overlaps(range);
  }
}
