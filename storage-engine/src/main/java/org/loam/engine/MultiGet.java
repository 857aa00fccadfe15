package org.loam.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads many keys of a tree as of one moment (StabilityExt §7.2): in the order of the keys, so that
 * neighbours find their page in the cache, and many by several threads. Thread-safe.
 */
final class MultiGet {
  /** Fewer keys than these are not worth waking a thread for. */
  private static final int MIN_PIECE = 16;

  private final ReadHelpers helpers;

  MultiGet(ReadHelpers helpers) {
    this.helpers = helpers;
  }

  /**
   * Reads values.
   *
   * @param count how many of the keys
   * @param readLsn a registered one
   * @return the values in the order of the keys, null where there is none
   */
  byte[] @Nullable [] read(Tree tree, byte[][] keys, int count, long readLsn) {
    byte[] @Nullable [] values = new byte[count][];
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Arrays.compareUnsigned(keys[a], keys[b]));
    int pieces = Math.max(1, Math.min(1 + ReadHelpers.THREADS, count / MIN_PIECE));
    List<Runnable> work = new ArrayList<>(pieces);
    for (int piece = 0; piece < pieces; piece++) {
      int from = (int) ((long) count * piece / pieces);
      int to = (int) ((long) count * (piece + 1) / pieces);
      work.add(
          () -> {
            for (int i = from; i < to; i++) {
              values[order[i]] = tree.read(keys[order[i]], readLsn, true);
            }
          });
    }
    if (pieces == 1) {
      work.get(0).run();
    } else {
      helpers.runAll(work);
    }
    return values;
  }
}
