package org.loam.scheduler.merge;

import java.util.Arrays;
import java.util.List;

/**
 * What a policy knows of an SSTable. Immutable, so a tree makes one per table and shares it among
 * the shapes that contain the table.
 *
 * @param id names the table within its tree; never used again
 * @param bytes size on disk
 * @param range its keys
 */
public record Component(long id, long bytes, KeyRange range) {
  /** Bytes of some components together. */
  public static long bytes(Iterable<Component> components) {
    long sum = 0;
    for (Component component : components) {
      sum += component.bytes();
    }
    return sum;
  }

  /** The components of a sorted disjoint list that meet a range; a view of the list. */
  public static List<Component> overlapping(List<Component> sorted, KeyRange range) {
    int from = firstWithMaxAtOrAfter(sorted, range.min());
    int to = from;
    while (to < sorted.size()
        && Arrays.compareUnsigned(sorted.get(to).range().min(), range.max()) <= 0) {
      to++;
    }
    return sorted.subList(from, to);
  }

  private static int firstWithMaxAtOrAfter(List<Component> sorted, byte[] key) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(sorted.get(middle).range().max(), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
