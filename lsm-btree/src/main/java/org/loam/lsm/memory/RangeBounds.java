package org.loam.lsm.memory;

import java.util.Arrays;
import java.util.List;
import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;

/**
 * Ascending keys that divide all keys into ranges: the first range has no low bound, the last one
 * has no high bound, and a bound belongs to the range above it. Immutable.
 */
public final class RangeBounds {
  /** One range of all keys. */
  public static final RangeBounds NONE = new RangeBounds(List.of());

  private final byte[][] bounds;

  /** What all bounds begin with. */
  private final byte[] prefix;

  /** Of what follows the prefix in each bound. */
  private final long[] heads;

  private RangeBounds(List<byte[]> sorted) {
    this.bounds = sorted.toArray(byte[][]::new);
    this.prefix = commonPrefix(bounds);
    this.heads = new long[bounds.length];
    for (int i = 0; i < heads.length; i++) {
      heads[i] = Heads.of(bounds[i], prefix.length);
    }
  }

  /**
   * Bounds at keys.
   *
   * @param sorted ascending, each only once; not changed afterwards
   */
  public static RangeBounds of(List<byte[]> sorted) {
    return sorted.isEmpty() ? NONE : new RangeBounds(sorted);
  }

  private static byte[] commonPrefix(byte[][] sorted) {
    if (sorted.length == 0) {
      return new byte[0];
    }
    byte[] first = sorted[0];
    byte[] last = sorted[sorted.length - 1];
    int mismatch = Arrays.mismatch(first, last);
    return Arrays.copyOf(first, mismatch < 0 ? first.length : mismatch);
  }

  /** How many ranges there are. */
  public int ranges() {
    return bounds.length + 1;
  }

  /** The low bound of a range but the first; not to be changed. */
  public byte[] low(int range) {
    return bounds[range - 1];
  }

  /** The low bounds of all ranges but the first, ascending; not to be changed. */
  public List<byte[]> lows() {
    return List.of(bounds);
  }

  /** The number of the range of a key. */
  public int rangeOf(byte[] key) {
    if (heads.length == 0) {
      return 0;
    }
    int order =
        Arrays.compareUnsigned(
            key, 0, Math.min(key.length, prefix.length), prefix, 0, prefix.length);
    if (order != 0) {
      return order < 0 ? 0 : heads.length;
    }
    long head = Heads.of(key, prefix.length);
    int range = countUpTo(head);
    while (range > 0
        && heads[range - 1] == head
        && Arrays.compareUnsigned(key, bounds[range - 1]) < 0) {
      range--;
    }
    return range;
  }

  /** The number of the range of a key off the heap. */
  public int rangeOf(long key, int keyLength) {
    if (heads.length == 0) {
      return 0;
    }
    int order = -Mem.compare(prefix, 0, prefix.length, key, Math.min(keyLength, prefix.length));
    if (order != 0) {
      return order < 0 ? 0 : heads.length;
    }
    long head = Heads.of(key, keyLength, prefix.length);
    int range = countUpTo(head);
    while (range > 0
        && heads[range - 1] == head
        && Mem.compare(bounds[range - 1], 0, bounds[range - 1].length, key, keyLength) > 0) {
      range--;
    }
    return range;
  }

  /** How many heads are at or below another one. */
  private int countUpTo(long head) {
    int count = 0;
    for (long each : heads) {
      count += each <= head ? 1 : 0;
    }
    return count;
  }
}
